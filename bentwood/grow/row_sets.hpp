#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <variant>
#include <vector>

#include "bentwood/base/matrix.hpp"
#include "bentwood/grow/part_rows.hpp"
#include "bentwood/split/kernels.hpp"
#include "bentwood/split/ranked_columns.hpp"
#include "bentwood/split/sorted_rows.hpp"

namespace bentwood {

/// The rows of one subtree, renumbered from 0 so that all that the subtree touches lies close together: ranks take few
/// bytes, and a node is no longer a small part of its rows. Columns are ranked anew when they are first asked
/// for, from what the rows were taken from.
template <class RowNumber>
class SubtreeRows {
 public:
  using Row = RowNumber;
  /// The highest number is no row's place (RowSorter).
  static constexpr std::size_t most_rows = std::numeric_limits<Row>::max();

  SubtreeRows(std::size_t n_columns, std::size_t capacity)
      : capacity_(capacity), sorter_(capacity), columns_(n_columns) {}

  // What rows are taken from must outlive the use of this object.
  /// Takes all rows, by their own numbers.
  void take(const RankedColumns& columns) {
    source_ = &columns;
    start(columns.n_rows());
    std::iota(global_.begin(), global_.end(), 0U);
  }
  /// Takes a part of the tree.
  void take(PartRows& parts, std::size_t part) {
    source_ = Part{&parts, part};
    start(parts.rows(part).size());
    std::ranges::copy(parts.rows(part), global_.begin());
  }
  /// Takes some rows of another subtree, which keep their order.
  template <class OuterRow>
  void take(SubtreeRows<OuterRow>& outer, std::span<const OuterRow> rows) {
    source_ = Outer<OuterRow>{&outer, rows};
    start(rows.size());
    for (std::size_t row = 0; row < rows.size(); ++row) {
      global_[row] = outer.global(rows[row]);
      if (local_.size() <= rows[row]) {
        local_.resize(std::size_t{2} * rows[row] + 64);
      }
      local_[rows[row]] = static_cast<Row>(row);
    }
  }

  [[nodiscard]] std::size_t n_columns() const { return columns_.size(); }
  [[nodiscard]] std::size_t n_rows() const { return n_rows_; }
  [[nodiscard]] RankView<Row> column(std::size_t column) {
    Ranks& ranks = columns_[column];
    if (!ranks.is_ready) {
      make_ready(column, ranks);
    }
    return {{n_rows_, ranks.row_at.data(), ranks.has_ties ? ranks.level.data() : nullptr,
             ranks.is_circle ? ranks.far.data() : nullptr},
            ranks.place.data()};
  }
  /// The rows of a node in ascending order. Valid until the next call.
  std::span<const Row> sort(std::span<const Row> rows, const RankView<Row>& column) {
    return sorter_.sort(rows, column);
  }
  /// Keeps what was sorted last: the rows of the node at hand along the best column so far.
  void keep_sorted() { sorter_.keep(); }
  [[nodiscard]] const Row* kept() const { return sorter_.kept(); }
  /// The number of a row among all.
  [[nodiscard]] std::uint32_t global(Row row) const { return global_[row]; }

 private:
  struct Part {
    PartRows* parts;
    std::size_t part;
  };
  template <class OuterRow>
  struct Outer {
    SubtreeRows<OuterRow>* set;
    std::span<const OuterRow> rows;
  };

  struct Ranks {
    bool is_ready = false;
    bool has_ties = false;
    bool is_circle = false;
    Numbers<Row> row_at;
    Numbers<Row> place;
    Numbers<Row> level;
    Numbers<std::uint8_t> far;
  };

  void start(std::size_t n_rows) {
    n_rows_ = n_rows;
    global_.resize(capacity_);
    for (Ranks& ranks : columns_) {
      ranks.is_ready = false;
    }
  }

  void make_ready(std::size_t column, Ranks& ranks) {
    ranks.row_at.resize(room());
    ranks.place.resize(room());
    std::visit([&](const auto& source) { rank(column, ranks, source); }, source_);
    ranks.is_ready = true;
  }
  void rank(std::size_t column, Ranks& ranks, const RankedColumns* columns) {
    const ColumnOrder<std::uint32_t> order = columns->order(column);
    set_order(ranks, std::span(order.row_at, n_rows_), [](std::uint32_t row) { return row; });
    copy_values(ranks, order, global_);
  }
  void rank(std::size_t column, Ranks& ranks, const Part& source) {
    source.parts->with_sorted(column, source.part, [&](auto sorted) {
      set_order(ranks, sorted, [](auto row) { return row; });
    });
    copy_values(ranks, source.parts->columns().order(column), global_);
  }
  template <class OuterRow>
  void rank(std::size_t column, Ranks& ranks, const Outer<OuterRow>& source) {
    const RankView<OuterRow> outer = source.set->column(column);
    set_order(ranks, source.set->sort(source.rows, outer),
              [&](OuterRow row) { return local_[row]; });
    copy_values(ranks, ColumnOrder<OuterRow>(outer), source.rows);
  }

  template <class OuterRow, class Local>
  void set_order(Ranks& ranks, std::span<const OuterRow> sorted, Local local) {
    for (std::size_t place = 0; place < sorted.size(); ++place) {
      const auto row = static_cast<Row>(local(sorted[place]));
      ranks.row_at[place] = row;
      ranks.place[row] = static_cast<Row>(place);
    }
  }

  /// Which rows are of equal value, and on which half of a circle. `outer_rows` tells the rows' numbers in `outer`.
  template <class OuterRow, class OuterRows>
  void copy_values(Ranks& ranks, const ColumnOrder<OuterRow>& outer, const OuterRows& outer_rows) {
    ranks.has_ties = false;
    if (outer.level != nullptr) {
      ranks.level.resize(room());
      Row level = 0;
      OuterRow outer_level = 0;
      for (std::size_t place = 0; place < n_rows_; ++place) {
        const Row row = ranks.row_at[place];
        const OuterRow next_level = outer.level[outer_rows[row]];
        const bool is_tie = place > 0 && next_level == outer_level;
        ranks.has_ties = ranks.has_ties || is_tie;
        level = static_cast<Row>(level + (is_tie ? 0 : 1));
        ranks.level[row] = level;
        outer_level = next_level;
      }
    }
    ranks.is_circle = outer.is_circle();
    if (ranks.is_circle) {
      ranks.far.resize(room());
      for (std::size_t row = 0; row < n_rows_; ++row) {
        ranks.far[row] = outer.far[outer_rows[row]];
      }
    }
  }

  /// Whole words of the sorter's bitmap are read, so there is room for whole words.
  [[nodiscard]] std::size_t room() const { return (capacity_ + 63) / 64 * 64; }

  std::size_t capacity_;
  std::size_t n_rows_ = 0;
  std::variant<const RankedColumns*, Part, Outer<std::uint32_t>, Outer<std::uint16_t>> source_;
  /// The numbers of the rows here, by their numbers in the outer set.
  Numbers<Row> local_;
  Numbers<std::uint32_t> global_;
  RowSorter<Row> sorter_;
  std::vector<Ranks> columns_;
};

/// For parts of more rows than two bytes can number; what is below them uses SmallRows.
using LargeRows = SubtreeRows<std::uint32_t>;
using SmallRows = SubtreeRows<std::uint16_t>;

}  // namespace bentwood
