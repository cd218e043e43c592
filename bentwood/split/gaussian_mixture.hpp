#pragma once

#include <array>
#include <cstddef>
#include <span>

namespace bentwood {

/// Values as two Gaussians that may overlap.
struct GaussianMixture {
  struct Component {
    double weight = 0;
    double mean = 0;
    double variance = 0;
  };

  /// The one of the lower mean first.
  std::array<Component, 2> components{};
  double log_likelihood = 0;
  std::size_t n_values = 0;
  std::size_t n_iterations = 0;

  /// -2 log-likelihood + 5 log n.
  [[nodiscard]] double bic() const;
  /// How many of the values, ascending, come before the place between the two means where both components are equally likely; the values
  /// closer to the lower mean where there is none.
  [[nodiscard]] std::size_t cut(std::span<const double> sorted) const;
};

/// The mixture that expectation maximisation finds (Dempster, Laird, Rubin 1977), begun at the clusters that a cut makes: the lowest `n_left` values
/// and the others. No variance falls below `least_variance`. Ends where a step raises the log-likelihood by less than 1e-9 of it, after 1,000 steps
/// at the latest; O(n) a step. Requires 0 < n_left < sorted.size() and least_variance > 0. Throws
/// Interrupted.
[[nodiscard]] GaussianMixture gaussian_mixture(std::span<const double> sorted, std::size_t n_left,
                                               double least_variance);

}  // namespace bentwood
