#include "bentwood/linear/horosphere_svm.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "bentwood/base/error.hpp"

#include "svm_problem.hpp"

namespace bentwood {
namespace {

std::vector<double> random_direction(Random& random, std::size_t dim) {
  std::vector<double> direction(dim);
  for (double& component : direction) {
    component = random.normal();
  }
  normalise(direction);
  return direction;
}

/// Rows as MarginRows wants them: filled up with rows that cost nothing.
std::vector<double> padded(std::span<const double> values, std::size_t size, double rest) {
  std::vector<double> result(values.begin(), values.end());
  result.resize(size, rest);
  return result;
}

TEST(PolarPoints, levels_are_busemann_functions_at_any_curvature_and_distance) {
  Random random(1);
  for (const double curvature : {-1.0, -0.25, -9.0}) {
    for (const double scale : {1e-9, 0.1, 1.0, 20.0, 50.0}) {
      SvmProblem problem(50, 3, 7, curvature);
      for (std::size_t row = 0; row < 50; ++row) {
        for (double& value : problem.vectors.row(row)) {
          value *= scale;
        }
      }
      const PolarPoints points(problem.manifold, problem.vectors);
      const std::vector<double> ideal = random_direction(random, 3);
      std::vector<double> levels(points.stride());
      std::vector<double> pulls(points.stride());
      busemann_levels(points, ideal, levels, pulls);
      const std::vector<double> expected = problem.manifold.busemann(problem.vectors, ideal);
      for (std::size_t row = 0; row < 50; ++row) {
        const double radius = points.radius()[row];
        EXPECT_NEAR(levels[row], expected[row] * std::sqrt(-curvature), 1e-13 * radius);
      }
    }
  }
}

TEST(PolarPoints, the_origin_is_on_level_zero_and_other_factors_are_refused) {
  const Manifold manifold("E1 x H2", Coordinates::tangent);
  const Matrix rows(1, 3);
  const PolarPoints points(manifold, rows, 1);
  std::vector<double> levels(points.stride());
  std::vector<double> pulls(points.stride());
  busemann_levels(points, std::vector<double>{0.6, 0.8}, levels, pulls);
  EXPECT_EQ(levels[0], 0);
  EXPECT_EQ(pulls[0], 0);
  try {
    const PolarPoints wrong(manifold, rows, 0);
    FAIL();
  } catch (const InvalidInput& error) {
    EXPECT_STREQ(error.what(), "factor 1 of E1 x H2 is not hyperbolic: it has no horospheres");
  }
}

TEST(HorosphereObjective, gradient_is_that_of_finite_differences) {
  Random random(3);
  for (const std::size_t dim : {1U, 2U, 5U}) {
    for (const double rounding : {0.0, 0.5}) {
      const SvmProblem problem(40, dim, dim);
      const std::vector<double> signs = padded(problem.signs, problem.points.stride(), 1);
      const std::vector<double> costs = padded(problem.weights, problem.points.stride(), 0);
      HorosphereObjective objective;
      objective.assign(problem.points, signs, costs);
      std::vector<double> ideal(dim);
      std::vector<double> gradient(dim + 2);
      std::vector<double> unused(dim + 2);
      for (int trial = 0; trial < 10; ++trial) {
        std::vector<double> x(dim + 2);
        for (double& value : x) {
          value = random.normal();
        }
        const double sign = trial % 2 == 0 ? 1 : -1;
        const double value = free_objective(objective, x, sign, rounding, ideal, gradient);
        for (std::size_t index = 0; index < x.size(); ++index) {
          const double step = 1e-6;
          std::vector<double> up = x;
          std::vector<double> down = x;
          up[index] += step;
          down[index] -= step;
          const double slope = (free_objective(objective, up, sign, rounding, ideal, unused) -
                                free_objective(objective, down, sign, rounding, ideal, unused)) /
                               (2 * step);
          EXPECT_NEAR(gradient[index], slope, 1e-5 * (1 + std::abs(value)));
        }
      }
    }
  }
}

TEST(HorosphereObjective, is_the_formula_with_manifold_busemann) {
  const SvmProblem problem(30, 3, 5);
  const std::vector<double> signs = padded(problem.signs, problem.points.stride(), 1);
  const std::vector<double> costs = padded(problem.weights, problem.points.stride(), 0);
  HorosphereObjective objective;
  objective.assign(problem.points, signs, costs);
  const std::vector<double> ideal{0.48, 0.6, 0.64};
  const std::vector<double> levels = problem.manifold.busemann(problem.vectors, ideal);
  double expected = 0.5 * 0.7 * 0.7;
  for (std::size_t row = 0; row < 30; ++row) {
    const double score = -0.7 * levels[row] - 0.3;
    const double shortfall = std::max(0.0, 1 - signs[row] * score);
    expected += costs[row] * shortfall * shortfall;
  }
  std::vector<double> memory(3);
  HorosphereObjective::Gradient gradient{.ideal = memory};
  EXPECT_NEAR(objective.evaluate(ideal, 0.7, 0.3, 0, gradient), expected, 1e-12 * expected);
}

struct Setting {
  MarginLoss loss;
  double cost;
  double balance;
  PositiveSide side;
};

class HorosphereSvmOf : public testing::TestWithParam<Setting> {};
INSTANTIATE_TEST_SUITE_P(
    settings, HorosphereSvmOf,
    testing::Values(Setting{MarginLoss::squared_hinge, 1, 0, PositiveSide::either},
                    Setting{MarginLoss::squared_hinge, 10, 0.9, PositiveSide::inside},
                    Setting{MarginLoss::squared_hinge, 0.01, 1, PositiveSide::either},
                    Setting{MarginLoss::hinge, 1, 0, PositiveSide::either},
                    Setting{MarginLoss::hinge, 8, 0.99, PositiveSide::inside}));

// The oracle: 720 ideal points around the circle, for each the exact slope and offset.
TEST_P(HorosphereSvmOf, is_as_good_in_the_plane_as_a_fine_grid_over_the_circle) {
  const Setting setting = GetParam();
  std::size_t n_worse = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const SvmProblem problem(60, 2, 100 + seed);
    const HorosphereSvmOptions options{.cost = setting.cost,
                                       .loss = setting.loss,
                                       .balance = setting.balance,
                                       .side = setting.side};
    const Horosphere found = horosphere_svm(problem.points, problem.rows, problem.signs,
                                            problem.weights, options, Random(seed));
    double totals[2] = {0, 0};
    for (std::size_t row = 0; row < 60; ++row) {
      totals[problem.signs[row] > 0] += problem.weights[row];
    }
    std::vector<double> costs(problem.points.stride(), 0);
    for (std::size_t row = 0; row < 60; ++row) {
      costs[row] = setting.cost * problem.weights[row] *
                   balanced_weight(setting.balance, totals[problem.signs[row] > 0]);
    }
    const std::vector<double> signs = padded(problem.signs, problem.points.stride(), 1);
    HorosphereObjective objective;
    objective.assign(problem.points, signs, costs);
    MarginSolver solver;
    double least = std::numeric_limits<double>::infinity();
    for (int turn = 0; turn < 720; ++turn) {
      const double angle = 2 * M_PI * turn / 720;
      const std::vector<double> ideal{std::cos(angle), std::sin(angle)};
      least = std::min(least,
                       solver.solve(objective.rows(ideal), setting.loss, setting.side).objective);
    }
    n_worse += found.margin.objective > least * 1.001 ? 1 : 0;
    EXPECT_LT(found.margin.objective, least * 1.02) << "seed " << seed;
    const Margin again = solver.solve(objective.rows(found.ideal), setting.loss, setting.side);
    EXPECT_DOUBLE_EQ(found.margin.objective, again.objective);
  }
  EXPECT_LE(n_worse, 2U);
}

double apart(const Horosphere& a, const Horosphere& b) {
  double largest = std::max(std::abs(a.margin.slope - b.margin.slope),
                            std::abs(a.margin.offset - b.margin.offset));
  for (std::size_t axis = 0; axis < a.ideal.size(); ++axis) {
    largest = std::max(largest, std::abs(a.ideal[axis] - b.ideal[axis]));
  }
  return largest;
}

constexpr HorosphereSvmOptions tight{.max_iterations = 1000, .tolerance = 1e-11};

TEST(HorosphereSvm, scaling_space_and_curvature_changes_nothing) {
  for (const std::size_t dim : {1U, 2U, 4U}) {
    const SvmProblem one(80, dim, 7, -1);
    const SvmProblem other(80, dim, 7, -1.0 / 16);
    const auto solve = [](const SvmProblem& problem) {
      return horosphere_svm(problem.points, problem.rows, problem.signs, problem.weights, tight,
                            Random(1));
    };
    EXPECT_LT(apart(solve(one), solve(other)), 1e-9);
  }
}

TEST(HorosphereSvm, a_row_twice_is_weight_two_and_order_does_not_matter) {
  const SvmProblem problem(60, 3, 21);
  const Horosphere weighted = horosphere_svm(problem.points, problem.rows, problem.signs,
                                             problem.weights, tight, Random(1));
  std::vector<std::uint32_t> rows;
  std::vector<double> signs;
  for (std::size_t row = 60; row-- > 0;) {
    for (int copy = 0; copy < static_cast<int>(problem.weights[row]); ++copy) {
      rows.push_back(static_cast<std::uint32_t>(row));
      signs.push_back(problem.signs[row]);
    }
  }
  const Horosphere repeated = horosphere_svm(problem.points, rows, signs, {}, tight, Random(1));
  EXPECT_LT(apart(weighted, repeated), 1e-8);
}

TEST(HorosphereSvm, rows_of_weight_zero_are_not_there) {
  const SvmProblem problem(60, 3, 22);
  std::vector<double> weights(60, 1);
  std::vector<std::uint32_t> rows;
  std::vector<double> signs;
  for (std::uint32_t row = 0; row < 60; ++row) {
    if (row % 4 == 0) {
      weights[row] = 0;
    } else {
      rows.push_back(row);
      signs.push_back(problem.signs[row]);
    }
  }
  const Horosphere weighted =
      horosphere_svm(problem.points, problem.rows, problem.signs, weights, {}, Random(1));
  const Horosphere without = horosphere_svm(problem.points, rows, signs, {}, {}, Random(1));
  EXPECT_EQ(apart(weighted, without), 0);
}

TEST(HorosphereSvm, other_names_for_the_sides_turn_the_score_around) {
  const SvmProblem problem(70, 3, 23);
  std::vector<double> turned = problem.signs;
  for (double& sign : turned) {
    sign = -sign;
  }
  const Horosphere one =
      horosphere_svm(problem.points, problem.rows, problem.signs, {}, tight, Random(1));
  Horosphere other = horosphere_svm(problem.points, problem.rows, turned, {}, tight, Random(1));
  other.margin.slope *= -1;
  other.margin.offset *= -1;
  EXPECT_LT(apart(one, other), 1e-8);
}

TEST(HorosphereSvm, one_side_alone_scores_itself) {
  const SvmProblem problem(10, 2, 1);
  const std::vector<double> positive(10, 1);
  const std::vector<double> negative(10, -1);
  const auto score = [&](const std::vector<double>& signs) {
    const Margin margin =
        horosphere_svm(problem.points, problem.rows, signs, {}, {}, Random(1)).margin;
    EXPECT_EQ(margin.slope, 0);
    return -margin.offset;
  };
  EXPECT_EQ(score(positive), 1);
  EXPECT_EQ(score(negative), -1);
}

TEST(BalancedWeight, goes_from_one_to_the_inverse_count) {
  EXPECT_EQ(balanced_weight(0, 50), 1);
  EXPECT_NEAR(balanced_weight(0.9, 3), 0.1 / (1 - 0.729), 1e-15);
  EXPECT_EQ(balanced_weight(1, 50), 0.02);
  EXPECT_NEAR(balanced_weight(1 - 1e-12, 50), 0.02, 1e-9);
}

}  // namespace
}  // namespace bentwood
