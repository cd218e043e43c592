#include "bentwood/metrics/ranking.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "metrics/random_rows.hpp"

namespace bentwood {
namespace {

using metrics_test::message;
using metrics_test::random_labels;
using metrics_test::random_levels;
using metrics_test::random_weights;
using metrics_test::repeated;
using Labels = std::vector<std::int64_t>;
using Scores = std::vector<double>;

/// Σ (R_k - R_{k-1}) P_k, with every precision and recall counted anew.
double average_precision_of_the_definition(const Labels& truth, const Scores& scores,
                                           std::int64_t positive_class) {
  const std::set<double, std::greater<>> thresholds(scores.begin(), scores.end());
  const auto n_positive = static_cast<double>(std::ranges::count(truth, positive_class));
  double area = 0;
  double last_recall = 0;
  for (const double threshold : thresholds) {
    double hits = 0;
    double predicted = 0;
    for (std::size_t row = 0; row < truth.size(); ++row) {
      predicted += scores[row] >= threshold ? 1 : 0;
      hits += scores[row] >= threshold && truth[row] == positive_class ? 1 : 0;
    }
    const double recall = hits / n_positive;
    area += (recall - last_recall) * (hits / predicted);
    last_recall = recall;
  }
  return area;
}

/// The share of pairs, one positive and one not, that are in the right order; ties are half right.
double roc_auc_of_the_definition(const Labels& truth, const Scores& scores,
                                 std::int64_t positive_class) {
  double right = 0;
  double n_pairs = 0;
  for (std::size_t a = 0; a < truth.size(); ++a) {
    for (std::size_t b = 0; b < truth.size(); ++b) {
      if (truth[a] == positive_class && truth[b] != positive_class) {
        right += scores[a] > scores[b] ? 1 : (scores[a] == scores[b] ? 0.5 : 0);
        n_pairs += 1;
      }
    }
  }
  return right / n_pairs;
}

Scores column(const Matrix& matrix, std::size_t label) {
  Scores scores;
  for (std::size_t row = 0; row < matrix.n_rows(); ++row) {
    scores.push_back(matrix(row, label));
  }
  return scores;
}

/// Rows of three classes with scores that tie often, and the same with rows as often as they weigh.
struct Sample {
  explicit Sample(std::uint64_t seed) {
    Random random(seed);
    const std::size_t n_rows = 2 + random.below(30);
    truth = random_labels(random, n_rows, 1 + random.below(3));
    scores = random_levels(random, n_rows, 3, 2 + random.below(20));
    weights = random_weights(random, n_rows);
    many_truth = repeated(truth, weights);
    many_scores = repeated(scores, weights);
  }

  [[nodiscard]] bool has(std::int64_t label) const {
    return std::ranges::count(many_truth, label) > 0;
  }

  Labels truth;
  Matrix scores;
  std::vector<double> weights;
  Labels many_truth;
  Matrix many_scores;
};

TEST(AveragePrecision, is_that_of_the_definition) {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    const Sample sample(seed);
    double sum = 0;
    double n_present = 0;
    for (std::int64_t label = 0; label < 3; ++label) {
      if (sample.has(label)) {
        const auto index = static_cast<std::size_t>(label);
        const double expected = average_precision_of_the_definition(
            sample.many_truth, column(sample.many_scores, index), label);
        EXPECT_NEAR(
            average_precision(sample.truth, column(sample.scores, index), label, sample.weights),
            expected, 1e-14);
        sum += expected;
        n_present += 1;
      }
    }
    EXPECT_NEAR(macro_average_precision(sample.truth, sample.scores, sample.weights),
                sum / n_present, 1e-14);
  }
}

TEST(RocAuc, is_the_share_of_pairs_in_the_right_order) {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    const Sample sample(seed);
    double sum = 0;
    double n_defined = 0;
    for (std::int64_t label = 0; label < 3; ++label) {
      const auto index = static_cast<std::size_t>(label);
      const double expected =
          roc_auc_of_the_definition(sample.many_truth, column(sample.many_scores, index), label);
      if (!std::isnan(expected)) {
        EXPECT_NEAR(roc_auc(sample.truth, column(sample.scores, index), label, sample.weights),
                    expected, 1e-14);
        sum += expected;
        n_defined += 1;
      }
    }
    if (n_defined > 0) {
      EXPECT_NEAR(macro_roc_auc(sample.truth, sample.scores, sample.weights), sum / n_defined,
                  1e-14);
    }
  }
}

TEST(RocAuc, does_not_depend_on_the_unit_of_the_weights) {
  const Labels truth{0, 1, 0, 1};
  const Scores scores{1, 2, 3, 4};
  EXPECT_EQ(roc_auc(truth, scores), 0.75);
  EXPECT_EQ(roc_auc(truth, scores, 1, std::vector<double>(4, 1e-200)), 0.75);
  EXPECT_EQ(average_precision(truth, scores, 1, std::vector<double>(4, 1e-200)),
            average_precision(truth, scores));
}

TEST(Ranking, names_what_is_wrong) {
  const Labels ones{1, 1};
  const Labels zeros{0, 0};
  const Scores scores{1, 2};
  EXPECT_EQ(message([&] { static_cast<void>(average_precision(zeros, scores)); }),
            "no row is of the positive class, expected at least one: average precision is not "
            "defined");
  EXPECT_EQ(average_precision(ones, scores), 1);
  for (const Labels& truth : {zeros, ones}) {
    EXPECT_EQ(message([&] { static_cast<void>(roc_auc(truth, scores)); }),
              "all rows or none are of the positive class, expected some: ROC AUC is not defined");
    EXPECT_EQ(message([&] { static_cast<void>(macro_roc_auc(truth, Matrix(2, 2))); }),
              "all rows are of one class, expected at least two: ROC AUC is not defined");
  }
  EXPECT_EQ(message([&] { static_cast<void>(roc_auc(ones, Scores{1})); }),
            "2 true values and 1 predictions, expected equally many");
  EXPECT_EQ(message([&] { static_cast<void>(roc_auc(ones, Scores{1, std::nan("")})); }),
            "row 1: the score is nan, expected a finite number");
  EXPECT_EQ(message([&] { static_cast<void>(macro_average_precision(ones, Matrix(2, 1))); }),
            "row 0: the true class is 1, expected 0 to 0");
  EXPECT_EQ(message([&] { static_cast<void>(macro_average_precision(ones, Matrix(2, 0))); }),
            "no classes, expected at least one");
}

}  // namespace
}  // namespace bentwood
