#include "bentwood/linear/platt.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "bentwood/base/random.hpp"

namespace bentwood {
namespace {

struct Scored {
  explicit Scored(std::uint64_t seed, double scale = 1) {
    Random random(seed);
    for (int row = 0; row < 200; ++row) {
      signs.push_back(random.uniform() < 0.3 ? 1 : -1);
      scores.push_back(scale * (signs.back() + 1.5 * random.normal()));
      weights.push_back(static_cast<double>(1 + random.below(3)));
    }
  }
  [[nodiscard]] double loss(const Sigmoid& sigmoid) const {
    double totals[2] = {0, 0};
    for (std::size_t row = 0; row < scores.size(); ++row) {
      totals[signs[row] > 0] += weights[row];
    }
    double sum = 0;
    for (std::size_t row = 0; row < scores.size(); ++row) {
      const double target =
          signs[row] > 0 ? (totals[1] + 1) / (totals[1] + 2) : 1 / (totals[0] + 2);
      const double p = 1 / (1 + std::exp(sigmoid.slope * scores[row] + sigmoid.offset));
      sum -= weights[row] * (target * std::log(p) + (1 - target) * std::log(1 - p));
    }
    return sum;
  }
  std::vector<double> scores;
  std::vector<double> signs;
  std::vector<double> weights;
};

// The loss is convex: a point that no step in any direction improves is its minimum.
TEST(PlattSigmoid, cannot_be_improved_by_a_step_in_any_direction) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const Scored rows(seed);
    const Sigmoid found = platt_sigmoid(rows.scores, rows.signs, rows.weights);
    EXPECT_LT(found.slope, 0);
    for (int turn = 0; turn < 16; ++turn) {
      const double angle = 2 * M_PI * turn / 16;
      EXPECT_GT(
          rows.loss({found.slope + 1e-3 * std::cos(angle), found.offset + 1e-3 * std::sin(angle)}),
          rows.loss(found));
    }
  }
}

TEST(PlattSigmoid, the_scale_of_scores_does_not_matter) {
  const Scored one(3);
  const Sigmoid expected = platt_sigmoid(one.scores, one.signs);
  for (const double scale : {1e-200, 1e-6, 1e6, 1e200}) {
    const Scored other(3, scale);
    const Sigmoid found = platt_sigmoid(other.scores, other.signs);
    EXPECT_NEAR(found.slope * scale, expected.slope, 1e-8);
    EXPECT_NEAR(found.offset, expected.offset, 1e-8);
  }
}

TEST(PlattSigmoid, separable_and_constant_scores_stay_finite) {
  const std::vector<double> signs{1, 1, -1, -1};
  const Sigmoid separable = platt_sigmoid(std::vector<double>{2, 1, -1, -2}, signs);
  EXPECT_GT(separable(2), 0.5);
  EXPECT_LT(separable(-2), 0.5);
  const Sigmoid constant = platt_sigmoid(std::vector<double>{1, 1, 1, 1}, signs);
  EXPECT_NEAR(constant(1), 0.5, 1e-6);
  EXPECT_EQ(separable(1e308), 1);
  EXPECT_EQ(separable(-1e308), 0);
}

}  // namespace
}  // namespace bentwood
