#include "bentwood/metrics/checks.hpp"

#include <fmt/format.h>

#include <cmath>

#include "bentwood/base/error.hpp"

namespace bentwood::metrics {

void require_rows(std::size_t n_rows, std::size_t n_predictions) {
  if (n_rows != n_predictions) {
    throw InvalidInput(fmt::format("{} true values and {} predictions, expected equally many",
                                   n_rows, n_predictions));
  }
  if (n_rows == 0) {
    throw InvalidInput("no rows, expected at least one");
  }
}

void require_labels(std::span<const std::int64_t> labels, std::size_t n_classes, const char* kind) {
  for (std::size_t row = 0; row < labels.size(); ++row) {
    // A negative number is a very large one without its sign.
    if (static_cast<std::uint64_t>(labels[row]) >= n_classes) {
      throw RowError(row, fmt::format("the {} class is {}, expected 0 to {}", kind, labels[row],
                                      static_cast<std::int64_t>(n_classes) - 1));
    }
  }
}

void require_weights(std::span<const double> weights, std::size_t n_rows) {
  if (weights.empty()) {
    return;
  }
  if (weights.size() != n_rows) {
    throw InvalidInput(
        fmt::format("{} weights for {} rows, expected one each", weights.size(), n_rows));
  }
  double total = 0;
  for (std::size_t row = 0; row < n_rows; ++row) {
    if (!(weights[row] >= 0) || !std::isfinite(weights[row])) {
      throw RowError(row,
                     fmt::format("the weight is {}, expected a finite number >= 0", weights[row]));
    }
    total += weights[row];
  }
  if (!(total > 0) || !std::isfinite(total)) {
    throw InvalidInput(fmt::format("the weights sum to {}, expected a finite number > 0", total));
  }
}

}  // namespace bentwood::metrics
