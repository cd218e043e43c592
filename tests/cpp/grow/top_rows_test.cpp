#include "bentwood/grow/top_rows.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "bentwood/base/random.hpp"

namespace bentwood {
namespace {

constexpr std::size_t n_rows = 3000;
constexpr std::size_t n_columns = 3;

Matrix random_values(Random& random) {
  Matrix values(n_rows, n_columns);
  for (std::size_t row = 0; row < n_rows; ++row) {
    for (double& value : values.row(row)) {
      value = random.normal();
    }
  }
  return values;
}

/// Cuts a list of rows by lot, over and over, and looks at every part along some column.
class Top {
 public:
  Top() {
    for (std::uint32_t row = 0; row < n_rows; ++row) {
      if (row % 3 != 0) {
        rows_.push_back(row);
      }
    }
  }

  void visit_all() {
    top_.start();
    visit({0, rows_.size()});
  }
  /// How many times what was wanted has been read.
  [[nodiscard]] double read_for_one() const {
    return static_cast<double>(n_read_) / static_cast<double>(n_wanted_);
  }

 private:
  void visit(RowRange range) {
    look(range);
    if (range.size() >= 20) {
      const std::size_t middle = range.begin + 1 + random_.below(range.size() - 1);
      visit({range.begin, middle});
      visit({middle, range.end});
    }
  }
  void look(RowRange range) {
    const auto rows = std::span<const std::uint32_t>(rows_).subspan(range.begin, range.size());
    top_.enter(range, rows);
    node_.assign(rows);
    const std::size_t column = random_.below(n_columns);
    const ColumnOrder<std::uint32_t> order = top_.order(column);
    std::vector<std::uint32_t> expected(rows.begin(), rows.end());
    std::ranges::sort(expected, {}, [&](std::uint32_t row) { return values_(row, column); });
    ASSERT_TRUE(std::ranges::equal(sorter_.sort(rows, order), expected));
    n_read_ += order.n_rows;
    n_wanted_ += rows.size();
  }

  Random random_{5};
  Matrix values_ = random_values(random_);
  std::vector<Column> columns_ = std::vector<Column>(n_columns);
  RankedColumns ranked_{values_, columns_};
  std::vector<std::uint32_t> rows_;
  RowBits node_{n_rows};
  TopColumns top_{ranked_};
  TopRows sorter_{ranked_, top_, node_};
  std::size_t n_read_ = 0;
  std::size_t n_wanted_ = 0;
};

TEST(TopRows, are_those_of_the_node_in_order) {
  Top top;
  top.visit_all();
  top.visit_all();
}

TEST(TopRows, are_at_least_a_fourth_of_what_is_read) {
  Top top;
  top.visit_all();
  EXPECT_LE(top.read_for_one(), 4);
}

}  // namespace
}  // namespace bentwood
