#include "bentwood/linear/horosphere_newton.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "bentwood/linear/horosphere_svm.hpp"
#include "svm_problem.hpp"

namespace bentwood {
namespace {

/// Signs and costs as MarginRows wants them, filled up with rows that cost nothing.
struct Rows {
  explicit Rows(const SvmProblem& problem)
      : signs(problem.signs.begin(), problem.signs.end()),
        costs(problem.weights.begin(), problem.weights.end()) {
    signs.resize(problem.points.stride(), 1);
    costs.resize(problem.points.stride(), 0);
  }
  std::vector<double> signs;
  std::vector<double> costs;
};

std::vector<double> random_direction(Random& random, std::size_t dim) {
  std::vector<double> direction(dim);
  for (double& component : direction) {
    component = random.normal();
  }
  normalise(direction);
  return direction;
}

/// Vectors that are orthonormal with a given one, by Gram and Schmidt.
std::vector<double> tangents_at(std::span<const double> ideal, Random& random) {
  const std::size_t dim = ideal.size();
  std::vector<double> basis(ideal.begin(), ideal.end());
  while (basis.size() < dim * dim) {
    std::vector<double> next = random_direction(random, dim);
    for (std::size_t first = 0; first < basis.size(); first += dim) {
      const double share = std::inner_product(next.begin(), next.end(), &basis[first], 0.0);
      for (std::size_t axis = 0; axis < dim; ++axis) {
        next[axis] -= share * basis[first + axis];
      }
    }
    normalise(next);
    basis.insert(basis.end(), next.begin(), next.end());
  }
  basis.erase(basis.begin(), basis.begin() + static_cast<std::ptrdiff_t>(dim));
  return basis;
}

/// From the definition: the objective at w + Σ t_k e_k, scaled to length 1, with the manifold's own Busemann functions.
double objective(const SvmProblem& problem, std::span<const double> ideal,
                 std::span<const double> tangents, std::span<const double> x) {
  const std::size_t dim = ideal.size();
  std::vector<double> moved(ideal.begin(), ideal.end());
  for (std::size_t tangent = 0; tangent + 1 < dim; ++tangent) {
    for (std::size_t axis = 0; axis < dim; ++axis) {
      moved[axis] += x[tangent] * tangents[tangent * dim + axis];
    }
  }
  normalise(moved);
  const double slope = x[dim - 1];
  const double offset = x[dim];
  const std::vector<double> levels = problem.manifold.busemann(problem.vectors, moved);
  double sum = 0.5 * slope * slope;
  for (std::size_t row = 0; row < levels.size(); ++row) {
    const double shortfall = 1 + problem.signs[row] * (slope * levels[row] + offset);
    sum += problem.weights[row] * std::pow(std::max(0.0, shortfall), 2);
  }
  return sum;
}

TEST(HorosphereQuadratic, has_the_derivatives_that_finite_differences_have) {
  Random random(1);
  for (const std::size_t dim : {2U, 3U, 4U}) {
    for (int trial = 0; trial < 20; ++trial) {
      const SvmProblem problem(41, dim, 7 + static_cast<std::uint64_t>(trial));
      const Rows rows(problem);
      const std::vector<double> ideal = random_direction(random, dim);
      const std::vector<double> tangents = tangents_at(ideal, random);
      std::vector<double> x(dim + 1, 0.0);
      x[dim - 1] = (trial % 2 == 0 ? 1 : -1) * (0.2 + random.uniform());
      x[dim] = random.normal();
      const HorosphereQuadratic found = horosphere_quadratic(problem.points, rows.signs, rows.costs,
                                                             ideal, tangents, x[dim - 1], x[dim]);
      const auto at = [&](std::size_t first, double by, std::size_t second, double also) {
        std::vector<double> moved = x;
        moved[first] += by;
        moved[second] += also;
        return objective(problem, ideal, tangents, moved);
      };
      const double size = found.value;
      EXPECT_NEAR(found.value, at(0, 0, 0, 0), 1e-12 * size);
      // Second differences see a kink of the second derivative where a row comes to its margin: a small step, and what it costs.
      constexpr double step = 1e-5;
      for (std::size_t j = 0; j <= dim; ++j) {
        EXPECT_NEAR(found.gradient[j], (at(j, step, j, 0) - at(j, -step, j, 0)) / (2 * step),
                    1e-7 * size);
        for (std::size_t k = j; k <= dim; ++k) {
          const double second = (at(j, step, k, step) - at(j, step, k, -step) -
                                 at(j, -step, k, step) + at(j, -step, k, -step)) /
                                (4 * step * step);
          EXPECT_NEAR(found.hessian[j][k], second, 1e-3 * size) << "dim " << dim;
        }
      }
    }
  }
}

// L-BFGS from the same start is the oracle; the valleys that they end in may differ now and then.
TEST(HorosphereNewton, ends_as_low_as_quasi_newton_steps_in_far_fewer) {
  std::size_t n_newton = 0;
  std::size_t n_quasi = 0;
  std::size_t n_higher = 0;
  for (const std::size_t dim : {2U, 3U, 4U}) {
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
      const SvmProblem problem(40 + 5 * seed, dim, seed);
      const double cost = std::exp2(static_cast<double>(seed % 9) - 3);
      HorosphereSvmOptions options{.cost = cost,
                                   .balance = seed % 2 == 0 ? 0 : 0.9,
                                   .side = PositiveSide::inside,
                                   .n_restarts = 0,
                                   .tolerance = 1e-9};
      const Horosphere quasi = horosphere_svm(problem.points, problem.rows, problem.signs,
                                              problem.weights, options, Random(1));
      options.newton_tolerance = 1e-12;
      const Horosphere newton = horosphere_svm(problem.points, problem.rows, problem.signs,
                                               problem.weights, options, Random(1));
      EXPECT_TRUE(newton.converged);
      n_newton += newton.n_iterations;
      n_quasi += quasi.n_iterations;
      n_higher += newton.margin.objective > quasi.margin.objective * (1 + 1e-6) ? 1 : 0;
    }
  }
  EXPECT_LE(n_higher, 9U);
  EXPECT_LT(2 * n_newton, n_quasi);
  RecordProperty("higher", std::to_string(n_higher));
  RecordProperty("newton", std::to_string(n_newton));
  RecordProperty("quasi", std::to_string(n_quasi));
}

TEST(HorosphereNewton, ends_where_every_derivative_is_nothing) {
  for (const std::size_t dim : {2U, 3U, 4U}) {
    const SvmProblem problem(100, dim, 3);
    const Rows rows(problem);
    Random random(dim);
    std::vector<double> ideal = random_direction(random, dim);
    Margin margin{.slope = 0.5};
    HorosphereNewton newton;
    newton.assign(problem.points, rows.signs, rows.costs);
    const NewtonResult result = newton.minimise(ideal, margin, {.tolerance = 1e-15});
    EXPECT_TRUE(result.converged);
    EXPECT_GT(margin.slope, 0);
    EXPECT_NEAR(std::inner_product(ideal.begin(), ideal.end(), ideal.begin(), 0.0), 1, 1e-12);
    const HorosphereQuadratic at =
        horosphere_quadratic(problem.points, rows.signs, rows.costs, ideal,
                             tangents_at(ideal, random), margin.slope, margin.offset);
    EXPECT_EQ(at.value, margin.objective);
    for (std::size_t index = 0; index <= dim; ++index) {
      EXPECT_NEAR(at.gradient[index], 0, 1e-6 * at.value);
    }
  }
}

// At distance 340 the pull of a point straight ahead is 1e295: what overflows stops the descent and spoils nothing.
TEST(HorosphereNewton, survives_points_at_the_rim) {
  SvmProblem problem(40, 2, 5);
  for (std::size_t row = 0; row < 40; ++row) {
    const double length = std::hypot(problem.vectors(row, 0), problem.vectors(row, 1));
    for (double& value : problem.vectors.row(row)) {
      value *= 340 / length;
    }
  }
  problem.points = PolarPoints(problem.manifold, problem.vectors);
  const HorosphereSvmOptions options{.side = PositiveSide::inside, .newton_tolerance = 1e-3};
  const Horosphere found = horosphere_svm(problem.points, problem.rows, problem.signs,
                                          problem.weights, options, Random(1));
  EXPECT_TRUE(std::isfinite(found.margin.objective));
  EXPECT_NEAR(std::hypot(found.ideal[0], found.ideal[1]), 1, 1e-12);
}

}  // namespace
}  // namespace bentwood
