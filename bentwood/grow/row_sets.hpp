#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "bentwood/base/matrix.hpp"
#include "bentwood/split/ranked_columns.hpp"
#include "bentwood/split/sorted_rows.hpp"

namespace bentwood {

template <class T>
using Numbers = std::vector<T, NumberAllocator<T>>;

/// All training rows, as the top of a tree sees them.
class AllRows {
 public:
  using Row = std::uint32_t;

  explicit AllRows(const RankedColumns& columns) : columns_(columns), sorter_(columns.n_rows()) {}

  [[nodiscard]] std::size_t n_columns() const { return columns_.size(); }
  [[nodiscard]] RankView<Row> column(std::size_t column) { return columns_.view(column); }
  [[nodiscard]] RowSorter<Row>& sorter() { return sorter_; }
  /// The number of a row among all.
  [[nodiscard]] std::uint32_t global(Row row) const { return row; }

 private:
  const RankedColumns& columns_;
  RowSorter<Row> sorter_;
};

/// The rows of one subtree, renumbered from 0 so that all that the subtree touches lies close together: ranks take two
/// bytes, and a node is no longer a small part of its rows. Columns are ranked anew when they are first asked
/// for, from the set that the rows were taken from.
class SubtreeRows {
 public:
  using Row = std::uint16_t;
  /// 0xFFFF is no row's place (RowSorter).
  static constexpr std::size_t most_rows = 65535;

  SubtreeRows(std::size_t n_columns, std::size_t capacity)
      : capacity_(capacity), sorter_(capacity), columns_(n_columns) {}

  /// Takes some rows of all, or of another subtree. Both must outlive the use of this object, and the rows keep
  /// their order.
  void take(AllRows& all, std::span<const AllRows::Row> rows) {
    all_ = &all;
    all_rows_ = rows;
    outer_ = nullptr;
    renumber(all, rows, local_in_all_);
  }
  void take(SubtreeRows& outer, std::span<const Row> rows) {
    outer_ = &outer;
    outer_rows_ = rows;
    all_ = nullptr;
    renumber(outer, rows, local_in_outer_);
  }

  [[nodiscard]] std::size_t n_columns() const { return columns_.size(); }
  [[nodiscard]] std::size_t n_rows() const { return n_rows_; }
  [[nodiscard]] RankView<Row> column(std::size_t column) {
    Ranks& ranks = columns_[column];
    if (!ranks.is_ready) {
      make_ready(column, ranks);
    }
    return {n_rows_, ranks.place.data(), ranks.row_at.data(),
            ranks.has_ties ? ranks.level.data() : nullptr,
            ranks.is_circle ? ranks.far.data() : nullptr};
  }
  [[nodiscard]] RowSorter<Row>& sorter() { return sorter_; }
  [[nodiscard]] std::uint32_t global(Row row) const { return global_[row]; }

 private:
  struct Ranks {
    bool is_ready = false;
    bool has_ties = false;
    bool is_circle = false;
    Numbers<Row> place;
    Numbers<Row> row_at;
    Numbers<Row> level;
    Numbers<std::uint8_t> far;
  };

  template <class Set, class OuterRow>
  void renumber(Set& set, std::span<const OuterRow> rows, Numbers<Row>& local) {
    n_rows_ = rows.size();
    global_.resize(capacity_);
    for (std::size_t row = 0; row < rows.size(); ++row) {
      global_[row] = set.global(rows[row]);
      if (local.size() <= rows[row]) {
        local.resize(std::size_t{2} * rows[row] + 64);
      }
      local[rows[row]] = static_cast<Row>(row);
    }
    for (Ranks& ranks : columns_) {
      ranks.is_ready = false;
    }
  }

  void make_ready(std::size_t column, Ranks& ranks) {
    if (outer_ != nullptr) {
      rank(ranks, outer_->column(column), outer_->sorter(), outer_rows_, local_in_outer_);
    } else {
      rank(ranks, all_->column(column), all_->sorter(), all_rows_, local_in_all_);
    }
    ranks.is_ready = true;
  }

  template <class OuterRow>
  void rank(Ranks& ranks, const RankView<OuterRow>& outer, RowSorter<OuterRow>& sorter,
            std::span<const OuterRow> rows, const Numbers<Row>& local) {
    // Whole words of the bitmap are read, so there is room for whole words.
    const std::size_t room = (capacity_ + 63) / 64 * 64;
    ranks.place.resize(room);
    ranks.row_at.resize(room);
    const std::span<const OuterRow> sorted = sorter.sort(rows, outer);
    for (std::size_t place = 0; place < sorted.size(); ++place) {
      const Row row = local[sorted[place]];
      ranks.row_at[place] = row;
      ranks.place[row] = static_cast<Row>(place);
    }
    ranks.has_ties = false;
    if (outer.level != nullptr) {
      ranks.level.resize(room);
      Row level = 0;
      for (std::size_t place = 0; place < sorted.size(); ++place) {
        if (place > 0 && outer.level[sorted[place]] == outer.level[sorted[place - 1]]) {
          ranks.has_ties = true;
        } else {
          ++level;
        }
        ranks.level[local[sorted[place]]] = level;
      }
    }
    ranks.is_circle = outer.is_circle();
    if (ranks.is_circle) {
      ranks.far.resize(room);
      for (const OuterRow row : rows) {
        ranks.far[local[row]] = outer.far[row];
      }
    }
  }

  std::size_t capacity_;
  std::size_t n_rows_ = 0;
  AllRows* all_ = nullptr;
  SubtreeRows* outer_ = nullptr;
  std::span<const AllRows::Row> all_rows_;
  std::span<const Row> outer_rows_;
  Numbers<Row> local_in_all_;
  Numbers<Row> local_in_outer_;
  Numbers<std::uint32_t> global_;
  RowSorter<Row> sorter_;
  std::vector<Ranks> columns_;
};

}  // namespace bentwood
