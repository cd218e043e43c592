#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "bentwood/base/matrix.hpp"
#include "bentwood/split/ranked_columns.hpp"

namespace bentwood {

template <class T>
using Numbers = std::vector<T, NumberAllocator<T>>;

/// Rows [begin, end) of a list.
struct RowRange {
  std::size_t begin = 0;
  std::size_t end = 0;

  [[nodiscard]] std::size_t size() const { return end - begin; }
};

/// The parts that a tree is grown in, each with its rows renumbered from 0. One pass over a column of all rows sorts it
/// in all parts: 1 to 5 ns a row, by how much of the table of rows a cache holds.
class PartRows {
  static constexpr unsigned row_bits = 18;

 public:
  static constexpr std::size_t most_rows = std::size_t{1} << row_bits;
  static constexpr std::size_t most_parts = (std::size_t{1} << (32 - row_bits)) - 1;

  explicit PartRows(const RankedColumns& columns)
      : columns_(columns), slots_(columns.n_rows()), sorted_(columns.size()) {}

  [[nodiscard]] const RankedColumns& columns() const { return columns_; }

  /// At most `most_parts` parts of at most `most_rows` of these rows, which must outlive their use. No two overlap.
  void share_out(std::span<const std::uint32_t> rows, std::span<const RowRange> parts);

  /// The rows of a part, by their numbers among all.
  [[nodiscard]] std::span<const std::uint32_t> rows(std::size_t part) const {
    return rows_.subspan(parts_[part].begin, parts_[part].size());
  }

  /// The rows of a part in ascending order of a column, by their numbers in the part. Safe to ask from several
  /// threads.
  [[nodiscard]] std::span<const std::uint32_t> sorted(std::size_t column, std::size_t part) {
    std::call_once(is_sorted_[column], [&] { sort(column); });
    return std::span<const std::uint32_t>(sorted_[column])
        .subspan(parts_[part].begin, parts_[part].size());
  }

 private:
  void sort(std::size_t column);

  const RankedColumns& columns_;
  std::span<const std::uint32_t> rows_;
  std::vector<RowRange> parts_;
  /// A row's part in the upper bits, and its number there.
  Numbers<std::uint32_t> slots_;
  std::vector<Numbers<std::uint32_t>> sorted_;
  std::unique_ptr<std::once_flag[]> is_sorted_;
};

}  // namespace bentwood
