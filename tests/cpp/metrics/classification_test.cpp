#include "bentwood/metrics/classification.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "metrics/random_rows.hpp"

namespace bentwood {
namespace {

using metrics_test::message;
using metrics_test::random_labels;
using metrics_test::random_levels;
using metrics_test::random_weights;
using metrics_test::repeated;
using Labels = std::vector<std::int64_t>;

/// Some rows with their weights, and the same with every row as often as its weight says.
struct Sample {
  explicit Sample(std::uint64_t seed) {
    Random random(seed);
    const std::size_t n_rows = 1 + random.below(30);
    n_classes = 1 + random.below(5);
    truth = random_labels(random, n_rows, n_classes);
    predicted = random_labels(random, n_rows, n_classes);
    weights = random_weights(random, n_rows);
    many_truth = repeated(truth, weights);
    many_predicted = repeated(predicted, weights);
  }

  /// How many rows, each as often as its weight says, the question is true of.
  template <class Question>
  [[nodiscard]] double count(const Question& question) const {
    double n_rows = 0;
    for (std::size_t row = 0; row < many_truth.size(); ++row) {
      n_rows += question(many_truth[row], many_predicted[row]) ? 1 : 0;
    }
    return n_rows;
  }

  std::size_t n_classes;
  Labels truth;
  Labels predicted;
  std::vector<double> weights;
  Labels many_truth;
  Labels many_predicted;
};

double harmonic_mean(double a, double b) { return a + b == 0 ? 0 : 2 * a * b / (a + b); }

TEST(ConfusionMatrix, counts_every_pair_of_classes) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Sample sample(seed);
    const Matrix confusion =
        confusion_matrix(sample.truth, sample.predicted, sample.n_classes, sample.weights);
    for (std::size_t t = 0; t < sample.n_classes; ++t) {
      for (std::size_t p = 0; p < sample.n_classes; ++p) {
        EXPECT_EQ(confusion(t, p), sample.count([&](auto truth, auto predicted) {
          return truth == static_cast<std::int64_t>(t) && predicted == static_cast<std::int64_t>(p);
        }));
      }
    }
  }
}

TEST(Accuracy, is_the_share_of_rows_predicted_right) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Sample sample(seed);
    const double hits = sample.count([](auto truth, auto predicted) { return truth == predicted; });
    const auto n_rows = static_cast<double>(sample.many_truth.size());
    EXPECT_EQ(accuracy(sample.truth, sample.predicted, sample.weights), hits / n_rows);
    EXPECT_EQ(accuracy(sample.many_truth, sample.many_predicted), hits / n_rows);
  }
}

TEST(ClassScores, are_those_of_the_definition) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Sample sample(seed);
    const ClassScores scores =
        class_scores(sample.truth, sample.predicted, sample.n_classes, sample.weights);
    for (std::size_t label = 0; label < sample.n_classes; ++label) {
      const auto wanted = static_cast<std::int64_t>(label);
      const double hits = sample.count(
          [&](auto truth, auto predicted) { return truth == wanted && predicted == wanted; });
      const double predicted = sample.count([&](auto, auto guess) { return guess == wanted; });
      const double support = sample.count([&](auto truth, auto) { return truth == wanted; });
      const double precision = predicted == 0 ? 0 : hits / predicted;
      const double recall = support == 0 ? 0 : hits / support;
      EXPECT_EQ(scores.precision[label], precision);
      EXPECT_EQ(scores.recall[label], recall);
      EXPECT_NEAR(scores.f1[label], harmonic_mean(precision, recall), 1e-15);
      EXPECT_EQ(scores.support[label], support);
    }
  }
}

TEST(AverageScores, are_means_over_the_classes_that_occur) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Sample sample(seed);
    const ClassScores scores =
        class_scores(sample.many_truth, sample.many_predicted, sample.n_classes);
    double macro = 0;
    double n_occurring = 0;
    double weighted = 0;
    for (std::size_t label = 0; label < sample.n_classes; ++label) {
      const auto wanted = static_cast<std::int64_t>(label);
      const bool occurs = sample.count([&](auto truth, auto predicted) {
        return truth == wanted || predicted == wanted;
      }) > 0;
      macro += occurs ? scores.f1[label] : 0;
      n_occurring += occurs ? 1 : 0;
      weighted += scores.f1[label] * scores.support[label];
    }
    const auto f1 = [&](Average average) {
      return average_scores(sample.truth, sample.predicted, sample.n_classes, average,
                            sample.weights)
          .f1;
    };
    EXPECT_NEAR(f1(Average::macro), macro / n_occurring, 1e-14);
    EXPECT_NEAR(f1(Average::weighted), weighted / static_cast<double>(sample.many_truth.size()),
                1e-14);
    EXPECT_NEAR(f1(Average::micro), accuracy(sample.many_truth, sample.many_predicted), 1e-15);
  }
}

// scikit-learn averages over the labels it sees, so a class that only the model knows changes nothing.
TEST(AverageScores, do_not_change_where_more_classes_are_possible) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const Sample sample(seed);
    for (const Average average : {Average::micro, Average::macro, Average::weighted}) {
      const auto few = average_scores(sample.truth, sample.predicted, sample.n_classes, average);
      const auto many = average_scores(sample.truth, sample.predicted, 100, average);
      EXPECT_EQ(few.precision, many.precision);
      EXPECT_EQ(few.recall, many.recall);
      EXPECT_EQ(few.f1, many.f1);
    }
  }
}

