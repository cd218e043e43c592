#include "bentwood/metrics/ranking.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <vector>

#include "bentwood/base/error.hpp"
#include "bentwood/metrics/checks.hpp"

namespace bentwood {
namespace {

using metrics::require_labels;
using metrics::require_rows;
using metrics::Weights;

/// The rows of one score: the weight of the positive ones and of the others.
struct Threshold {
  double score;
  double positive;
  double negative;
};

/// The distinct scores of the rows with weight, from the largest down.
std::vector<Threshold> thresholds(std::span<const std::int64_t> truth, MatrixView scores,
                                  std::size_t column, std::int64_t positive_class,
                                  const Weights& weights) {
  std::vector<Threshold> rows;
  rows.reserve(truth.size());
  for (std::size_t row = 0; row < truth.size(); ++row) {
    const double weight = weights(row);
    const bool positive = truth[row] == positive_class;
    if (weight > 0) {
      rows.push_back({scores(row, column), positive ? weight : 0, positive ? 0 : weight});
    }
  }
  // Stable, so that weights of equal scores are summed in the order of the rows.
  std::ranges::stable_sort(rows, std::ranges::greater(), &Threshold::score);
  std::vector<Threshold> merged;
  for (const Threshold& row : rows) {
    if (merged.empty() || merged.back().score != row.score) {
      merged.push_back(row);
    } else {
      merged.back().positive += row.positive;
      merged.back().negative += row.negative;
    }
  }
  return merged;
}

/// The average precision; nothing where no row is positive.
std::optional<double> precision_area(std::span<const Threshold> thresholds) {
  double area = 0;
  double positive = 0;
  double total = 0;
  for (const Threshold& threshold : thresholds) {
    positive += threshold.positive;
    total += threshold.positive + threshold.negative;
    area += threshold.positive * (positive / total);
  }
  return positive > 0 ? std::optional(area / positive) : std::nullopt;
}

/// The area under the ROC curve; nothing where one of the two sides has no row.
std::optional<double> roc_area(std::span<const Threshold> thresholds) {
  double all_positive = 0;
  double all_negative = 0;
  for (const Threshold& threshold : thresholds) {
    all_positive += threshold.positive;
    all_negative += threshold.negative;
  }
  if (all_positive == 0 || all_negative == 0) {
    return std::nullopt;
  }
  double area = 0;
  double positive = 0;
  for (const Threshold& threshold : thresholds) {
    // Shares rather than weights: the product of two tiny weights may vanish.
    area +=
        threshold.negative / all_negative * ((positive + threshold.positive / 2) / all_positive);
    positive += threshold.positive;
  }
  return area;
}

void require_scores(MatrixView scores) {
  for (std::size_t row = 0; row < scores.n_rows(); ++row) {
    for (const double score : scores.row(row)) {
      if (!std::isfinite(score)) {
        throw RowError(row, fmt::format("the score is {}, expected a finite number", score));
      }
    }
  }
}

using Area = std::optional<double> (*)(std::span<const Threshold>);

/// The area for one class, where it is defined.
std::optional<double> binary_area(std::span<const std::int64_t> truth,
                                  std::span<const double> scores, std::int64_t positive_class,
                                  std::span<const double> weights, Area area) {
  require_rows(truth.size(), scores.size());
  const Weights checked_weights(weights, truth.size());
  const MatrixView column(scores.data(), scores.size(), 1);
  require_scores(column);
  return area(thresholds(truth, column, 0, positive_class, checked_weights));
}

/// The mean over the classes where the area is defined; nothing where there is none.
std::optional<double> macro_area(std::span<const std::int64_t> truth, MatrixView scores,
                                 std::span<const double> weights, Area area) {
  require_rows(truth.size(), scores.n_rows());
  require_labels(truth, scores.n_cols(), "true");
  const Weights checked_weights(weights, truth.size());
  require_scores(scores);
  double sum = 0;
  double n_classes = 0;
  for (std::size_t label = 0; label < scores.n_cols(); ++label) {
    const auto positive_class = static_cast<std::int64_t>(label);
    const auto of_class = area(thresholds(truth, scores, label, positive_class, checked_weights));
    sum += of_class.value_or(0);
    n_classes += of_class ? 1 : 0;
  }
  return n_classes > 0 ? std::optional(sum / n_classes) : std::nullopt;
}

double value_or_throw(std::optional<double> area, const char* problem) {
  if (!area) {
    throw InvalidInput(problem);
  }
  return *area;
}

constexpr const char* no_positive =
    "no row is of the positive class, expected at least one: average precision is not defined";
constexpr const char* one_side =
    "all rows or none are of the positive class, expected some: ROC AUC is not defined";
constexpr const char* one_class =
    "all rows are of one class, expected at least two: ROC AUC is not defined";

}  // namespace

double average_precision(std::span<const std::int64_t> truth, std::span<const double> scores,
                         std::int64_t positive_class, std::span<const double> weights) {
  return value_or_throw(binary_area(truth, scores, positive_class, weights, precision_area),
                        no_positive);
}

double macro_average_precision(std::span<const std::int64_t> truth, MatrixView scores,
                               std::span<const double> weights) {
  // Some row has weight, and its class has an average precision.
  return value_or_throw(macro_area(truth, scores, weights, precision_area), no_positive);
}

double roc_auc(std::span<const std::int64_t> truth, std::span<const double> scores,
               std::int64_t positive_class, std::span<const double> weights) {
  return value_or_throw(binary_area(truth, scores, positive_class, weights, roc_area), one_side);
}

double macro_roc_auc(std::span<const std::int64_t> truth, MatrixView scores,
                     std::span<const double> weights) {
  return value_or_throw(macro_area(truth, scores, weights, roc_area), one_class);
}

}  // namespace bentwood
