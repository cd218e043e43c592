#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "bentwood/base/matrix.hpp"
#include "bentwood/split/ranked_columns.hpp"

namespace bentwood {

/// The rows of a tree in the order of every column, kept while nodes are split: a node is the same range of places in all of them. For trees
/// whose nodes look at all columns: what RowSorter (split/sorted_rows.hpp) does anew for every node and column is here done once
/// for all columns, by a pass over the node's rows a column; 4 bytes a row and column.
class SortedColumns {
 public:
  /// The columns must be lines, and outlive this object.
  explicit SortedColumns(const RankedColumns& columns);

  /// Begins a tree of the rows whose bits are set: bit r % 32 of word r / 32 for row r.
  void take(std::span<const std::uint32_t> drawn);

  [[nodiscard]] std::size_t n_columns() const { return rows_.size(); }
  /// The rows of the tree.
  [[nodiscard]] std::size_t n_rows() const { return n_rows_; }
  /// The rows of a node in ascending order of a column.
  [[nodiscard]] std::span<const std::uint32_t> rows(std::size_t column, std::size_t begin,
                                                    std::size_t end) const {
    return {rows_[column].data() + begin, end - begin};
  }

  /// Puts the rows of a node for which is_left(row) holds first, in every column; both parts keep their order. Returns their number.
  template <class IsLeft>
  std::size_t divide(std::size_t begin, std::size_t end, IsLeft is_left) {
    if (rows_.empty()) {
      return 0;
    }
    for (const std::uint32_t row : rows(0, begin, end)) {
      (is_left(row) ? left_ : right_)[row / 32] |= 1U << (row % 32);
    }
    return divide_marked(begin, end);
  }

 private:
  using Rows = std::vector<std::uint32_t, NumberAllocator<std::uint32_t>>;

  std::size_t divide_marked(std::size_t begin, std::size_t end);

  const RankedColumns& columns_;
  std::size_t n_rows_ = 0;
  std::vector<Rows> rows_;
  Rows spare_;
  /// The sides of the node's rows that are being told apart; all zero between calls.
  std::vector<std::uint32_t> left_;
  std::vector<std::uint32_t> right_;
};

}  // namespace bentwood
