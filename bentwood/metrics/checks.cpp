#include "bentwood/metrics/checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "bentwood/base/error.hpp"
#include "bentwood/base/weights.hpp"

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
  if (n_classes == 0 && !labels.empty()) {
    throw InvalidInput("no classes, expected at least one");
  }
  for (std::size_t row = 0; row < labels.size(); ++row) {
    // A negative number is a very large one without its sign.
    if (static_cast<std::uint64_t>(labels[row]) >= n_classes) {
      throw RowError(row, fmt::format("the {} class is {}, expected 0 to {}", kind, labels[row],
                                      n_classes - 1));
    }
  }
}

Weights::Weights(std::span<const double> weights, std::size_t n_rows) : weights_(weights) {
  if (weights.empty()) {
    return;
  }
  check_weights(weights, n_rows);
  const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
  if (!std::isfinite(total)) {
    throw InvalidInput(fmt::format("the weights sum to {}, expected a finite number", total));
  }
  scale_ = scale_to_one(std::ranges::max(weights));
}

}  // namespace bentwood::metrics
