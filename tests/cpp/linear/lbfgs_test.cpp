#include "bentwood/linear/lbfgs.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace bentwood {
namespace {

TEST(Lbfgs, finds_the_bottom_of_rosenbrocks_valley) {
  const auto valley = [](std::span<const double> x, std::span<double> gradient) {
    const double across = x[1] - x[0] * x[0];
    gradient[0] = -2 * (1 - x[0]) - 400 * x[0] * across;
    gradient[1] = 200 * across;
    return (1 - x[0]) * (1 - x[0]) + 100 * across * across;
  };
  std::vector<double> x{-1.2, 1};
  Lbfgs lbfgs;
  const LbfgsResult result = lbfgs.minimise(valley, x, {200, 1e-10});
  EXPECT_TRUE(result.converged);
  EXPECT_LT(result.n_iterations, 60U);
  EXPECT_NEAR(x[0], 1, 1e-8);
  EXPECT_NEAR(x[1], 1, 1e-8);
}

TEST(Lbfgs, solves_a_badly_scaled_quadratic_in_more_variables_than_it_remembers) {
  const auto bowl = [](std::span<const double> x, std::span<double> gradient) {
    double sum = 0;
    for (std::size_t index = 0; index < x.size(); ++index) {
      const double scale = std::pow(10.0, static_cast<double>(index % 4));
      gradient[index] = scale * (x[index] - 1);
      sum += 0.5 * scale * (x[index] - 1) * (x[index] - 1);
    }
    return sum;
  };
  std::vector<double> x(20, -3);
  Lbfgs lbfgs;
  EXPECT_TRUE(lbfgs.minimise(bowl, x, {200, 1e-9}).converged);
  for (const double value : x) {
    EXPECT_NEAR(value, 1, 1e-8);
  }
}

TEST(Lbfgs, stops_when_told_and_comes_back_from_where_the_function_is_infinite) {
  const auto wall = [](std::span<const double> x, std::span<double> gradient) {
    gradient[0] = -1 / x[0] + 1;
    return x[0] > 0 ? x[0] - std::log(x[0]) : HUGE_VAL;
  };
  std::vector<double> x{20};
  Lbfgs lbfgs;
  EXPECT_EQ(lbfgs.minimise(wall, x, {1, 1e-10}).n_iterations, 1U);
  EXPECT_TRUE(lbfgs.minimise(wall, x, {100, 1e-10}).converged);
  EXPECT_NEAR(x[0], 1, 1e-8);
}

}  // namespace
}  // namespace bentwood
