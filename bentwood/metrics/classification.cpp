#include "bentwood/metrics/classification.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "bentwood/base/error.hpp"
#include "bentwood/metrics/checks.hpp"

namespace bentwood {
namespace {

using metrics::require_labels;
using metrics::require_rows;
using metrics::Weights;

Weights checked(std::span<const std::int64_t> truth, std::span<const std::int64_t> predicted,
                std::size_t n_classes, std::span<const double> weights) {
  require_rows(truth.size(), predicted.size());
  require_labels(truth, n_classes, "true");
  require_labels(predicted, n_classes, "predicted");
  return {weights, truth.size()};
}

/// The marginals and the diagonal of the confusion matrix, which itself may be too large: it grows with
/// the square of the number of classes.
struct Counts {
  std::vector<double> hits;
  std::vector<double> predicted;
  std::vector<double> support;
};

Counts count(std::span<const std::int64_t> truth, std::span<const std::int64_t> predicted,
             std::size_t n_classes, const Weights& weights) {
  Counts counts{std::vector<double>(n_classes), std::vector<double>(n_classes),
                std::vector<double>(n_classes)};
  for (std::size_t row = 0; row < truth.size(); ++row) {
    const double weight = weights(row);
    counts.support[static_cast<std::size_t>(truth[row])] += weight;
    counts.predicted[static_cast<std::size_t>(predicted[row])] += weight;
    if (truth[row] == predicted[row]) {
      counts.hits[static_cast<std::size_t>(truth[row])] += weight;
    }
  }
  return counts;
}

double ratio(double part, double whole) { return whole == 0 ? 0 : part / whole; }

AverageScores scores(double hits, double predicted, double support) {
  return {ratio(hits, predicted), ratio(hits, support), ratio(2 * hits, predicted + support)};
}

double sum(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

void check_probabilities(MatrixView probabilities, double epsilon) {
  const double tolerance = std::sqrt(epsilon);
  for (std::size_t row = 0; row < probabilities.n_rows(); ++row) {
    double total = 0;
    for (std::size_t label = 0; label < probabilities.n_cols(); ++label) {
      const double probability = probabilities(row, label);
      if (!(probability >= 0 && probability <= 1)) {
        throw RowError(row, fmt::format("the probability of class {} is {}, expected 0 to 1", label,
                                        probability));
      }
      total += probability;
    }
    if (std::abs(total - 1) > tolerance) {
      throw RowError(row, fmt::format("the probabilities sum to {:.9g}, expected 1 within {:.2g}",
                                      total, tolerance));
    }
  }
}

}  // namespace

Matrix confusion_matrix(std::span<const std::int64_t> truth,
                        std::span<const std::int64_t> predicted, std::size_t n_classes,
                        std::span<const double> weights) {
  const Weights checked_weights = checked(truth, predicted, n_classes, weights);
  Matrix result(n_classes, n_classes);
  for (std::size_t row = 0; row < truth.size(); ++row) {
    result(static_cast<std::size_t>(truth[row]), static_cast<std::size_t>(predicted[row])) +=
        checked_weights.given(row);
  }
  return result;
}

double accuracy(std::span<const std::int64_t> truth, std::span<const std::int64_t> predicted,
                std::span<const double> weights) {
  require_rows(truth.size(), predicted.size());
  const Weights weight_of(weights, truth.size());
  double hits = 0;
  double total = 0;
  for (std::size_t row = 0; row < truth.size(); ++row) {
    const double weight = weight_of(row);
    total += weight;
    hits += truth[row] == predicted[row] ? weight : 0;
  }
  return hits / total;
}

ClassScores class_scores(std::span<const std::int64_t> truth,
                         std::span<const std::int64_t> predicted, std::size_t n_classes,
                         std::span<const double> weights) {
  const Weights checked_weights = checked(truth, predicted, n_classes, weights);
  const Counts counts = count(truth, predicted, n_classes, checked_weights);
  ClassScores result;
  for (std::size_t label = 0; label < n_classes; ++label) {
    const auto [precision, recall, f1] =
        scores(counts.hits[label], counts.predicted[label], counts.support[label]);
    result.precision.push_back(precision);
    result.recall.push_back(recall);
    result.f1.push_back(f1);
  }
  result.support.assign(n_classes, 0);
  for (std::size_t row = 0; row < truth.size(); ++row) {
    result.support[static_cast<std::size_t>(truth[row])] += checked_weights.given(row);
  }
  return result;
}

Average parse_average(std::string_view text) {
  if (text == "micro") {
    return Average::micro;
  }
  if (text == "macro") {
    return Average::macro;
  }
  if (text == "weighted") {
    return Average::weighted;
  }
  throw InvalidInput(
      fmt::format("unknown average \"{}\", expected \"micro\", \"macro\" or \"weighted\"", text));
}

AverageScores average_scores(std::span<const std::int64_t> truth,
                             std::span<const std::int64_t> predicted, std::size_t n_classes,
                             Average average, std::span<const double> weights) {
  const Counts counts =
      count(truth, predicted, n_classes, checked(truth, predicted, n_classes, weights));
  if (average == Average::micro) {
    return scores(sum(counts.hits), sum(counts.predicted), sum(counts.support));
  }
  AverageScores result;
  double total = 0;
  for (std::size_t label = 0; label < n_classes; ++label) {
    const bool occurs = counts.support[label] + counts.predicted[label] > 0;
    const double weight = average == Average::weighted ? counts.support[label] : (occurs ? 1 : 0);
    const auto [precision, recall, f1] =
        scores(counts.hits[label], counts.predicted[label], counts.support[label]);
    result.precision += weight * precision;
    result.recall += weight * recall;
    result.f1 += weight * f1;
    total += weight;
  }
  return {result.precision / total, result.recall / total, result.f1 / total};
}

double log_loss(std::span<const std::int64_t> truth, MatrixView probabilities,
                std::span<const double> weights, double epsilon) {
  require_rows(truth.size(), probabilities.n_rows());
  require_labels(truth, probabilities.n_cols(), "true");
  const Weights weight_of(weights, truth.size());
  check_probabilities(probabilities, epsilon);
  double loss = 0;
  double total = 0;
  for (std::size_t row = 0; row < truth.size(); ++row) {
    const double weight = weight_of(row);
    const double probability = probabilities(row, static_cast<std::size_t>(truth[row]));
    loss -= weight * std::log(std::clamp(probability, epsilon, 1 - epsilon));
    total += weight;
  }
  return loss / total;
}

}  // namespace bentwood
