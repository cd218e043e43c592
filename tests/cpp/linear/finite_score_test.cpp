#include "bentwood/linear/finite_score.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "bentwood/base/random.hpp"
#include "bentwood/linear/horosphere_training.hpp"
#include "bentwood/linear/linear_training.hpp"

namespace bentwood {
namespace {

constexpr double largest = std::numeric_limits<double>::max();

double score(const std::vector<double>& weights, const std::vector<double>& features,
             double constant) {
  return finite_score(weights, features, constant);
}

TEST(FiniteScore, is_the_sum_where_only_its_parts_overflow) {
  EXPECT_EQ(score({1e300, -1e300}, {1e10, 1e10}, 3), 3);
  EXPECT_DOUBLE_EQ(score({1e200, 1e200}, {1e108, -9e107}, 0), 1e307);
  EXPECT_DOUBLE_EQ(score({1e308, 1e308}, {1, 0.5}, -1e308), 0.5e308);
  EXPECT_DOUBLE_EQ(score({largest, largest}, {1, 1}, -largest), largest);
}

TEST(FiniteScore, is_the_largest_number_of_its_sign_where_it_overflows) {
  EXPECT_EQ(score({1e200, 1}, {1e200, 1}, -1e308), largest);
  EXPECT_EQ(score({1e200, 1}, {-1e200, 1}, 1e308), -largest);
  EXPECT_EQ(score({largest, -largest}, {largest, largest}, 0), 0);
}

TEST(FiniteScore, is_the_plain_sum_up_to_rounding) {
  Random random(1);
  for (int count = 0; count < 1000; ++count) {
    std::vector<double> weights(5);
    std::vector<double> features(5);
    double expected = 0;
    double size = 0;
    for (std::size_t place = 0; place < 5; ++place) {
      weights[place] = random.normal() * 1e100;
      features[place] = random.normal() * 1e-50;
      expected += weights[place] * features[place];
      size += std::abs(weights[place] * features[place]);
    }
    EXPECT_NEAR(score(weights, features, 1), expected + 1, 1e-15 * size);
  }
}

TEST(Scores, of_the_largest_coefficients_are_finite) {
  LinearClassifier linear{.manifold = Manifold("E2", Coordinates::ambient),
                          .space = FeatureSpace::lorentz,
                          .classes = std::vector<std::string>{"a", "b", "c"}};
  linear.coefficients = Matrix(3, 2, {largest, largest, -largest, largest, 1, 2});
  linear.intercepts = {largest, -largest, 0};
  linear.sigmoids = Matrix(3, 2, {-largest, largest, largest, -1, -1, 0});
  const Matrix points(3, 2, {1e300, 1e300, -3, 7, 0, 0});
  const Matrix found = scores(linear, points).values;
  const Matrix shares = probabilities(linear, points).values;
  for (std::size_t row = 0; row < 3; ++row) {
    double sum = 0;
    for (std::size_t label = 0; label < 3; ++label) {
      EXPECT_TRUE(std::isfinite(found(row, label)));
      sum += shares(row, label);
    }
    EXPECT_NEAR(sum, 1, 1e-12);
  }
  EXPECT_EQ(found(0, 0), largest);
  EXPECT_EQ(found(0, 1), -largest);
  EXPECT_EQ(found(1, 0), largest);
  EXPECT_EQ(found(0, 2), 3e300);

  HorosphereClassifier horospheres{.manifold = Manifold("H2", Coordinates::tangent),
                                   .classes = std::vector<std::string>{"a", "b"}};
  horospheres.ideal_points = Matrix(1, 2, {1, 0});
  horospheres.slopes = {largest};
  horospheres.offsets = {-largest};
  const Matrix far(2, 2, {5, 0, -5, 0});
  EXPECT_EQ(scores(horospheres, far).values(0, 0), largest);
  EXPECT_EQ(scores(horospheres, far).values(1, 0), -largest);
}

}  // namespace
}  // namespace bentwood