TEST(ParseAverage, reads_the_three_names) {
  EXPECT_EQ(parse_average("micro"), Average::micro);
  EXPECT_EQ(parse_average("macro"), Average::macro);
  EXPECT_EQ(parse_average("weighted"), Average::weighted);
  EXPECT_EQ(message([] { static_cast<void>(parse_average("mean")); }),
            "unknown average \"mean\", expected \"micro\", \"macro\" or \"weighted\"");
}

TEST(LogLoss, is_minus_the_log_of_the_product_of_probabilities_by_row) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    Sample sample(seed);
    Random random(seed, 1);
    Matrix probabilities = random_levels(random, sample.truth.size(), sample.n_classes, 1000);
    for (std::size_t row = 0; row < probabilities.n_rows(); ++row) {
      double sum = 0;
      for (double& value : probabilities.row(row)) {
        sum += ++value;
      }
      for (double& value : probabilities.row(row)) {
        value /= sum;
      }
    }
    const Matrix many = repeated(probabilities, sample.weights);
    long double product = 1;
    for (std::size_t row = 0; row < many.n_rows(); ++row) {
      product *= many(row, static_cast<std::size_t>(sample.many_truth[row]));
    }
    const auto expected =
        static_cast<double>(-std::log(product) / static_cast<long double>(many.n_rows()));
    // With a single class every probability is 1, and ε less after clipping.
    EXPECT_NEAR(log_loss(sample.truth, probabilities, sample.weights), expected, 1e-13);
    EXPECT_NEAR(log_loss(sample.many_truth, many), expected, 1e-13);
  }
}

TEST(LogLoss, clips_certainty_as_scikit_learn_does) {
  const Matrix certain(1, 2, {1, 0});
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  EXPECT_EQ(log_loss(Labels{1}, certain), -std::log(epsilon));
  EXPECT_EQ(log_loss(Labels{0}, certain), -std::log(1 - epsilon));
  constexpr double coarse = std::numeric_limits<float>::epsilon();
  EXPECT_EQ(log_loss(Labels{1}, certain, {}, coarse), -std::log(coarse));
}

TEST(LogLoss, refuses_what_are_no_probabilities) {
  const auto refusal = [](std::vector<double> values) {
    return message([&] {
      const Matrix probabilities(2, 2, values);
      static_cast<void>(log_loss(Labels{0, 1}, probabilities));
    });
  };
  EXPECT_EQ(refusal({0.5, 0.5, -0.25, 1.25}),
            "row 1: the probability of class 0 is -0.25, expected 0 to 1");
  EXPECT_EQ(refusal({0.5, std::nan(""), 0.5, 0.5}),
            "row 0: the probability of class 1 is nan, expected 0 to 1");
  EXPECT_EQ(refusal({0.5, 0.5, 0.5, 0.25}),
            "row 1: the probabilities sum to 0.75, expected 1 within 1.5e-08");
}

TEST(Classification, scores_the_same_for_weights_of_any_size) {
  const Labels truth{0, 1, 2, 1, 0};
  const Labels predicted{0, 1, 1, 1, 2};
  const Matrix shares(5, 3, {1, 0, 0, 0, 1, 0, 0.5, 0.5, 0, 0, 1, 0, 0, 0, 1});
  const std::vector<double> weights{1, 2, 1, 4, 0};
  for (const double factor : {0x1p-1074, 0x1p-700, 0x1p700, 0x1p1020}) {
    std::vector<double> scaled = weights;
    for (double& weight : scaled) {
      weight *= factor;
    }
    EXPECT_EQ(accuracy(truth, predicted, scaled), accuracy(truth, predicted, weights));
    EXPECT_EQ(log_loss(truth, shares, scaled), log_loss(truth, shares, weights));
    EXPECT_EQ(class_scores(truth, predicted, 3, scaled).f1,
              class_scores(truth, predicted, 3, weights).f1);
    EXPECT_EQ(class_scores(truth, predicted, 3, scaled).support[1], 6 * factor);
    for (const Average average : {Average::micro, Average::macro, Average::weighted}) {
      EXPECT_EQ(average_scores(truth, predicted, 3, average, scaled).f1,
                average_scores(truth, predicted, 3, average, weights).f1);
    }
  }
}

TEST(Classification, names_what_is_wrong_with_the_rows) {
  const auto refusal = [](Labels truth, Labels predicted, std::vector<double> weights = {}) {
    return message([&] { static_cast<void>(confusion_matrix(truth, predicted, 3, weights)); });
  };
  EXPECT_EQ(refusal({0, 1}, {0}), "2 true values and 1 predictions, expected equally many");
  EXPECT_EQ(refusal({}, {}), "no rows, expected at least one");
  EXPECT_EQ(refusal({0, 3}, {0, 0}), "row 1: the true class is 3, expected 0 to 2");
  EXPECT_EQ(refusal({0, 1}, {0, -1}), "row 1: the predicted class is -1, expected 0 to 2");
  EXPECT_EQ(refusal({0, 1}, {0, 1}, {1}), "1 weights for 2 rows, expected one each");
  EXPECT_EQ(refusal({0, 1}, {0, 1}, {1, -1}),
            "row 1: the weight is -1, expected a finite number >= 0");
  EXPECT_EQ(refusal({0, 1}, {0, 1}, {std::nan(""), 1}),
            "row 0: the weight is nan, expected a finite number >= 0");
  EXPECT_EQ(refusal({0, 1}, {0, 1}, {0, 0}), "all weights are 0, expected one above 0");
  EXPECT_EQ(refusal({0, 1}, {0, 1}, {1e308, 1e308}),
            "the weights sum to inf, expected a finite number");
}

}  // namespace
}  // namespace bentwood
