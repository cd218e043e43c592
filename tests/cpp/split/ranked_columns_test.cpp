#include "bentwood/split/ranked_columns.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <numeric>
#include <vector>

#include "bentwood/base/random.hpp"
#include "bentwood/model/tree.hpp"
#include "bentwood/split/sorted_rows.hpp"

namespace bentwood {
namespace {

// Values that agree in their upper 32 bits, tiny ones, huge ones, both zeros.
Matrix awkward_values(std::size_t n_rows) {
  Random random(1);
  Matrix values(n_rows, 1);
  for (std::size_t row = 0; row < n_rows; ++row) {
    switch (random.below(5)) {
      case 0:
        values(row, 0) = 1 + 1e-14 * static_cast<double>(random.below(50));
        break;
      case 1:
        values(row, 0) = random.below(2) == 0 ? 0.0 : -0.0;
        break;
      case 2:
        values(row, 0) = random.normal() * 1e-310;
        break;
      case 3:
        values(row, 0) = random.normal() * 1e300;
        break;
      default:
        values(row, 0) = random.normal();
    }
  }
  return values;
}

TEST(RankedColumns, order_rows_by_value_and_tell_equal_ones) {
  const Matrix values = awkward_values(5000);
  const std::vector<Column> columns(1);
  const RankedColumns ranked(values, columns);
  const ColumnOrder<std::uint32_t> view = ranked.order(0);
  ASSERT_NE(view.level, nullptr);
  std::vector<bool> seen(values.n_rows());
  for (std::uint32_t place = 0; place < values.n_rows(); ++place) {
    const std::uint32_t row = view.row_at[place];
    ASSERT_FALSE(seen[row]);
    seen[row] = true;
    if (place > 0) {
      const std::uint32_t before = view.row_at[place - 1];
      ASSERT_LE(values(before, 0), values(row, 0));
      ASSERT_EQ(values(before, 0) == values(row, 0), view.level[before] == view.level[row]);
    }
  }
}

TEST(RankedColumns, fold_angles_onto_the_half_circle) {
  const double pi = std::numbers::pi;
  const Matrix values(5, 1, {0.5, -0.5, pi, -pi / 2, 0});
  std::vector<Column> columns(1);
  columns[0].kind = ColumnKind::circle;
  const RankedColumns ranked(values, columns);
  const ColumnOrder<std::uint32_t> view = ranked.order(0);
  // Turns: 0.5, π - 0.5, 0, π/2, 0.
  EXPECT_EQ(std::vector<int>(view.far, view.far + 5), (std::vector<int>{0, 1, 1, 1, 0}));
  EXPECT_EQ(view.level[2], view.level[4]);
  EXPECT_LT(view.level[4], view.level[0]);
  EXPECT_LT(view.level[0], view.level[3]);
  EXPECT_LT(view.level[3], view.level[1]);
}

TEST(RankedColumns, put_thresholds_in_the_middle_and_never_on_the_upper_value) {
  const double next = std::nextafter(1.0, 2.0);
  const Matrix values(4, 1, {1.0, next, 3.0, -1e308});
  const std::vector<Column> columns(1);
  const RankedColumns ranked(values, columns);
  EXPECT_EQ(ranked.threshold(0, 0, 2), 2.0);
  EXPECT_EQ(ranked.threshold(0, 0, 1), 1.0);
  EXPECT_TRUE(std::isfinite(ranked.threshold(0, 3, 2)));
  const Matrix far_apart(2, 1, {-1.7e308, 1.7e308});
  EXPECT_EQ(RankedColumns(far_apart, columns).threshold(0, 0, 1), 0.0);
}

class Sorting : public testing::TestWithParam<std::size_t> {};

TEST_P(Sorting, agrees_with_std_sort_for_any_part_of_the_rows) {
  const std::size_t n = 3000;
  Random random(GetParam());
  std::vector<std::uint32_t> row_at(n);
  std::iota(row_at.begin(), row_at.end(), 0U);
  random.shuffle(std::span(row_at));
  std::vector<std::uint32_t> place(n);
  for (std::uint32_t at = 0; at < n; ++at) {
    place[row_at[at]] = at;
  }
  row_at.resize(n + 64);
  const RankView<std::uint32_t> view{{n, row_at.data()}, place.data()};
  const std::vector<std::uint16_t> short_place(place.begin(), place.end());
  const std::vector<std::uint16_t> short_row_at(row_at.begin(), row_at.end());
  const RankView<std::uint16_t> short_view{{n, short_row_at.data()}, short_place.data()};
  RowSorter<std::uint32_t> sorter(n);
  RowSorter<std::uint16_t> short_sorter(n);
  for (int repetition = 0; repetition < 20; ++repetition) {
    std::vector<std::uint32_t> rows(n);
    std::iota(rows.begin(), rows.end(), 0U);
    random.shuffle(std::span(rows));
    rows.resize(GetParam());
    std::vector<std::uint32_t> expected = rows;
    std::ranges::sort(expected, {}, [&](std::uint32_t row) { return view.place[row]; });
    const auto sorted = sorter.sort(rows, view);
    EXPECT_EQ(std::vector<std::uint32_t>(sorted.begin(), sorted.end()), expected);
    const std::vector<std::uint16_t> short_rows(rows.begin(), rows.end());
    const auto short_sorted = short_sorter.sort(short_rows, short_view);
    EXPECT_EQ(std::vector<std::uint32_t>(short_sorted.begin(), short_sorted.end()), expected);
    std::vector<std::uint32_t> bits((n + 31) / 32);
    for (const std::uint32_t row : rows) {
      bits[row / 32] |= 1U << (row % 32);
    }
    std::vector<std::uint32_t> among(n + 64);
    among.resize(split_kernels::kernels.rows_among(row_at.data(), n, bits.data(), among.data()));
    EXPECT_EQ(among, expected);
  }
}

INSTANTIATE_TEST_SUITE_P(sizes, Sorting,
                         testing::Values(1, 2, 3, 16, 31, 32, 33, 63, 64, 65, 100, 500, 3000));

}  // namespace
}  // namespace bentwood
