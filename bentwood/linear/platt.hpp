#pragma once

#include <span>

namespace bentwood {

/// The probability that a row of some score is positive: 1 / (1 + exp(slope · score + offset)). The slope of a good score is negative.
struct Sigmoid {
  double slope = 0;
  double offset = 0;

  /// Does not overflow at any score.
  [[nodiscard]] double operator()(double score) const;
};

/// Platt scaling: the sigmoid of the most likely labels, which are taken not as 0 and 1 but as (1 + 1)/(n₊ + 2) and so on, as if one
/// row more had been seen of either side (Platt, "Probabilistic outputs for support vector machines", 1999). Newton's method with
/// backtracking, in the form that neither overflows nor cancels: Lin, Lin, Weng, "A note on Platt's probabilistic outputs for support
/// vector machines", 2007, Algorithm 1. Where they stop after 100 steps, so do we.
///
/// Labels are ±1, weights (none: all 1) at least 0. Scores are scaled for the computation, so that any finite ones will do. O(n) a step.
[[nodiscard]] Sigmoid platt_sigmoid(std::span<const double> scores, std::span<const double> signs,
                                    std::span<const double> weights = {});

}  // namespace bentwood
