#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "bentwood/grow/part_rows.hpp"
#include "bentwood/split/kernels.hpp"
#include "bentwood/split/ranked_columns.hpp"

namespace bentwood {

/// Some of all rows, a bit for each.
class RowBits {
 public:
  explicit RowBits(std::size_t n_rows) : words_((n_rows + 31) / 32, 0) {}

  void assign(std::span<const std::uint32_t> rows) {
    std::ranges::fill(words_, 0U);
    for (const std::uint32_t row : rows) {
      words_[row / 32] |= 1U << (row % 32);
    }
  }
  [[nodiscard]] bool contains(std::uint32_t row) const {
    return ((words_[row / 32] >> (row % 32)) & 1U) != 0;
  }
  [[nodiscard]] const std::uint32_t* words() const { return words_.data(); }

 private:
  std::vector<std::uint32_t> words_;
};

/// The columns that the top of a tree reads. Its nodes are large, so a node's rows are picked out of a whole column, which is
/// read in order. Where a node has a fourth of what it would read, its own rows are picked out once for all that is
/// below it: what is read is then at most four times what is wanted, and a third more is stored.
class TopColumns {
 public:
  explicit TopColumns(const RankedColumns& columns) : columns_(columns) {}

  void start() { n_tiers_ = 0; }
  /// Makes these rows the node that is looked at: `range` of a list in which nodes lie within their parents.
  void enter(RowRange range, std::span<const std::uint32_t> rows) {
    while (n_tiers_ > 0 && !tiers_[n_tiers_ - 1].range.contains(range)) {
      --n_tiers_;
    }
    const std::size_t n_read = n_tiers_ > 0 ? tiers_[n_tiers_ - 1].range.size() : columns_.n_rows();
    if (range.size() * 4 <= n_read) {
      add_tier(range, rows);
    }
  }
  /// The rows of the node, and perhaps others, in the order of a column. Safe to ask for several columns at a time.
  [[nodiscard]] ColumnOrder<std::uint32_t> order(std::size_t column) {
    ColumnOrder<std::uint32_t> order = columns_.order(column);
    for (std::size_t tier = 0; tier < n_tiers_; ++tier) {
      Numbers<std::uint32_t>& sorted = tiers_[tier].sorted[column];
      const std::size_t n_rows = tiers_[tier].range.size();
      if (sorted.empty()) {
        sorted.resize(n_rows + split_kernels::overrun);
        split_kernels::kernels.rows_among(order.row_at, order.n_rows, tiers_[tier].bits.words(),
                                          sorted.data());
      }
      order.row_at = sorted.data();
      order.n_rows = n_rows;
    }
    return order;
  }

 private:
  struct Tier {
    Tier(std::size_t n_rows, std::size_t n_columns) : bits(n_rows), sorted(n_columns) {}
    RowRange range{};
    RowBits bits;
    /// By column; empty until it is asked for.
    std::vector<Numbers<std::uint32_t>> sorted;
  };

  void add_tier(RowRange range, std::span<const std::uint32_t> rows) {
    if (n_tiers_ == tiers_.size()) {
      tiers_.emplace_back(columns_.n_rows(), columns_.size());
    }
    Tier& tier = tiers_[n_tiers_++];
    tier.range = range;
    tier.bits.assign(rows);
    for (Numbers<std::uint32_t>& sorted : tier.sorted) {
      sorted.clear();
    }
  }

  const RankedColumns& columns_;
  std::deque<Tier> tiers_;
  std::size_t n_tiers_ = 0;
};

/// The rows of a node of the top, for one thread.
class TopRows {
 public:
  using Row = std::uint32_t;

  /// `node` says which rows belong to the node at hand.
  TopRows(const RankedColumns& all, TopColumns& columns, const RowBits& node)
      : columns_(columns), node_(node), sorted_(all.n_rows() + split_kernels::overrun) {}

  [[nodiscard]] ColumnOrder<Row> column(std::size_t column) const { return columns_.order(column); }
  /// The node's rows in ascending order. Valid until the next call.
  std::span<const Row> sort(std::span<const Row> /*rows*/, const ColumnOrder<Row>& column) {
    return {sorted_.data(), split_kernels::kernels.rows_among(column.row_at, column.n_rows,
                                                              node_.words(), sorted_.data())};
  }

 private:
  TopColumns& columns_;
  const RowBits& node_;
  Numbers<Row> sorted_;
};

}  // namespace bentwood
