#include "bentwood/linear/features.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>

#include "bentwood/base/error.hpp"

namespace bentwood {
namespace {

class FeaturesOn : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(manifolds, FeaturesOn,
                         testing::Values("H2", "H5(-0.25)", "H3(-9)", "S2", "S3(0.25)", "E3",
                                         "H2(-0.5) x S2 x E1"));

TEST_P(FeaturesOn, are_the_logarithm_in_poincare_coordinates) {
  const Manifold ambient(GetParam());
  const Manifold ball(GetParam(), Coordinates::poincare);
  const Matrix points = ambient.random(200, 1.3, 1);
  const Matrix reference = ambient.random(1, 1.0, 2);
  const Matrix found = linear_features(ambient, points, FeatureSpace::tangent, reference.row(0));
  const Matrix there = ambient.convert(points, Coordinates::ambient, Coordinates::poincare);
  const Matrix here = ambient.convert(reference, Coordinates::ambient, Coordinates::poincare);
  ASSERT_EQ(found.n_cols(), ambient.dim());
  for (std::size_t row = 0; row < points.n_rows(); ++row) {
    const Matrix expected =
        ball.log(here, Matrix(1, ball.dim(), {there.row(row).begin(), there.row(row).end()}));
    for (std::size_t axis = 0; axis < ambient.dim(); ++axis) {
      EXPECT_NEAR(found(row, axis), expected(0, axis), 1e-12 * (1 + std::abs(expected(0, axis))));
    }
  }
}

TEST_P(FeaturesOn, are_exactly_zero_at_the_reference_point) {
  const Manifold ambient(GetParam());
  const Matrix points = ambient.random(50, 2.0, 3);
  for (const FeatureSpace space : {FeatureSpace::tangent, FeatureSpace::weighted}) {
    for (std::size_t row = 0; row < points.n_rows(); ++row) {
      const Matrix found = linear_features(ambient, points, space, points.row(row));
      for (const double value : found.row(row)) {
        EXPECT_EQ(value, 0);
      }
    }
  }
}

// With Möbius addition m = (-p) ⊕ x as it is defined, and η v = 2m / (1 - |m|²).
TEST(WeightedFeatures, are_those_of_moebius_addition) {
  const Manifold ball("H3", Coordinates::poincare);
  const Matrix x = ball.random(100, 1.0, 4);
  const Matrix p = ball.random(1, 1.0, 5);
  const Matrix ambient = ball.convert(x, Coordinates::poincare, Coordinates::ambient);
  const Matrix reference = ball.convert(p, Coordinates::poincare, Coordinates::ambient);
  const Matrix found = linear_features(ball, ambient, FeatureSpace::weighted, reference.row(0), 1);
  for (std::size_t row = 0; row < x.n_rows(); ++row) {
    double xx = 0;
    double pp = 0;
    double px = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      xx += x(row, axis) * x(row, axis);
      pp += p(0, axis) * p(0, axis);
      px += p(0, axis) * x(row, axis);
    }
    std::array<double, 3> m{};
    double mm = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      m.at(axis) =
          ((1 - pp) * x(row, axis) - (1 - 2 * px + xx) * p(0, axis)) / (1 - 2 * px + pp * xx);
      mm += m.at(axis) * m.at(axis);
    }
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const double expected = 2 * m.at(axis) / (1 - mm);
      EXPECT_NEAR(found(row, axis), expected, 1e-11 * (1 + std::abs(expected)));
    }
    EXPECT_EQ(found(row, 3), 1);
  }
}

// As the curvature goes to 0, both tangent features become plain differences (Poincaré coordinates are halves there).
TEST(WeightedFeatures, become_differences_where_space_is_flat) {
  const Manifold flat("H2(-1e-10)");
  const Matrix points = flat.random(20, 1.0, 6);
  const Matrix found = linear_features(flat, points, FeatureSpace::weighted, points.row(0));
  const Matrix halves = linear_features(flat, points, FeatureSpace::tangent, points.row(0));
  for (std::size_t row = 0; row < points.n_rows(); ++row) {
    for (std::size_t axis = 0; axis < 2; ++axis) {
      const double difference = points(row, axis + 1) - points(0, axis + 1);
      EXPECT_NEAR(found(row, axis), difference, 1e-8);
      EXPECT_NEAR(halves(row, axis), difference / 2, 1e-8);
    }
  }
}

TEST(LorentzFeatures, are_the_ambient_coordinates) {
  const Manifold manifold("H2 x E1");
  const Matrix points = manifold.random(10, 1.0, 7);
  const Matrix found = linear_features(manifold, points, FeatureSpace::lorentz, {}, 1);
  for (std::size_t row = 0; row < 10; ++row) {
    for (std::size_t column = 0; column < 4; ++column) {
      EXPECT_EQ(found(row, column), points(row, column));
    }
    EXPECT_EQ(found(row, 4), 1);
  }
}

TEST(Features, refuse_the_south_pole) {
  const Manifold sphere("S2");
  try {
    (void)linear_features(sphere, Matrix(1, 3, {1, 0, 0}), FeatureSpace::tangent,
                          std::vector<double>{-1, 0, 0});
    FAIL();
  } catch (const InvalidInput& error) {
    EXPECT_EQ(std::string(error.what()),
              "the reference point is the south pole of S2, expected another point of it");
  }
}

}  // namespace
}  // namespace bentwood
