#include "bentwood/metrics/regression.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstddef>

#include "bentwood/base/error.hpp"
#include "bentwood/metrics/checks.hpp"

namespace bentwood {
namespace {

using metrics::weight_of;

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

void check(MatrixView truth, MatrixView predicted, std::span<const double> weights) {
  metrics::require_rows(truth.n_rows(), predicted.n_rows());
  if (truth.n_cols() != predicted.n_cols()) {
    throw InvalidInput(fmt::format("{} true outputs and {} predicted ones, expected equally many",
                                   truth.n_cols(), predicted.n_cols()));
  }
  if (truth.n_cols() == 0) {
    throw InvalidInput("no outputs, expected at least one");
  }
  metrics::require_weights(weights, truth.n_rows());
  require_finite(truth, "true");
  require_finite(predicted, "predicted");
}

/// The weighted mean over the rows of what `term` says of each.
template <class Term>
double mean_over_rows(std::size_t n_rows, std::span<const double> weights, const Term& term) {
  double sum = 0;
  double total = 0;
  for (std::size_t row = 0; row < n_rows; ++row) {
    const double weight = weight_of(weights, row);
    sum += weight * term(row);
    total += weight;
  }
  return sum / total;
}

/// The plain mean over the outputs of what `score` says of each.
template <class Score>
double mean_over_outputs(std::size_t n_outputs, const Score& score) {
  double sum = 0;
  for (std::size_t output = 0; output < n_outputs; ++output) {
    sum += score(output);
  }
  return sum / static_cast<double>(n_outputs);
}

double mean_squared_error(MatrixView truth, MatrixView predicted, std::span<const double> weights,
                          std::size_t output) {
  return mean_over_rows(truth.n_rows(), weights, [&](std::size_t row) {
    const double error = truth(row, output) - predicted(row, output);
    return error * error;
  });
}

/// The first row with weight. Requires that there is one.
std::size_t first_row(std::span<const double> weights) {
  std::size_t row = 0;
  while (weight_of(weights, row) == 0) {
    ++row;
  }
  return row;
}

/// Exactly 0 where all values are equal: deviations are taken from the first of them, because rounding
/// of the mean alone would leave a tiny variance.
double variance(MatrixView values, std::span<const double> weights, std::size_t output) {
  const double origin = values(first_row(weights), output);
  const double shift = mean_over_rows(
      values.n_rows(), weights, [&](std::size_t row) { return values(row, output) - origin; });
  return mean_over_rows(values.n_rows(), weights, [&](std::size_t row) {
    const double deviation = (values(row, output) - origin) - shift;
    return deviation * deviation;
  });
}

std::size_t n_rows_with_weight(std::size_t n_rows, std::span<const double> weights) {
  std::size_t result = 0;
  for (std::size_t row = 0; row < n_rows; ++row) {
    result += weight_of(weights, row) > 0 ? 1U : 0U;
  }
  return result;
}

}  // namespace

double rmse(MatrixView truth, MatrixView predicted, std::span<const double> weights) {
  check(truth, predicted, weights);
  return mean_over_outputs(truth.n_cols(), [&](std::size_t output) {
    return std::sqrt(mean_squared_error(truth, predicted, weights, output));
  });
}

double mae(MatrixView truth, MatrixView predicted, std::span<const double> weights) {
  check(truth, predicted, weights);
  return mean_over_outputs(truth.n_cols(), [&](std::size_t output) {
    return mean_over_rows(truth.n_rows(), weights, [&](std::size_t row) {
      return std::abs(truth(row, output) - predicted(row, output));
    });
  });
}

double r2(MatrixView truth, MatrixView predicted, std::span<const double> weights) {
  check(truth, predicted, weights);
  if (n_rows_with_weight(truth.n_rows(), weights) < 2) {
    throw InvalidInput("1 row has weight, expected at least 2: R² is not defined");
  }
  return mean_over_outputs(truth.n_cols(), [&](std::size_t output) {
    const double error = mean_squared_error(truth, predicted, weights, output);
    const double spread = variance(truth, weights, output);
    if (spread == 0) {
      return error == 0 ? 1.0 : 0.0;
    }
    return 1 - error / spread;
  });
}

}  // namespace bentwood
