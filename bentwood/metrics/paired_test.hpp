#pragma once

#include <cstddef>
#include <span>

namespace bentwood {

/// What a paired t-test says of two methods that were scored on the same folds.
struct PairedTTest {
  /// The mean of first - second.
  double mean_difference = 0;
  double t = 0;
  std::size_t degrees_of_freedom = 0;
  /// How probable a t at least as far from 0 is where the methods do not differ (two-tailed).
  double p = 1;
  /// The ends of the confidence interval of the mean difference.
  double low = 0;
  double high = 0;
};

/// The paired two-tailed t-test: with d_i = first_i - second_i, their mean d̄ and variance
/// s² = Σ (d_i - d̄)² / (n - 1),
///
///     t = d̄ / (s / √n),   ν = n - 1,   p = P(|T_ν| >= |t|),   interval d̄ ± t* s/√n,
///
/// t* being exceeded by |T_ν| with probability 1 - confidence (Student, "The probable error of a mean",
/// Biometrika 6, 1908).
///
/// Where all differences are equal up to rounding of the scores (4 ε times the largest) there is no
/// spread to compare with, and the answer is a limit: p = 1 and t = 0 where they are 0, else p = 0 and
/// t = ±infinity; the interval is the mean difference alone.
///
/// Throws InvalidInput where the numbers of scores differ, are below 2 or one is not finite, or the
/// confidence does not lie between 0 and 1. O(n).
[[nodiscard]] PairedTTest paired_t_test(std::span<const double> first,
                                        std::span<const double> second, double confidence = 0.95);

}  // namespace bentwood
