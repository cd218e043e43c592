#include "bentwood/metrics/regression.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "metrics/random_rows.hpp"

namespace bentwood {
namespace {

using metrics_test::message;
using metrics_test::random_levels;
using metrics_test::random_weights;
using metrics_test::repeated;

/// The three scores straight from their definitions, without weights, in long double.
struct Expected {
  Expected(const Matrix& truth, const Matrix& predicted) {
    const auto n_rows = static_cast<long double>(truth.n_rows());
    const auto n_outputs = static_cast<double>(truth.n_cols());
    for (std::size_t output = 0; output < truth.n_cols(); ++output) {
      long double sum = 0;
      for (std::size_t row = 0; row < truth.n_rows(); ++row) {
        sum += truth(row, output);
      }
      long double absolute = 0;
      long double squares = 0;
      long double spread = 0;
      for (std::size_t row = 0; row < truth.n_rows(); ++row) {
        const long double error = truth(row, output) - predicted(row, output);
        absolute += std::abs(error);
        squares += error * error;
        spread += (truth(row, output) - sum / n_rows) * (truth(row, output) - sum / n_rows);
      }
      mae += static_cast<double>(absolute / n_rows) / n_outputs;
      rmse += static_cast<double>(std::sqrt(squares / n_rows)) / n_outputs;
      r2 += static_cast<double>(1 - squares / spread) / n_outputs;
    }
  }

  double mae = 0;
  double rmse = 0;
  double r2 = 0;
};

TEST(Regression, scores_are_those_of_the_definitions) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Random random(seed);
    const std::size_t n_rows = 10 + random.below(30);
    const std::size_t n_outputs = 1 + random.below(3);
    const Matrix truth = random_levels(random, n_rows, n_outputs, 1000);
    const Matrix predicted = random_levels(random, n_rows, n_outputs, 1000);
    const std::vector<double> weights = random_weights(random, n_rows);
    const Expected plain(truth, predicted);
    EXPECT_NEAR(rmse(truth, predicted), plain.rmse, 1e-10);
    EXPECT_NEAR(mae(truth, predicted), plain.mae, 1e-10);
    EXPECT_NEAR(r2(truth, predicted), plain.r2, 1e-12);
    const Expected weighted(repeated(truth, weights), repeated(predicted, weights));
    EXPECT_NEAR(rmse(truth, predicted, weights), weighted.rmse, 1e-10);
    EXPECT_NEAR(mae(truth, predicted, weights), weighted.mae, 1e-10);
    EXPECT_NEAR(r2(truth, predicted, weights), weighted.r2, 1e-12);
  }
}

// The mean of three times 0.1 is not 0.1, so a variance about the mean would not vanish.
TEST(R2, of_equal_values_is_one_or_zero) {
  const Matrix constant(3, 1, {0.1, 0.1, 0.1});
  EXPECT_EQ(r2(constant, constant), 1);
  EXPECT_EQ(r2(constant, Matrix(3, 1, {0.1, 0.1, 0.2})), 0);
  const Matrix spread(3, 1, {0.7, 0.1, 0.1});
  EXPECT_EQ(r2(spread, Matrix(3, 1), std::vector<double>{0, 1, 1}), 0);
}

TEST(R2, does_not_lose_a_small_spread_far_from_zero) {
  const Matrix truth(4, 1, {1e8, 1e8 + 1, 1e8 + 2, 1e8 + 3});
  const Matrix predicted(4, 1, {1e8, 1e8 + 1, 1e8 + 2, 1e8 + 4});
  EXPECT_NEAR(r2(truth, predicted), 0.8, 1e-15);
}

TEST(Regression, scores_values_and_weights_of_any_size) {
  const Matrix truth(4, 1, {1, 2, 3, 5});
  const Matrix predicted(4, 1, {1, 3, 3, 4});
  const std::vector<double> weights{1, 2, 1, 3};
  const auto scaled = [](const Matrix& values, double factor) {
    Matrix result = values;
    for (std::size_t row = 0; row < 4; ++row) {
      result(row, 0) *= factor;
    }
    return result;
  };
  for (const double factor : {0x1p-1074, 0x1p-700, 0x1p700, 0x1p1021}) {
    const Matrix far = scaled(truth, factor);
    const Matrix near = scaled(predicted, factor);
    EXPECT_EQ(r2(far, near, weights), r2(truth, predicted, weights)) << factor;
    EXPECT_EQ(rmse(far, near), rmse(truth, predicted) * factor) << factor;
    EXPECT_EQ(mae(far, near), mae(truth, predicted) * factor) << factor;
    std::vector<double> heavy = weights;
    for (double& weight : heavy) {
      weight *= std::min(factor, 0x1p1020);
    }
    EXPECT_EQ(rmse(far, near, heavy), rmse(truth, predicted, weights) * factor) << factor;
  }
  EXPECT_EQ(rmse(Matrix(2, 1, {1e-300, 0}), Matrix(2, 1, {0, 0})), 1e-300 / std::sqrt(2.0));
}

TEST(Regression, says_that_a_score_is_no_number) {
  const Matrix high(2, 1, {1.7e308, 1.7e308});
  const Matrix low(2, 1, {-1.7e308, -1.7e308});
  const std::string end = " is beyond the largest number, 1.8e308: divide all values by one number";
  EXPECT_EQ(message([&] { static_cast<void>(rmse(high, low)); }), "the RMSE" + end);
  EXPECT_EQ(message([&] { static_cast<void>(mae(high, low)); }), "the MAE" + end);
  EXPECT_EQ(message([&] { static_cast<void>(r2(Matrix(2, 1, {1e-300, 0}), high)); }), "R²" + end);
}

TEST(Regression, names_what_is_wrong) {
  const auto refusal = [](const Matrix& truth, const Matrix& predicted,
                          std::vector<double> weights = {}) {
    return message([&] { static_cast<void>(r2(truth, predicted, weights)); });
  };
  EXPECT_EQ(refusal(Matrix(2, 1), Matrix(3, 1)),
            "2 true values and 3 predictions, expected equally many");
  EXPECT_EQ(refusal(Matrix(2, 1), Matrix(2, 2)),
            "1 true outputs and 2 predicted ones, expected equally many");
  EXPECT_EQ(refusal(Matrix(2, 0), Matrix(2, 0)), "no outputs, expected at least one");
  EXPECT_EQ(refusal(Matrix(0, 1), Matrix(0, 1)), "no rows, expected at least one");
  EXPECT_EQ(refusal(Matrix(2, 1, {0, INFINITY}), Matrix(2, 1)),
            "row 1: the true value is inf, expected a finite number");
  EXPECT_EQ(refusal(Matrix(2, 1), Matrix(2, 1, {NAN, 0})),
            "row 0: the predicted value is nan, expected a finite number");
  EXPECT_EQ(refusal(Matrix(1, 1), Matrix(1, 1)),
            "1 row has weight, expected at least 2: R² is not defined");
  EXPECT_EQ(refusal(Matrix(2, 1), Matrix(2, 1), {1, 0}),
            "1 row has weight, expected at least 2: R² is not defined");
  EXPECT_EQ(refusal(Matrix(2, 1), Matrix(2, 1), {1}), "1 weights for 2 rows, expected one each");
}

}  // namespace
}  // namespace bentwood
