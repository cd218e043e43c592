#include "bentwood/grow/sorted_columns.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "bentwood/base/random.hpp"

namespace bentwood {
namespace {

using Rows = std::vector<std::uint32_t>;

Rows rows_of(const SortedColumns& columns, std::size_t column, std::size_t begin, std::size_t end) {
  const auto rows = columns.rows(column, begin, end);
  return {rows.begin(), rows.end()};
}

// Ranges are divided at random until they are small; each is then what sorting its rows anew would give, in every column.
TEST(SortedColumns, stay_as_if_every_node_were_sorted_anew) {
  for (const std::size_t n_rows : {1U, 2U, 31U, 32U, 33U, 500U, 3000U}) {
    Random random(n_rows);
    constexpr std::size_t n_columns = 4;
    Matrix values(n_rows, n_columns);
    for (std::size_t row = 0; row < n_rows; ++row) {
      for (std::size_t column = 0; column < n_columns; ++column) {
        // Half of the columns have many ties.
        values(row, column) =
            column % 2 == 0 ? random.normal() : static_cast<double>(random.below(5));
      }
    }
    const RankedColumns ranked(values, std::vector<Column>(n_columns));
    SortedColumns sorted(ranked);
    // One object serves tree after tree.
    for (int tree = 0; tree < 3; ++tree) {
      std::vector<std::uint32_t> drawn((n_rows + 31) / 32, 0);
      Rows all;
      for (std::uint32_t row = 0; row < n_rows; ++row) {
        if (tree == 0 || random.below(3) > 0) {
          drawn[row / 32] |= 1U << (row % 32);
          all.push_back(row);
        }
      }
      sorted.take(drawn);
      ASSERT_EQ(sorted.n_rows(), all.size());
      ASSERT_EQ(sorted.n_columns(), n_columns);
      std::vector<std::pair<std::size_t, Rows>> open{{0, all}};
      while (!open.empty()) {
        auto [begin, expected] = std::move(open.back());
        open.pop_back();
        const std::size_t end = begin + expected.size();
        for (std::size_t column = 0; column < n_columns; ++column) {
          Rows found = rows_of(sorted, column, begin, end);
          ASSERT_TRUE(std::ranges::is_sorted(
              found, {}, [&, column = column](std::uint32_t row) { return values(row, column); }));
          std::ranges::sort(found);
          ASSERT_EQ(found, expected);
        }
        if (expected.size() < 2) {
          continue;
        }
        const std::uint64_t key = random.bits();
        const bool all_left = random.below(20) == 0;
        const auto is_left = [&](std::uint32_t row) {
          return all_left || Random(key, row).below(3) == 0;
        };
        const Rows before = rows_of(sorted, 1, begin, end);
        const std::size_t n_left = sorted.divide(begin, end, is_left);
        Rows kept = before;
        std::ranges::stable_partition(kept, is_left);
        ASSERT_EQ(rows_of(sorted, 1, begin, end), kept);
        const auto middle = std::ranges::stable_partition(expected, is_left).begin();
        ASSERT_EQ(n_left, static_cast<std::size_t>(middle - expected.begin()));
        if (n_left < expected.size()) {
          open.emplace_back(begin, Rows(expected.begin(), middle));
          open.emplace_back(begin + n_left, Rows(middle, expected.end()));
        }
      }
    }
  }
}

}  // namespace
}  // namespace bentwood
