#include "bentwood/metrics/regression.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "bentwood/base/error.hpp"
#include "bentwood/base/weights.hpp"
#include "bentwood/metrics/checks.hpp"

namespace bentwood {
namespace {

using metrics::Weights;

void require_finite(MatrixView values, const char* kind) {
  for (std::size_t row = 0; row < values.n_rows(); ++row) {
    for (const double value : values.row(row)) {
      if (!std::isfinite(value)) {
        throw RowError(row,
                       fmt::format("the {} value is {}, expected a finite number", kind, value));
      }
    }
  }
}

Weights checked(MatrixView truth, MatrixView predicted, std::span<const double> weights) {
  metrics::require_rows(truth.n_rows(), predicted.n_rows());
  if (truth.n_cols() != predicted.n_cols()) {
    throw InvalidInput(fmt::format("{} true outputs and {} predicted ones, expected equally many",
                                   truth.n_cols(), predicted.n_cols()));
  }
  if (truth.n_cols() == 0) {
    throw InvalidInput("no outputs, expected at least one");
  }
  Weights result(weights, truth.n_rows());
  require_finite(truth, "true");
  require_finite(predicted, "predicted");
  return result;
}

/// The weighted mean over the rows of what `term` says of each.
template <class Term>
double mean_over_rows(std::size_t n_rows, const Weights& weights, const Term& term) {
  double sum = 0;
  double total = 0;
  for (std::size_t row = 0; row < n_rows; ++row) {
    const double weight = weights(row);
    sum += weight * term(row);
    total += weight;
  }
  return sum / total;
}

/// The plain mean over the outputs of what `score` says of each. Throws InvalidInput where it is no number.
template <class Score>
double mean_over_outputs(std::size_t n_outputs, const char* name, const Score& score) {
  double sum = 0;
  for (std::size_t output = 0; output < n_outputs; ++output) {
    sum += score(output);
  }
  const double mean = sum / static_cast<double>(n_outputs);
  if (!std::isfinite(mean)) {
    throw InvalidInput(fmt::format(
        "{} is beyond the largest number, 1.8e308: divide all values by one number", name));
  }
  return mean;
}

double largest_of(MatrixView values, std::size_t output) {
  double largest = 0;
  for (std::size_t row = 0; row < values.n_rows(); ++row) {
    largest = std::max(largest, std::abs(values(row, output)));
  }
  return largest;
}

/// One output of the rows, and of the predictions. Errors are times a power of two that makes their squares numbers, 1 unless values are
/// very large or small.
struct Output {
  Output(MatrixView true_values, MatrixView predicted_values, const Weights& row_weights,
         std::size_t index)
      : truth(true_values),
        predicted(predicted_values),
        weights(row_weights),
        output(index),
        scale(scale_to_one(std::max(largest_of(truth, output), largest_of(predicted, output)))) {}

  [[nodiscard]] double error(std::size_t row) const {
    return truth(row, output) * scale - predicted(row, output) * scale;
  }
  [[nodiscard]] double mean_squared_error() const {
    return mean_over_rows(truth.n_rows(), weights,
                          [&](std::size_t row) { return error(row) * error(row); });
  }

  MatrixView truth;
  MatrixView predicted;
  const Weights& weights;
  std::size_t output;
  double scale;
};

/// The first row with weight. Requires that there is one.
std::size_t first_row(const Weights& weights) {
  std::size_t row = 0;
  while (weights(row) == 0) {
    ++row;
  }
  return row;
}

/// Exactly 0 where all values are equal: deviations are taken from the first of them, because rounding
/// of the mean alone would leave a tiny variance. Of the values times `scale`.
double variance(MatrixView values, const Weights& weights, std::size_t output, double scale) {
  const double origin = values(first_row(weights), output) * scale;
  const auto from_origin = [&](std::size_t row) { return values(row, output) * scale - origin; };
  const double shift = mean_over_rows(values.n_rows(), weights, from_origin);
  return mean_over_rows(values.n_rows(), weights, [&](std::size_t row) {
    const double deviation = from_origin(row) - shift;
    return deviation * deviation;
  });
}

std::size_t n_rows_with_weight(std::size_t n_rows, const Weights& weights) {
  std::size_t result = 0;
  for (std::size_t row = 0; row < n_rows; ++row) {
    result += weights(row) > 0 ? 1U : 0U;
  }
  return result;
}

}  // namespace

double rmse(MatrixView truth, MatrixView predicted, std::span<const double> weights) {
  const Weights row_weights = checked(truth, predicted, weights);
  return mean_over_outputs(truth.n_cols(), "the RMSE", [&](std::size_t index) {
    const Output output(truth, predicted, row_weights, index);
    return std::sqrt(output.mean_squared_error()) / output.scale;
  });
}

double mae(MatrixView truth, MatrixView predicted, std::span<const double> weights) {
  const Weights row_weights = checked(truth, predicted, weights);
  return mean_over_outputs(truth.n_cols(), "the MAE", [&](std::size_t index) {
    const Output output(truth, predicted, row_weights, index);
    return mean_over_rows(truth.n_rows(), row_weights,
                          [&](std::size_t row) { return std::abs(output.error(row)); }) /
           output.scale;
  });
}

double r2(MatrixView truth, MatrixView predicted, std::span<const double> weights) {
  const Weights row_weights = checked(truth, predicted, weights);
  if (n_rows_with_weight(truth.n_rows(), row_weights) < 2) {
    throw InvalidInput("1 row has weight, expected at least 2: R² is not defined");
  }
  return mean_over_outputs(truth.n_cols(), "R²", [&](std::size_t index) {
    const Output output(truth, predicted, row_weights, index);
    const double scale = scale_to_one(largest_of(truth, index));
    const double error = output.mean_squared_error();
    const double spread = variance(truth, row_weights, index, scale);
    if (spread == 0) {
      return error == 0 ? 1.0 : 0.0;
    }
    const double ratio = scale / output.scale;
    return 1 - error / spread * ratio * ratio;
  });
}

}  // namespace bentwood
