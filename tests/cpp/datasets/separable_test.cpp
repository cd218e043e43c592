#include "bentwood/datasets/separable.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "bentwood/base/error.hpp"
#include "bentwood/base/parallel.hpp"
#include "bentwood/geometry/manifold.hpp"

namespace bentwood {
namespace {

TEST(Separable, is_uniform_within_the_radius_where_there_is_no_margin) {
  for (const char* const signature : {"H2", "H5(-0.25)"}) {
    const Signature space(signature);
    const double scale = space.factors().front().radius();
    const SeparablePoints data = separable_points({.signature = space,
                                                   .n_rows = 20'000,
                                                   .margin = 0,
                                                   .radius = 0.8,
                                                   .coordinates = Coordinates::poincare,
                                                   .seed = 1});
    // The share of the Euclidean volume within a point is uniform on [0, 1].
    std::vector<double> shares;
    double first = 0;
    for (std::size_t row = 0; row < 20'000; ++row) {
      double squared = 0;
      for (const double value : data.points.row(row)) {
        squared += value * value;
      }
      shares.push_back(
          std::pow(std::sqrt(squared) / scale / 0.8, static_cast<double>(space.dim())));
      first += data.points(row, 0);
    }
    std::ranges::sort(shares);
    double gap = 0;
    for (std::size_t rank = 0; rank < shares.size(); ++rank) {
      gap = std::max(gap, std::abs(shares[rank] - static_cast<double>(rank) / 20'000));
    }
    EXPECT_LT(gap * std::sqrt(20'000), 1.95);
    EXPECT_LT(std::abs(first / 20'000 / scale), 0.01);
  }
}

// The classes lie in two half-spaces: every geodesic from one to the other is at least two margins long.
TEST(Separable, keeps_classes_two_margins_apart) {
  for (const double margin : {0.5, 1.0}) {
    const SeparablePoints data = separable_points({.signature = Signature("H2(-0.25)"),
                                                   .n_rows = 400,
                                                   .margin = margin,
                                                   .offset = 0.6,
                                                   .coordinates = Coordinates::poincare,
                                                   .seed = 2});
    const Manifold disk(Signature("H2(-0.25)"), Coordinates::poincare);
    const Matrix distances = disk.pairwise_distance(data.points, data.points);
    const Matrix to_reference = disk.pairwise_distance(data.points, data.reference);
    double nearest = 1e9;
    for (std::size_t row = 0; row < 400; ++row) {
      EXPECT_GE(to_reference(row, 0), margin);
      for (std::size_t other = 0; other < 400; ++other) {
        if (data.labels[row] != data.labels[other]) {
          nearest = std::min(nearest, distances(row, other));
        }
      }
    }
    EXPECT_GE(nearest, 2 * margin);
    EXPECT_LE(nearest, 3 * margin);
    EXPECT_NEAR(std::hypot(data.reference(0, 0), data.reference(0, 1)), 2 * 0.95 * 0.6, 1e-12);
  }
}

TEST(Separable, is_the_same_for_any_number_of_threads) {
  const SeparableOptions options{.n_rows = 1000, .seed = 5};
  const ThreadLimit one(1);
  const SeparablePoints expected = separable_points(options);
  const ThreadLimit many(4);
  const SeparablePoints found = separable_points(options);
  EXPECT_EQ(found.labels, expected.labels);
  EXPECT_TRUE(std::equal(found.points.data(), found.points.data() + 3000, expected.points.data()));
}

TEST(Separable, names_options_that_make_no_sense) {
  const auto message = [](const SeparableOptions& options) {
    try {
      (void)separable_points(options);
    } catch (const InvalidInput& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(message({.n_rows = 0}), "the number of rows must be at least 1, found 0");
  EXPECT_EQ(message({.signature = Signature("H2 x E1")}),
            "the signature is H2 x E1, expected one hyperbolic factor");
  EXPECT_EQ(message({.margin = -1}), "the margin must be a finite number >= 0, found -1");
  EXPECT_EQ(message({.radius = 1}), "the radius must be between 0 and 1, found 1");
  EXPECT_EQ(message({.offset = 2}), "the offset must be from 0 to 1, found 2");
  EXPECT_EQ(message({.margin = 20}),
            "a margin of 20 leaves no room within the radius 0.95, expected less");
}

}  // namespace
}  // namespace bentwood
