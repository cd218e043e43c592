#include "bentwood/datasets/mixture.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "bentwood/base/error.hpp"
#include "bentwood/base/parallel.hpp"
#include "bentwood/geometry/manifold.hpp"

namespace bentwood {
namespace {

std::string message(const MixtureOptions& options) {
  try {
    static_cast<void>(wrapped_normal_mixture(options));
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return "accepted";
}

bool same(const Matrix& a, const Matrix& b) {
  return a.n_rows() == b.n_rows() && a.n_cols() == b.n_cols() &&
         std::equal(a.data(), a.data() + a.n_rows() * a.n_cols(), b.data());
}

TEST(WrappedNormalMixture, lies_on_every_kind_of_manifold) {
  for (const auto* text : {"H2", "H8(-0.25)", "S2", "S3(4)", "E5", "H2(-2) x S2 x E1"}) {
    const Signature signature(text);
    const LabelledPoints mixture =
        wrapped_normal_mixture({.signature = signature, .n_rows = 500, .n_classes = 3});
    EXPECT_EQ(mixture.points.n_rows(), 500U);
    EXPECT_TRUE(Manifold(signature).membership(mixture.points).all_on()) << text;
    EXPECT_TRUE(std::ranges::all_of(mixture.labels,
                                    [](std::int64_t label) { return label >= 0 && label < 3; }));
  }
}

// A class seen from its own mean, transported back to the origin, is N(0, noise · A Aᵀ / D); over
// many classes the mean of A Aᵀ / D is the identity, and the squared length of a mean is D.
TEST(WrappedNormalMixture, has_the_moments_of_the_protocol) {
  for (const double noise : {0.0, 0.5, 2.0}) {
    constexpr std::size_t n_classes = 400;
    const MixtureOptions options{.signature = Signature("E4"),
                                 .n_rows = 80'000,
                                 .n_classes = n_classes,
                                 .noise = noise,
                                 .class_weights = std::vector<double>(n_classes, 1.0),
                                 .seed = 11};
    const LabelledPoints mixture = wrapped_normal_mixture(options);
    MixtureOptions still = options;
    still.noise = 0;
    const LabelledPoints means = wrapped_normal_mixture(still);
    ASSERT_EQ(means.labels, mixture.labels);
    double spread = 0;
    double square_mean = 0;
    for (std::size_t row = 0; row < options.n_rows; ++row) {
      for (std::size_t axis = 0; axis < 4; ++axis) {
        spread += std::pow(mixture.points(row, axis) - means.points(row, axis), 2);
        square_mean += std::pow(means.points(row, axis), 2);
      }
    }
    EXPECT_NEAR(spread / (4 * 80'000.0), noise, 0.06 * noise + 1e-12);
    EXPECT_NEAR(square_mean / (4 * 80'000.0), 1, 0.1);
  }
}

// The tangent vector of a row does not know the manifold: carried back to the origin it is the same
// on H, S and E, up to lengths that wrap around the sphere.
TEST(WrappedNormalMixture, draws_the_same_tangent_vectors_whatever_the_curvature) {
  const auto vectors = [](const char* text) {
    MixtureOptions options{.signature = Signature(text), .n_rows = 200, .noise = 0.3, .seed = 5};
    const Matrix points = wrapped_normal_mixture(options).points;
    options.noise = 0;
    const Matrix means = wrapped_normal_mixture(options).points;
    const Manifold manifold(options.signature);
    return manifold.distance(means, points);
  };
  const std::vector<double> flat = vectors("E3");
  const std::vector<double> hyperbolic = vectors("H3(-0.5)");
  const std::vector<double> spherical = vectors("S3(0.25)");
  for (std::size_t row = 0; row < flat.size(); ++row) {
    EXPECT_NEAR(hyperbolic[row], flat[row], 1e-9);
    EXPECT_NEAR(spherical[row], flat[row], 1e-9);
  }
}

// Before, sums were infinite or shares rounded to nothing: labels were out of range, and the program crashed.
TEST(WrappedNormalMixture, draws_the_same_for_weights_of_any_size) {
  const auto labels = [](double weight) {
    return wrapped_normal_mixture(
               {.n_rows = 500, .n_classes = 2, .class_weights = {weight, weight}, .seed = 2})
        .labels;
  };
  for (const double weight : {0x1p-1074, 0x1p-1000, 0x1p1023}) {
    EXPECT_EQ(labels(weight), labels(1)) << weight;
  }
}

TEST(WrappedNormalMixture, draws_classes_with_the_given_weights) {
  const LabelledPoints mixture = wrapped_normal_mixture(
      {.n_rows = 20'000, .n_classes = 3, .class_weights = {1, 0, 3}, .seed = 2});
  std::array<double, 3> counts{};
  for (const std::int64_t label : mixture.labels) {
    ++counts.at(static_cast<std::size_t>(label));
  }
  EXPECT_NEAR(counts[0] / 20'000, 0.25, 0.015);
  EXPECT_EQ(counts[1], 0);
}

TEST(WrappedNormalMixture, flips_the_given_share_of_labels_and_moves_no_point) {
  const MixtureOptions clean{.n_rows = 20'000, .n_classes = 3, .seed = 3};
  MixtureOptions noisy = clean;
  noisy.label_noise = 0.2;
  const LabelledPoints before = wrapped_normal_mixture(clean);
  const LabelledPoints after = wrapped_normal_mixture(noisy);
  EXPECT_TRUE(same(before.points, after.points));
  double n_flipped = 0;
  for (std::size_t row = 0; row < clean.n_rows; ++row) {
    n_flipped += before.labels[row] != after.labels[row] ? 1 : 0;
  }
  EXPECT_NEAR(n_flipped / 20'000, 0.2, 0.015);
}

TEST(WrappedNormalMixture, gives_the_same_points_in_any_coordinates) {
  MixtureOptions options{.signature = Signature("H2(-0.5) x S2"), .n_rows = 100, .seed = 4};
  const Matrix ambient = wrapped_normal_mixture(options).points;
  options.coordinates = Coordinates::poincare;
  const Matrix ball = wrapped_normal_mixture(options).points;
  const Manifold manifold(options.signature);
  EXPECT_TRUE(same(ball, manifold.convert(ambient, Coordinates::ambient, Coordinates::poincare)));
}

TEST(WrappedNormalMixture, does_not_depend_on_the_number_of_threads) {
  const MixtureOptions options{.signature = Signature("H2 x E2"), .n_rows = 5'000, .seed = 6};
  const ThreadLimit one(1);
  const LabelledPoints serial = wrapped_normal_mixture(options);
  const ThreadLimit four(4);
  const LabelledPoints parallel = wrapped_normal_mixture(options);
  EXPECT_TRUE(same(serial.points, parallel.points));
  EXPECT_EQ(serial.labels, parallel.labels);
}

TEST(WrappedNormalMixture, refuses_options_that_make_no_sense) {
  EXPECT_EQ(message({.n_rows = 0}), "the number of rows must be at least 1, found 0");
  EXPECT_EQ(message({.n_classes = 0}), "the number of classes must be at least 1, found 0");
  EXPECT_EQ(message({.noise = -1}), "the noise must be a finite number >= 0, found -1");
  EXPECT_EQ(message({.noise = std::nan("")}), "the noise must be a finite number >= 0, found nan");
  EXPECT_EQ(message({.class_weights = {1}}),
            "expected one weight for each of the 2 classes, found 1");
  EXPECT_EQ(message({.class_weights = {1, -1}}),
            "a class weight must be a finite number >= 0, found -1");
  EXPECT_EQ(message({.class_weights = {0, 0}}),
            "at least one class weight must be positive, found only zeros");
  EXPECT_EQ(message({.label_noise = 1.5}), "the label noise must lie between 0 and 1, found 1.5");
  EXPECT_EQ(message({.n_classes = 1, .label_noise = 0.1}),
            "label noise needs at least 2 classes, found 1");
}

}  // namespace
}  // namespace bentwood
