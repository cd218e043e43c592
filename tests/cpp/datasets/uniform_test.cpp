#include "bentwood/datasets/uniform.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <string>
#include <vector>

#include "bentwood/base/error.hpp"
#include "bentwood/base/parallel.hpp"
#include "bentwood/geometry/manifold.hpp"

namespace bentwood {
namespace {

/// The largest gap between the empirical distribution of `values` and the one with this density on
/// [0, end], integrated by the trapezoidal rule; times √n it passes 1.95 once in a thousand draws.
double kolmogorov_statistic(std::vector<double> values, double end,
                            const std::function<double(double)>& log_density) {
  constexpr std::size_t n_steps = 200'000;
  std::vector<double> cumulative(n_steps + 1);
  // Densities like sinh^7 at 20 overflow; only their shape matters.
  const double top = std::max(log_density(end), log_density(end / 2));
  for (std::size_t step = 1; step <= n_steps; ++step) {
    const double middle = end * (static_cast<double>(step) - 0.5) / n_steps;
    cumulative[step] = cumulative[step - 1] + std::exp(log_density(middle) - top);
  }
  std::ranges::sort(values);
  double gap = 0;
  const auto n = static_cast<double>(values.size());
  for (std::size_t rank = 0; rank < values.size(); ++rank) {
    const double place = std::clamp(values[rank] / end, 0.0, 1.0) * n_steps;
    const auto step = std::min(static_cast<std::size_t>(place), n_steps - 1);
    const double part = place - static_cast<double>(step);
    const double expected =
        ((1 - part) * cumulative[step] + part * cumulative[step + 1]) / cumulative.back();
    gap = std::max({gap, std::abs(expected - static_cast<double>(rank) / n),
                    std::abs(expected - static_cast<double>(rank + 1) / n)});
  }
  return gap * std::sqrt(n);
}

std::vector<double> column(const Matrix& matrix, std::size_t col) {
  std::vector<double> values(matrix.n_rows());
  for (std::size_t row = 0; row < values.size(); ++row) {
    values[row] = matrix(row, col);
  }
  return values;
}

TEST(HyperbolicRadius, has_density_sinh_to_the_dimension_minus_one) {
  for (const std::size_t dim : {1U, 2U, 3U, 8U, 50U}) {
    for (const double radius : {0.01, 0.9, 1.1, 3.0, 20.0}) {
      Random random(dim, 5);
      std::vector<double> draws(20'000);
      std::ranges::generate(draws, [&] { return draw_hyperbolic_radius(dim, radius, random); });
      const auto power = static_cast<double>(dim - 1);
      EXPECT_LT(kolmogorov_statistic(
                    draws, radius,
                    [&](double rho) { return power == 0 ? 0 : power * std::log(std::sinh(rho)); }),
                1.95)
          << "dimension " << dim << ", radius " << radius;
    }
  }
}

TEST(UniformPoints, fill_balls_and_spheres_evenly) {
  const Signature signature("H3(-0.25) x E3 x S3(4)");
  const Matrix points =
      uniform_points({.signature = signature, .n_rows = 20'000, .radius = 3, .seed = 1});
  const Manifold manifold(signature);
  EXPECT_TRUE(manifold.membership(points).all_on());
  const Matrix radii = manifold.radii(points);
  EXPECT_LT(kolmogorov_statistic(column(radii, 0), 3,
                                 [](double rho) { return 2 * std::log(std::sinh(rho / 2)); }),
            1.95);
  EXPECT_LT(kolmogorov_statistic(column(radii, 1), 3, [](double rho) { return 2 * std::log(rho); }),
            1.95);
  EXPECT_LT(kolmogorov_statistic(column(radii, 2), std::numbers::pi / 2,
                                 [](double rho) { return 2 * std::log(std::sin(2 * rho)); }),
            1.95);
}

// By symmetry every coordinate has mean 0 and all have the same spread.
TEST(UniformPoints, prefer_no_direction) {
  const Matrix points =
      uniform_points({.signature = Signature("S3"), .n_rows = 20'000, .radius = 1, .seed = 2});
  for (std::size_t col = 0; col < 4; ++col) {
    double sum = 0;
    double squares = 0;
    for (const double value : column(points, col)) {
      sum += value;
      squares += value * value;
    }
    EXPECT_NEAR(sum / 20'000, 0, 0.02);
    EXPECT_NEAR(squares / 20'000, 0.25, 0.01);
  }
}

TEST(UniformPoints, do_not_depend_on_the_number_of_threads_or_of_rows) {
  UniformOptions options{.signature = Signature("H2 x S2"), .n_rows = 3'000, .seed = 3};
  const ThreadLimit one(1);
  const Matrix serial = uniform_points(options);
  const ThreadLimit four(4);
  options.n_rows = 6'000;
  const Matrix more = uniform_points(options);
  EXPECT_TRUE(std::equal(serial.data(), serial.data() + 3'000 * 6, more.data()));
}

// In units of the curvature radius these are 0, or too small for quotients.
TEST(UniformPoints, of_the_smallest_radii_are_drawn) {
  for (const double radius : {5e-324, 1e-320, 1e-308}) {
    for (const char* const signature : {"H2(-1e-8)", "H3", "H1(-100) x E2"}) {
      const UniformOptions options{.signature = Signature(signature),
                                   .n_rows = 100,
                                   .radius = radius,
                                   .coordinates = Coordinates::tangent};
      const Matrix points = uniform_points(options);
      for (std::size_t row = 0; row < points.n_rows(); ++row) {
        for (const double component : points.row(row)) {
          EXPECT_LE(std::abs(component), 2 * radius);  // where numbers are few, rounding is coarse
        }
      }
    }
  }
}

TEST(UniformPoints, refuse_radii_that_make_no_sense) {
  const auto message = [](double radius, std::size_t n_rows = 1) -> std::string {
    try {
      static_cast<void>(
          uniform_points({.signature = Signature("H2(-4)"), .n_rows = n_rows, .radius = radius}));
    } catch (const InvalidInput& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_EQ(message(0), "the radius must be a finite number > 0, found 0");
  EXPECT_EQ(message(std::nan("")), "the radius must be a finite number > 0, found nan");
  EXPECT_EQ(message(200), "the radius may be at most 175 on H2(-4), found 200");
  EXPECT_EQ(message(1, 0), "the number of rows must be at least 1, found 0");
}

}  // namespace
}  // namespace bentwood
