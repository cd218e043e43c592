#include "bentwood/linear/margin.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "bentwood/base/error.hpp"
#include "bentwood/base/parallel.hpp"
#include "bentwood/base/random.hpp"

namespace bentwood {
namespace {

struct Rows {
  explicit Rows(std::uint64_t seed, std::size_t n_rows = 64) {
    Random random(seed);
    for (std::size_t row = 0; row < n_rows; ++row) {
      signs.push_back(random.uniform() < 0.4 ? 1 : -1);
      levels.push_back(2 * random.normal() - (seed % 2 == 0 ? 2.0 : -2.0) * signs.back());
      costs.push_back(row % 7 == 0 ? 0 : 3 * random.uniform());
    }
  }
  [[nodiscard]] MarginRows view() const { return {levels, signs, costs}; }
  [[nodiscard]] double objective(MarginLoss loss, double slope, double offset) const {
    double sum = 0.5 * slope * slope;
    for (std::size_t row = 0; row < levels.size(); ++row) {
      const double score = -slope * levels[row] - offset;
      const double shortfall = std::max(0.0, 1 - signs[row] * score);
      sum += costs[row] * (loss == MarginLoss::hinge ? shortfall : shortfall * shortfall);
    }
    return sum;
  }
  std::vector<double> levels;
  std::vector<double> signs;
  std::vector<double> costs;
};

class MarginOf : public testing::TestWithParam<MarginLoss> {};
INSTANTIATE_TEST_SUITE_P(losses, MarginOf,
                         testing::Values(MarginLoss::hinge, MarginLoss::squared_hinge));

// The objective is convex: a point that no step in any direction improves is its minimum.
TEST_P(MarginOf, cannot_be_improved_by_a_step_in_any_direction) {
  MarginSolver solver;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const Rows rows(seed);
    const Margin found = solver.solve(rows.view(), GetParam(), PositiveSide::either);
    EXPECT_NEAR(found.objective, rows.objective(GetParam(), found.slope, found.offset),
                1e-12 * found.objective);
    EXPECT_EQ(found.slope > 0, seed % 2 == 0);
    for (const double size : {1e-3, 0.1, 2.0}) {
      for (int turn = 0; turn < 32; ++turn) {
        const double angle = 2 * M_PI * turn / 32;
        EXPECT_GE(rows.objective(GetParam(), found.slope + size * std::cos(angle),
                                 found.offset + size * std::sin(angle)),
                  found.objective * (1 - 1e-10));
      }
    }
  }
}

TEST_P(MarginOf, positive_rows_inside_is_a_slope_of_at_least_zero) {
  MarginSolver solver;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Rows rows(seed);
    const Margin free = solver.solve(rows.view(), GetParam(), PositiveSide::either);
    const Margin inside = solver.solve(rows.view(), GetParam(), PositiveSide::inside);
    if (free.slope >= 0) {
      EXPECT_NEAR(inside.objective, free.objective, 1e-9 * free.objective);
    } else {
      EXPECT_EQ(inside.slope, 0);
      for (double offset = -3; offset < 3; offset += 0.01) {
        EXPECT_GE(rows.objective(GetParam(), 0, offset), inside.objective * (1 - 1e-12));
      }
    }
  }
}

TEST_P(MarginOf, rows_that_cost_nothing_do_not_count) {
  Rows rows(4);
  const Margin before = MarginSolver().solve(rows.view(), GetParam(), PositiveSide::either);
  for (std::size_t row = 0; row < rows.levels.size(); row += 7) {
    rows.levels[row] = 1e6;
  }
  const Margin after = MarginSolver().solve(rows.view(), GetParam(), PositiveSide::either);
  EXPECT_EQ(before.slope, after.slope);
  EXPECT_EQ(before.offset, after.offset);
}

TEST(MarginLoss, names_are_read_and_others_refused) {
  EXPECT_EQ(parse_margin_loss("hinge"), MarginLoss::hinge);
  EXPECT_EQ(parse_margin_loss("squared_hinge"), MarginLoss::squared_hinge);
  try {
    static_cast<void>(parse_margin_loss("log"));
    FAIL();
  } catch (const InvalidInput& error) {
    EXPECT_STREQ(error.what(), "loss is 'log', expected 'hinge' or 'squared_hinge'");
  }
}

// The hinge's bisection takes some hundred passes over the rows, each of which a user may end.
TEST(MarginSolver, stops_between_two_passes) {
  const Rows rows(2, 40'000);
  const InterruptCheck check([] { return true; });
  EXPECT_THROW((void)MarginSolver().solve(rows.view(), MarginLoss::hinge, PositiveSide::either),
               Interrupted);
}

}  // namespace
}  // namespace bentwood
