#include "bentwood/datasets/latent_manifolds.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "bentwood/base/error.hpp"
#include "bentwood/base/parallel.hpp"

namespace bentwood {
namespace {

double euclidean(std::span<const double> a, std::span<const double> b) {
  return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

TEST(LinearManifold, has_straight_distances_equal_to_arc_lengths) {
  const CurvePoints curve = linear_manifold({.n_rows = 300, .n_noise = 2, .seed = 1});
  ASSERT_EQ(curve.points.n_cols(), 5U);
  for (std::size_t row = 1; row < 300; ++row) {
    EXPECT_NEAR(euclidean(curve.points.row(row), curve.points.row(0)),
                std::abs(curve.arc_lengths[row] - curve.arc_lengths[0]), 1e-12);
    EXPECT_NEAR(curve.points(row, 0) / curve.points(row, 2), 4.0 / 9, 1e-12);
    EXPECT_NEAR(curve.points(row, 1) / curve.points(row, 2), 6.0 / 9, 1e-12);
  }
}

// The oracle walks the helix in small straight steps.
TEST(HelixManifold, measures_the_length_of_the_curve) {
  const CurvePoints helix = helix_manifold({.n_rows = 50, .seed = 2});
  const auto position = [](double time) {
    return std::vector{time * std::cos(time), time * std::sin(time), time};
  };
  for (std::size_t row = 0; row < 50; ++row) {
    const double time = helix.points(row, 2);
    ASSERT_GE(time, 2 * std::numbers::pi);
    ASSERT_LT(time, 9 * std::numbers::pi);
    EXPECT_NEAR(euclidean(helix.points.row(row), position(time)), 0, 1e-12);
    constexpr int n_steps = 20'000;
    double walked = 0;
    for (int step = 0; step < n_steps; ++step) {
      walked += euclidean(position(time * step / n_steps), position(time * (step + 1) / n_steps));
    }
    EXPECT_NEAR(helix.arc_lengths[row], walked, 1e-5 * walked);
  }
}

TEST(SphereManifold, lies_at_radius_nine_with_uniform_angles) {
  constexpr std::size_t n_rows = 20'000;
  const Matrix sphere = sphere_manifold({.n_rows = n_rows, .seed = 3});
  double mean_colatitude = 0;
  double n_near_a_pole = 0;
  for (std::size_t row = 0; row < n_rows; ++row) {
    const auto position = sphere.row(row);
    EXPECT_NEAR(std::hypot(position[0], position[1], position[2]), 9, 1e-12);
    const double colatitude = std::acos(position[2] / 9);
    mean_colatitude += colatitude / n_rows;
    n_near_a_pole += std::abs(position[2] / 9) > std::cos(std::numbers::pi / 4) ? 1 : 0;
  }
  EXPECT_NEAR(mean_colatitude, std::numbers::pi / 2, 0.03);
  // Half of the colatitudes; a sphere uniform in area would have 1 - cos 45° = 29 % there.
  EXPECT_NEAR(n_near_a_pole / n_rows, 0.5, 0.02);
}

TEST(ThreeGaussians, have_the_centres_frequencies_and_spread_of_the_paper) {
  constexpr std::size_t n_rows = 30'000;
  const LabelledPoints clouds = three_gaussians({.n_rows = n_rows, .seed = 4});
  const std::vector<double> centres{0, 3, -3};
  const std::vector<double> shares{0.3, 0.3, 0.4};
  for (std::size_t label = 0; label < 3; ++label) {
    std::size_t count = 0;
    double sum = 0;
    double squares = 0;
    for (std::size_t row = 0; row < n_rows; ++row) {
      if (clouds.labels[row] == static_cast<std::int64_t>(label)) {
        ++count;
        sum += clouds.points(row, 1);
        squares += std::pow(clouds.points(row, 1) - centres[label], 2);
      }
    }
    const auto n = static_cast<double>(count);
    EXPECT_NEAR(n / n_rows, shares[label], 0.015);
    EXPECT_NEAR(sum / n, centres[label], 0.06);
    EXPECT_NEAR(squares / n, 1, 0.06);
  }
}

TEST(LatentManifolds, hide_the_shape_in_noise_of_the_given_variance) {
  const CurvePoints curve = linear_manifold({.n_rows = 5'000, .n_noise = 4, .seed = 5});
  double squares = 0;
  for (std::size_t row = 0; row < 5'000; ++row) {
    for (std::size_t col = 3; col < 7; ++col) {
      squares += std::pow(curve.points(row, col), 2);
    }
  }
  EXPECT_NEAR(squares / 20'000, 70, 3);
}

TEST(LatentManifolds, keep_the_shape_when_noise_columns_are_added) {
  const CurvePoints plain = helix_manifold({.n_rows = 20, .seed = 6});
  const CurvePoints noisy = helix_manifold({.n_rows = 20, .n_noise = 3, .seed = 6});
  EXPECT_EQ(plain.arc_lengths, noisy.arc_lengths);
  EXPECT_EQ(plain.points(19, 0), noisy.points(19, 0));
}

TEST(LatentManifolds, do_not_depend_on_the_number_of_threads) {
  const LatentOptions options{.n_rows = 3'000, .n_noise = 2, .seed = 7};
  const ThreadLimit one(1);
  const Matrix serial = sphere_manifold(options);
  const ThreadLimit four(4);
  const Matrix parallel = sphere_manifold(options);
  EXPECT_TRUE(std::equal(serial.data(), serial.data() + 15'000, parallel.data()));
}

TEST(LatentManifolds, refuse_options_that_make_no_sense) {
  const auto message = [](const LatentOptions& options) -> std::string {
    try {
      static_cast<void>(three_gaussians(options));
    } catch (const InvalidInput& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_EQ(message({.n_rows = 0}), "the number of rows must be at least 1, found 0");
  EXPECT_EQ(message({.noise_variance = -1}),
            "the noise variance must be a finite number >= 0, found -1");
}

}  // namespace
}  // namespace bentwood
