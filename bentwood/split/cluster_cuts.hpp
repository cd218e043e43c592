#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "bentwood/base/matrix.hpp"
#include "bentwood/split/cluster_criterion.hpp"

namespace bentwood {

/// What both sides of a cut must have. Without these a handful of values, or one that many rows share, is the best cluster there is.
struct ClusterLimits {
  std::size_t min_rows = 5;
  /// Of the rows of the node.
  double min_share = 0.1;
};

/// A cluster of fewer different values has no variance of its own to speak of, and is given at least d²/4, d the distance across the cut:
/// otherwise columns of a few whole numbers would win over every structure. What is all zeros can still be told from what comes
/// close to it.
inline constexpr std::size_t few_different_values = 3;

/// The least variance of a cluster, relative to that of all values.
inline constexpr double variance_floor = 1e-3;

/// All cuts of one column after the other. Values that repeat are taken for rounded ones, to multiples of the smallest distance h of two of them, and
/// every variance is that of what was rounded, h²/12 more (Sheppard 1898): dice are then no better to cut than even numbers. A cut after `n` values puts the lowest n on the left; no cut falls between equal values.
///
/// Every cut is scored in O(1) from running sums of the standardised values: about 5 ns a value.
class ClusterCuts {
 public:
  explicit ClusterCuts(ClusterCriterion criterion, ClusterLimits limits = {})
      : criterion_(criterion), limits_(limits) {}

  /// Scores the cuts of finite values in ascending order. Returns the lowest score; infinity where nothing may be cut, or the standard
  /// deviation is not above `least_deviation` (what rounding leaves of a sum whose terms cancel).
  double score(std::span<const double> sorted, double least_deviation = 0);

  /// The first cut of the lowest score. Requires that `score` found one.
  [[nodiscard]] std::size_t best() const { return best_; }

  /// A cut at random, with probabilities proportional to exp(-(score - lowest)/(2 n temperature)): at 1/n that is the posterior of the
  /// cut, at 0 the best one. Cuts of evenly spread values are all about equally good, and which of them is the best is chance: what
  /// is drawn differs from tree to tree, where the best would not. `uniform` is a random number of [0, 1). Requires as `best`.
  [[nodiscard]] std::size_t draw(double temperature, double uniform) const;

  /// The score of a cut that was last scored; infinity where it may not be.
  [[nodiscard]] double score_of(std::size_t n_left) const {
    return n_left >= first_ && n_left <= last_ ? scores_[n_left]
                                               : std::numeric_limits<double>::infinity();
  }

 private:
  bool set_range();
  void score_few_values(std::span<const double> sorted, double deviation);
  void score_range(std::span<const double> sorted, double mean, double deviation);
  void keep_mixture(std::span<const double> sorted, double mean, double deviation);

  ClusterCriterion criterion_;
  ClusterLimits limits_;
  // Of the column at hand.
  std::size_t n_ = 0;
  /// The cuts that may be, first and last; those between equal values have an infinite score.
  std::size_t first_ = 0;
  std::size_t last_ = 0;
  std::size_t best_ = 0;
  /// h²/12 of the standardised values.
  double rounding_ = 0;
  std::vector<double> sums_;
  std::vector<double> squares_;
  std::vector<double> mixing_;
  std::vector<double> scores_;
  /// k log k for all k so far.
  std::vector<double> k_log_k_;
};

}  // namespace bentwood
