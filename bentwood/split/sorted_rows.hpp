#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "bentwood/base/matrix.hpp"
#include "bentwood/split/kernels.hpp"
#include "bentwood/split/ranked_columns.hpp"

namespace bentwood {

/// Sorts the rows of a node along a column, over and over, without a comparison of values.
///
/// Few rows are ranked by counting (kernels.hpp). Many rows set the bits of their places in a bitmap of all
/// rows, and the bits are read back in order: 1 to 4 ns a row as long as the node is not too small a part
/// of the rows, which grow/row_sets.hpp sees to.
template <class Row>
class RowSorter {
 public:
  explicit RowSorter(std::size_t n_rows)
      : words_((n_rows + 63) / 64, 0),
        sorted_(n_rows + split_kernels::overrun),
        kept_(n_rows + split_kernels::overrun),
        keys_(),
        ranks_() {}

  /// The rows in ascending order of the column's places. Valid until the next call, unless they are kept.
  std::span<const Row> sort(std::span<const Row> rows, const RankView<Row>& column) {
    if constexpr (sizeof(Row) == 2) {
      if (rows.size() <= split_kernels::most_of_few) {
        return sort_few(rows, column);
      }
    } else if (rows.size() * 64 < words_.size()) {
      return sort_sparse(rows, column);
    }
    return sort_by_bitmap(rows, column);
  }
  /// Keeps what was sorted last, in place of what was kept before.
  void keep() { std::swap(sorted_, kept_); }
  [[nodiscard]] const Row* kept() const { return kept_.data(); }

 private:
  std::span<const Row> sort_few(std::span<const Row> rows, const RankView<Row>& column)
    requires(sizeof(Row) == 2)
  {
    const std::size_t n = rows.size();
    if (n == 2) {
      const bool in_order = column.place[rows[0]] < column.place[rows[1]];
      sorted_[0] = rows[in_order ? 0 : 1];
      sorted_[1] = rows[in_order ? 1 : 0];
      return {sorted_.data(), n};
    }
    for (std::size_t item = 0; item < n; ++item) {
      keys_[item] = column.place[rows[item]];
    }
    // What lies past the end is above every key; no place is this high.
    std::fill_n(keys_.begin() + static_cast<std::ptrdiff_t>(n),
                std::min<std::size_t>(32, keys_.size() - n), std::uint16_t{0xFFFF});
    split_kernels::kernels.rank_few(keys_.data(), n, ranks_.data());
    for (std::size_t item = 0; item < n; ++item) {
      sorted_[ranks_[item]] = rows[item];
    }
    return {sorted_.data(), n};
  }

  // A handful of rows among a million: reading the bitmap would cost more than sorting.
  std::span<const Row> sort_sparse(std::span<const Row> rows, const RankView<Row>& column) {
    std::copy(rows.begin(), rows.end(), sorted_.begin());
    const std::span<Row> result(sorted_.data(), rows.size());
    std::ranges::sort(result, {}, [&](Row row) { return column.place[row]; });
    return result;
  }

  std::span<const Row> sort_by_bitmap(std::span<const Row> rows, const RankView<Row>& column) {
    const std::size_t n_words = (column.n_rows + 63) / 64;
    if (n_words <= rows.size()) {
      for (const Row row : rows) {
        const std::size_t place = column.place[row];
        words_[place / 64] |= std::uint64_t{1} << (place % 64);
      }
      return read_bits(0, n_words, column);
    }
    // Few rows may lie close together: reading only between the lowest and the highest then pays.
    std::size_t lowest = n_words;
    std::size_t highest = 0;
    for (const Row row : rows) {
      const std::size_t place = column.place[row];
      const std::size_t word = place / 64;
      words_[word] |= std::uint64_t{1} << (place % 64);
      lowest = std::min(lowest, word);
      highest = std::max(highest, word);
    }
    return read_bits(lowest, highest + 1, column);
  }

  std::span<const Row> read_bits(std::size_t begin, std::size_t end, const RankView<Row>& column) {
    const auto read = [] {
      if constexpr (sizeof(Row) == 2) {
        return split_kernels::kernels.short_rows_at_bits;
      } else {
        return split_kernels::kernels.rows_at_bits;
      }
    }();
    return {sorted_.data(), read(words_.data(), begin, end, column.row_at, sorted_.data())};
  }

  // All zero between calls.
  std::vector<std::uint64_t> words_;
  std::vector<Row, NumberAllocator<Row>> sorted_;
  std::vector<Row, NumberAllocator<Row>> kept_;
  std::array<std::uint16_t, split_kernels::most_of_few> keys_;
  std::array<std::uint8_t, split_kernels::most_of_few> ranks_;
};

}  // namespace bentwood
