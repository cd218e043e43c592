#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
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
  [[nodiscard]] bool contains(const RowRange& other) const {
    return begin <= other.begin && other.end <= end;
  }
};

/// The parts that a tree is grown in, each with its rows renumbered from 0. One pass over a column of all rows sorts it
/// in all parts: 1 to 5 ns a row, by how much of the table of rows a cache holds.
class PartRows {
  static constexpr unsigned row_bits = 18;

 public:
  static constexpr std::size_t most_rows = std::size_t{1} << row_bits;
  /// Parts of up to as many rows take half the memory.
  static constexpr std::size_t most_short_rows = std::numeric_limits<std::uint16_t>::max();
  static constexpr std::size_t most_parts = (std::size_t{1} << (32 - row_bits)) - 1;

  explicit PartRows(const RankedColumns& columns)
      : columns_(columns),
        slots_(columns.n_rows()),
        sorted_(columns.size()),
        short_sorted_(columns.size()) {}

  [[nodiscard]] const RankedColumns& columns() const { return columns_; }

  /// At most `most_parts` parts of at most `most_rows` of these rows, which must outlive their use. No two overlap.
  void share_out(std::span<const std::uint32_t> rows, std::span<const RowRange> parts);

  /// The rows of a part, by their numbers among all.
  [[nodiscard]] std::span<const std::uint32_t> rows(std::size_t part) const {
    return rows_.subspan(parts_[part].begin, parts_[part].size());
  }

  /// Calls use(sorted) with the rows of a part in ascending order of a column, by their numbers in the part: in two
  /// bytes each where that is enough for all parts, else in four. Safe to ask from several threads.
  template <class Use>
  void with_sorted(std::size_t column, std::size_t part, Use use) {
    std::call_once(is_sorted_[column], [&] { sort(column); });
    const auto rows_of_part = [&](const auto& sorted) {
      return std::span(sorted).subspan(parts_[part].begin, parts_[part].size());
    };
    if (is_short_) {
      use(rows_of_part(std::as_const(short_sorted_[column])));
    } else {
      use(rows_of_part(std::as_const(sorted_[column])));
    }
  }

 private:
  void sort(std::size_t column);
  template <class Row>
  void sort_into(std::size_t column, Numbers<Row>& sorted) const;

  const RankedColumns& columns_;
  std::span<const std::uint32_t> rows_;
  std::vector<RowRange> parts_;
  /// A row's part in the upper bits, and its number there.
  Numbers<std::uint32_t> slots_;
  bool is_short_ = false;
  std::vector<Numbers<std::uint32_t>> sorted_;
  std::vector<Numbers<std::uint16_t>> short_sorted_;
  std::unique_ptr<std::once_flag[]> is_sorted_;
};

}  // namespace bentwood
