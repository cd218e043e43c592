#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>
#include <string_view>

namespace bentwood {

/// How good it is to see a column's values as two clusters, those below a cut and those above it. Lower is better; all are of the size of
/// -2 log-likelihoods, n times a mean, so that one temperature serves all (cluster_cuts.hpp).
enum class ClusterCriterion : std::uint8_t {
  /// n log of the share of the variance that is within the clusters: the cut of 2-means, comparable between columns of any scale.
  two_means,
  /// The BIC of two Gaussians minus that of one: Fast-BIC (Madhyastha et al., "Geodesic Forests", KDD 2020, section 3.3) with the column's own
  /// scale taken out.
  fast_bic,
  /// The BIC of two Gaussians itself, as published: columns of small scale win.
  fast_bic_raw,
  /// As fast_bic with clusters that overlap, by expectation maximisation (gaussian_mixture.hpp): what Fast-BIC stands for, and slow.
  em_bic,
};

/// Reads "two_means", "fast_bic", "fast_bic_raw" or "em_bic". Throws InvalidInput that lists them.
[[nodiscard]] ClusterCriterion parse_cluster_criterion(std::string_view name);
[[nodiscard]] std::string_view name(ClusterCriterion criterion);

/// Some values as a Gaussian: how many there are, and their variance about their own mean.
struct GaussianPart {
  double count = 0;
  double variance = 0;
};

/// The BIC of values that are one Gaussian: -2 log L + 2 log n.
[[nodiscard]] inline double one_gaussian_bic(const GaussianPart& all) {
  return all.count * std::log(2 * std::numbers::pi * all.variance) + all.count +
         2 * std::log(all.count);
}

/// -2 Σ n_j log w_j: what it costs to say which of two clusters each value belongs to.
[[nodiscard]] inline double mixing_cost(const GaussianPart& low, const GaussianPart& high) {
  const double n = low.count + high.count;
  return -2 * (low.count * std::log(low.count / n) + high.count * std::log(high.count / n));
}

/// The BIC of two Gaussians with variances of their own:
///
///     Σ_j [ n_j log(2π σ_j²) + n_j - 2 n_j log w_j ] + 5 log n,      w_j = n_j/n.
///
/// Equation 6 of the paper has "2π̂_j" where the constant 2π is meant and -n_j log μ̂_j where -2 n_j log w_j is, and its Algorithm 3
/// flips the signs of the second cluster.
[[nodiscard]] inline double different_gaussians_bic(const GaussianPart& low,
                                                    const GaussianPart& high) {
  const double n = low.count + high.count;
  return low.count * std::log(2 * std::numbers::pi * low.variance) +
         high.count * std::log(2 * std::numbers::pi * high.variance) + n + mixing_cost(low, high) +
         5 * std::log(n);
}

/// The same with the variance that both share, Σ n_j σ_j²/n, one parameter less.
[[nodiscard]] inline double equal_gaussians_bic(const GaussianPart& low, const GaussianPart& high) {
  const double n = low.count + high.count;
  const double shared = (low.count * low.variance + high.count * high.variance) / n;
  return n * std::log(2 * std::numbers::pi * shared) + n + mixing_cost(low, high) + 4 * std::log(n);
}

/// How doubtful it is that two clusters are two, from 0 to 1, by the BIC of two Gaussians minus that of one, a row. Evenly spread values have about
/// 0, and are in doubt; at -1.2 it is as likely as not. The two numbers were found by trying (docs/geodesic-forests.md).
[[nodiscard]] inline double doubt_of_two(double bic_difference_a_row) {
  constexpr double even_odds = -1.2;
  constexpr double width = 0.6;
  return 1 / (1 + std::exp((even_odds - bic_difference_a_row) / width));
}

}  // namespace bentwood
