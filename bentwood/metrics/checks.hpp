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

/// What rows weigh; 1 each where there are no weights.
class Weights {
 public:
  /// Throws InvalidInput unless `weights`, which must outlive this object, is empty or has for each row a finite number >= 0, and their
  /// sum is finite and positive.
  Weights(std::span<const double> weights, std::size_t n_rows);

  /// The weight of a row as it was given.
  [[nodiscard]] double given(std::size_t row) const { return weights_.empty() ? 1 : weights_[row]; }
  /// The same times a power of two, 1 unless weights are very large or small: products of these are numbers.
  [[nodiscard]] double operator()(std::size_t row) const { return given(row) * scale_; }

 private:
  std::span<const double> weights_;
  double scale_ = 1;
};

}  // namespace bentwood::metrics
