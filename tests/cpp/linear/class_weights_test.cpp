#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "bentwood/base/error.hpp"
#include "bentwood/base/random.hpp"
#include "bentwood/linear/horosphere_training.hpp"
#include "bentwood/linear/linear_training.hpp"

namespace bentwood {
namespace {

/// Two overlapping clouds, the second of which is rare.
struct Rare {
  Rare() : points(3000, 2) {
    Random random(11);
    for (std::size_t row = 0; row < points.n_rows(); ++row) {
      classes.push_back(row % 50 == 0 ? 1 : 0);
      points(row, 0) = 0.6 * random.normal() + (classes.back() == 1 ? 0.7 : -0.2);
      points(row, 1) = 0.6 * random.normal();
    }
  }
  Matrix points;
  std::vector<std::uint32_t> classes;
  Labels labels = std::vector<std::int64_t>{0, 1};
};

struct Horospheres {
  static HorosphereTrainingOptions options() {
    return {.manifold = Manifold("H2", Coordinates::tangent), .probability = true};
  }
  static void set_cost(HorosphereTrainingOptions& options, double cost) { options.svm.cost = cost; }
  static HorosphereClassifier train(const Rare& rows, std::span<const double> weights,
                                    const HorosphereTrainingOptions& options) {
    return train_horospheres(rows.points, rows.classes, weights, rows.labels, options).classifier;
  }
};

struct Hyperplanes {
  static LinearTrainingOptions options() {
    return {.manifold = Manifold("H2", Coordinates::tangent),
            .reference = ReferenceKind::means,
            .fit_intercept = true,
            .platt = PlattKind::cross};
  }
  static void set_cost(LinearTrainingOptions& options, double cost) { options.cost = cost; }
  static LinearClassifier train(const Rare& rows, std::span<const double> weights,
                                const LinearTrainingOptions& options) {
    return train_linear(rows.points, rows.classes, weights, rows.labels, options).classifier;
  }
};

/// The mean probability of the rare class, and the Brier score.
struct Calibration {
  double mean = 0;
  double brier = 0;
};

template <class Classifier>
Calibration calibration(const Rare& rows, const Classifier& classifier) {
  const Matrix found = probabilities(classifier, rows.points).values;
  Calibration result;
  const auto n_rows = static_cast<double>(found.n_rows());
  for (std::size_t row = 0; row < found.n_rows(); ++row) {
    const double miss = found(row, 1) - rows.classes[row];
    result.mean += found(row, 1) / n_rows;
    result.brier += miss * miss / n_rows;
  }
  return result;
}

template <class Kind>
class ClassWeights : public testing::Test {};
using Kinds = testing::Types<Horospheres, Hyperplanes>;
TYPED_TEST_SUITE(ClassWeights, Kinds);

TYPED_TEST(ClassWeights, do_not_make_probabilities_those_of_another_base_rate) {
  const Rare rows;
  auto options = TypeParam::options();
  const Calibration plain = calibration(rows, TypeParam::train(rows, {}, options));
  options.balance_classes = true;
  const Calibration balanced = calibration(rows, TypeParam::train(rows, {}, options));
  options.balance_classes = false;
  options.class_weights = {0.5, 25};
  const Calibration weighted = calibration(rows, TypeParam::train(rows, {}, options));
  for (const Calibration& found : {plain, balanced, weighted}) {
    EXPECT_NEAR(found.mean, 0.02, 0.004);
    EXPECT_NEAR(found.brier, plain.brier, 0.001);
  }
}

TYPED_TEST(ClassWeights, a_scale_of_all_weights_is_one_of_the_cost) {
  const Rare rows;
  auto options = TypeParam::options();
  const Matrix expected = probabilities(TypeParam::train(rows, {}, options), rows.points).values;
  const auto n_rows = static_cast<double>(rows.classes.size());
  TypeParam::set_cost(options, n_rows);
  const std::vector<double> weights(rows.classes.size(), 1 / n_rows);
  const Matrix found = probabilities(TypeParam::train(rows, weights, options), rows.points).values;
  for (std::size_t row = 0; row < found.n_rows(); ++row) {
    EXPECT_NEAR(found(row, 1), expected(row, 1), 1e-6);
  }
}

/// Four classes around the origin.
struct Four : Rare {
  Four() {
    for (std::size_t row = 0; row < points.n_rows(); ++row) {
      classes[row] = row % 4;
      points(row, 0) += classes[row] % 2 == 0 ? 0.5 : -0.5;
      points(row, 1) += classes[row] < 2 ? 0.5 : -0.5;
    }
    labels = std::vector<std::int64_t>{0, 1, 2, 3};
  }
};

TYPED_TEST(ClassWeights, a_class_whose_rows_weigh_nothing_never_wins) {
  const Four rows;
  auto options = TypeParam::options();
  options.class_weights = {0, 1, 1, 1};
  const auto classifier = TypeParam::train(rows, {}, options);
  const Matrix values = scores(classifier, rows.points).values;
  const Matrix shares = probabilities(classifier, rows.points).values;
  const std::vector<std::int64_t> found = winners(classifier, values);
  for (std::size_t row = 0; row < found.size(); ++row) {
    EXPECT_GT(found[row], 0);
    EXPECT_EQ(values(row, 0), std::numeric_limits<double>::lowest());
    EXPECT_EQ(shares(row, 0), 0);
  }
}

TYPED_TEST(ClassWeights, a_class_of_one_row_is_as_likely_as_it_scores) {
  Rare rows;
  rows.points = Matrix(2, 2, {-0.5, 0.1, 0.5, 0.1});
  rows.classes = {0, 1};
  auto options = TypeParam::options();
  const auto classifier = TypeParam::train(rows, {}, options);
  const Matrix shares = probabilities(classifier, rows.points).values;
  EXPECT_GT(shares(0, 0), 0.6);
  EXPECT_GT(shares(1, 1), 0.6);
}

TYPED_TEST(ClassWeights, costs_whose_squares_overflow_are_refused) {
  const Rare rows;
  const auto problem = [&](double cost, double weight) {
    auto options = TypeParam::options();
    TypeParam::set_cost(options, cost);
    const std::vector<double> weights(rows.classes.size(), weight);
    try {
      (void)TypeParam::train(rows, weights, options);
    } catch (const InvalidInput& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const std::string expected = "expected at most 1e100 of both and their product";
  EXPECT_EQ(problem(1e200, 1), "C is 1e+200 and the largest weight is 1, " + expected);
  EXPECT_EQ(problem(1e60, 1e50), "C is 1e+60 and the largest weight is 1e+50, " + expected);
  EXPECT_EQ(problem(1e-300, 1e308), "C is 1e-300 and the largest weight is 1e+308, " + expected);
  EXPECT_EQ(problem(std::nan(""), 1), "C is nan, expected a number above 0");
  EXPECT_EQ(problem(1e-50, 1e50), "");
}

}  // namespace
}  // namespace bentwood
