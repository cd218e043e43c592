#pragma once

#include <cstddef>

namespace bentwood::split_kernels {

/// Numbers that may be read and written past the last cut.
inline constexpr std::size_t cluster_overrun = 16;

/// The running sums of n standardised values (mean 0, variance 1 with that of rounding): those of the first k at place k.
struct ClusterSums {
  const double* sum;
  const double* square;
  /// What it costs to say the cluster of each value, by cut (mixing_cost).
  const double* mixing;
  std::size_t n;
  /// What is added to every variance, and the least that comes out.
  double rounding;
  double floor;
};

/// Scores of the cuts from `first` to `last`, at their places of `scores`, for the instruction set of this machine.
struct ClusterKernels {
  /// min(different_gaussians_bic, equal_gaussians_bic) - one_gaussian_bic.
  void (*fast_bic)(const ClusterSums& sums, std::size_t first, std::size_t last, double* scores);
  /// n log of the share of the variance that is left.
  void (*two_means)(const ClusterSums& sums, std::size_t first, std::size_t last, double* scores);
};

extern const ClusterKernels cluster_kernels;

}  // namespace bentwood::split_kernels
