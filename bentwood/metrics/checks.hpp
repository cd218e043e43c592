#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

/// What the metrics ask of their arguments, and how they read weights.
namespace bentwood::metrics {

/// Throws InvalidInput unless there are as many predictions as rows, and rows at all.
void require_rows(std::size_t n_rows, std::size_t n_predictions);

/// Throws InvalidInput unless all are class indices: 0 to n_classes - 1. `kind` is "true" or
/// "predicted".
void require_labels(std::span<const std::int64_t> labels, std::size_t n_classes, const char* kind);

/// Throws InvalidInput unless `weights` is empty or has for each row a finite number >= 0, and their
/// sum is finite and positive.
void require_weights(std::span<const double> weights, std::size_t n_rows);

/// The weight of a row: 1 where there are no weights.
[[nodiscard]] inline double weight_of(std::span<const double> weights, std::size_t row) {
  return weights.empty() ? 1 : weights[row];
}

}  // namespace bentwood::metrics
