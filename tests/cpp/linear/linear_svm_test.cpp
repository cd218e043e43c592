#include "bentwood/linear/linear_svm.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <thread>

#include "bentwood/base/error.hpp"
#include "bentwood/base/parallel.hpp"
#include "bentwood/base/random.hpp"

namespace bentwood {
namespace {

/// Two clouds that overlap, with costs of which some are 0.
struct Problem {
  Problem(std::size_t n_rows, std::size_t dim, std::uint64_t seed, double cost = 3)
      : features(n_rows, dim) {
    Random random(seed);
    for (std::size_t row = 0; row < n_rows; ++row) {
      signs.push_back(random.uniform() < 0.4 ? 1 : -1);
      costs.push_back(row % 7 == 0 ? 0 : cost * random.uniform());
      for (std::size_t axis = 0; axis < dim; ++axis) {
        features(row, axis) = random.normal() + (axis < 3 ? signs.back() : 0);
      }
    }
  }
  [[nodiscard]] LinearRows rows() const { return {features, signs, costs}; }
  [[nodiscard]] double shortfall(std::size_t row, const std::vector<double>& weights) const {
    double score = 0;
    for (std::size_t axis = 0; axis < weights.size(); ++axis) {
      score += weights[axis] * features(row, axis);
    }
    return std::max(0.0, 1 - signs[row] * score);
  }
  [[nodiscard]] double objective(MarginLoss loss, const std::vector<double>& weights) const {
    double sum = 0;
    for (const double weight : weights) {
      sum += 0.5 * weight * weight;
    }
    for (std::size_t row = 0; row < signs.size(); ++row) {
      const double short_by = shortfall(row, weights);
      sum += costs[row] * (loss == MarginLoss::hinge ? short_by : short_by * short_by);
    }
    return sum;
  }
  Matrix features;
  std::vector<double> signs;
  std::vector<double> costs;
};

struct Size {
  std::size_t n_rows;
  std::size_t dim;
};

class LinearSvmOf : public testing::TestWithParam<Size> {};
// 130 and 200 features are solved by conjugate gradients, those of many rows after a sample of them.
INSTANTIATE_TEST_SUITE_P(sizes, LinearSvmOf,
                         testing::Values(Size{40, 1}, Size{300, 2}, Size{101, 4}, Size{500, 20},
                                         Size{50, 80}, Size{400, 200}, Size{2000, 130},
                                         Size{20'000, 3}));

// w = Σ α y f with α = 2 cost · shortfall is where the gradient vanishes, and the objective is convex.
TEST_P(LinearSvmOf, squared_hinge_has_no_gradient_left) {
  const Problem problem(GetParam().n_rows, GetParam().dim, 1);
  const LinearSvm found = newton_svm(problem.rows(), {.tolerance = 1e-10});
  EXPECT_TRUE(found.converged);
  EXPECT_NEAR(found.objective, problem.objective(MarginLoss::squared_hinge, found.weights),
              1e-12 * found.objective);
  double squared = 0;
  for (std::size_t axis = 0; axis < GetParam().dim; ++axis) {
    double sum = found.weights[axis];
    for (std::size_t row = 0; row < GetParam().n_rows; ++row) {
      const double multiplier = 2 * problem.costs[row] * problem.shortfall(row, found.weights);
      EXPECT_NEAR(found.multipliers[row], multiplier, 1e-9);
      sum -= multiplier * problem.signs[row] * problem.features(row, axis);
    }
    squared += sum * sum;
  }
  // The objective is above its minimum by half the squared gradient at most.
  EXPECT_LT(0.5 * squared, 1e-9 * found.objective);
}

// Weak duality: no weights have an objective below the dual's, so a closed gap is a proof.
TEST_P(LinearSvmOf, hinge_closes_the_gap_between_primal_and_dual) {
  const Problem problem(GetParam().n_rows, GetParam().dim, 2, 0.5);
  const LinearSvm found =
      linear_svm(problem.rows(), {.loss = MarginLoss::hinge, .tolerance = 1e-6});
  EXPECT_TRUE(found.converged);
  EXPECT_NEAR(found.objective, problem.objective(MarginLoss::hinge, found.weights),
              1e-12 * found.objective);
  std::vector<double> weights(GetParam().dim, 0);
  double dual = 0;
  for (std::size_t row = 0; row < GetParam().n_rows; ++row) {
    EXPECT_GE(found.multipliers[row], 0);
    EXPECT_LE(found.multipliers[row], problem.costs[row]);
    dual += found.multipliers[row];
    for (std::size_t axis = 0; axis < weights.size(); ++axis) {
      weights[axis] += found.multipliers[row] * problem.signs[row] * problem.features(row, axis);
    }
  }
  for (std::size_t axis = 0; axis < weights.size(); ++axis) {
    EXPECT_NEAR(weights[axis], found.weights[axis], 1e-9);
    dual -= 0.5 * weights[axis] * weights[axis];
  }
  EXPECT_LE(found.objective - dual, 1.1e-6 * found.objective);
}

class LinearSvmWith : public testing::TestWithParam<MarginLoss> {};
INSTANTIATE_TEST_SUITE_P(losses, LinearSvmWith,
                         testing::Values(MarginLoss::hinge, MarginLoss::squared_hinge));

TEST_P(LinearSvmWith, is_the_same_for_any_number_of_threads) {
  const Problem problem(30'000, 4, 3, 0.01);
  std::vector<std::vector<double>> found;
  for (const std::size_t n_threads : {1U, 2U, 7U}) {
    const ThreadLimit limit(n_threads);
    found.push_back(linear_svm(problem.rows(), {.loss = GetParam()}).weights);
  }
  EXPECT_EQ(found[0], found[1]);
  EXPECT_EQ(found[0], found[2]);
}

TEST_P(LinearSvmWith, a_row_that_costs_twice_is_two_rows) {
  const Problem once(60, 3, 4);
  Problem twice = once;
  std::vector<double> doubled(once.features.data(), once.features.data() + std::size_t{60} * 3);
  for (double& cost : twice.costs) {
    cost *= 2;
  }
  std::vector<double> numbers = doubled;
  numbers.insert(numbers.end(), doubled.begin(), doubled.end());
  const Matrix features(120, 3, numbers);
  std::vector<double> signs = once.signs;
  signs.insert(signs.end(), once.signs.begin(), once.signs.end());
  std::vector<double> costs = once.costs;
  costs.insert(costs.end(), once.costs.begin(), once.costs.end());
  const LinearSvmOptions options{.loss = GetParam(), .tolerance = 1e-11};
  const LinearSvm expected = linear_svm({features, signs, costs}, options);
  const LinearSvm found = linear_svm(twice.rows(), options);
  EXPECT_NEAR(found.objective, expected.objective, 1e-9 * expected.objective);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    EXPECT_NEAR(found.weights[axis], expected.weights[axis], 1e-4);
  }
}

TEST_P(LinearSvmWith, rows_of_zeros_only_cost) {
  Problem problem(20, 2, 5);
  for (std::size_t row = 0; row < 20; ++row) {
    problem.features(row, 0) = 0;
    problem.features(row, 1) = 0;
  }
  const LinearSvm found = linear_svm(problem.rows(), {.loss = GetParam()});
  double sum = 0;
  for (const double cost : problem.costs) {
    sum += cost;
  }
  EXPECT_EQ(found.weights, std::vector<double>(2, 0));
  EXPECT_DOUBLE_EQ(found.objective, sum);
}

TEST_P(LinearSvmWith, stops_when_it_is_told_to) {
  for (const std::size_t dim : {2U, 50U}) {
    const Problem problem(50'000, dim, 6);
    const InterruptCheck check([] { return true; });
    std::this_thread::sleep_for(std::chrono::milliseconds(25));  // it is not asked more often
    EXPECT_THROW((void)linear_svm(problem.rows(), {.loss = GetParam()}), Interrupted);
  }
}

// Rounding leaves nothing of the 1 in the Hessian 1 + 2 cost Σ f fᵀ, whose rows are equal then.
TEST(LinearSvmOfDependentFeatures, takes_any_cost) {
  Problem problem(100, 2, 8);
  for (std::size_t row = 0; row < 100; ++row) {
    problem.features(row, 1) = problem.features(row, 0);
    problem.costs[row] = 1e40;
  }
  const LinearSvm found = newton_svm(problem.rows(), {});
  EXPECT_NEAR(found.objective, problem.objective(MarginLoss::squared_hinge, found.weights),
              1e-12 * found.objective);
  EXPECT_NEAR(found.weights[0], found.weights[1], 1e-6);
  for (const double nearby : {0.999, 1.001}) {
    std::vector<double> moved = found.weights;
    moved[0] *= nearby;
    EXPECT_LT(found.objective, problem.objective(MarginLoss::squared_hinge, moved));
  }
}

// A row so far out that the others are lost in the rounding of its products: what is found is not the minimum, and says so.
TEST(LinearSvmOfFarRows, does_not_claim_a_minimum_that_rounding_hides) {
  Problem problem(1000, 200, 3);
  for (double& value : problem.features.row(1)) {
    value *= 1e8;
  }
  problem.signs[1] = -problem.signs[1];
  const LinearSvm found = newton_svm(problem.rows(), {});
  const LinearSvm without = newton_svm(Problem(1000, 200, 3).rows(), {});
  EXPECT_TRUE(without.converged);
  EXPECT_TRUE(!found.converged || found.objective < 2 * without.objective);
}

TEST(LinearSvmLimit, is_reported) {
  const Problem problem(2000, 5, 7);
  const LinearSvm found = linear_svm(
      problem.rows(), {.loss = MarginLoss::hinge, .tolerance = 1e-12, .max_iterations = 2});
  EXPECT_FALSE(found.converged);
  EXPECT_EQ(found.n_iterations, 2U);
}

}  // namespace
}  // namespace bentwood
