#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <limits>
#include <set>
#include <span>
#include <vector>

#include "bentwood/base/random.hpp"
#include "bentwood/split/cluster_cuts.hpp"

namespace bentwood {

using Long = long double;

/// A column to cluster, ascending: spread evenly or in two clusters, of few values, constant, with outliers, far from 0; of any scale.
inline std::vector<double> random_column(Random& random) {
  const std::size_t n = 1 + random.below(random.below(3) == 0 ? 300 : 40);
  const std::uint64_t kind = random.below(7);
  const double gap = 10 * random.uniform();
  const double offset = random.below(3) == 0 ? std::pow(10.0, 14 * random.uniform()) : 0;
  const double scale = random.below(2) == 0 ? std::pow(10.0, 400 * random.uniform() - 200) : 1;
  std::vector<double> column(n);
  for (double& value : column) {
    value = random.normal();
    if (kind == 1) {
      value = random.below(3) == 0 ? 0.3 * value + gap : value;
    } else if (kind == 2) {
      value = static_cast<double>(random.below(7));
    } else if (kind == 3) {
      value = 0.7;
    } else if (kind == 4) {
      value = random.below(20) == 0 ? 1e9 * value : value;
    } else if (kind == 5) {
      value = random.below(2) == 0 ? 1 : value;
    }
    value = (value + offset) * scale;
  }
  std::ranges::sort(column);
  return column;
}

/// The variance about the own mean, from its definition in two passes; measured from the first value, so that no digits are lost far from 0.
inline Long variance_of(std::span<const double> values) {
  const auto n = static_cast<Long>(values.size());
  const auto from = static_cast<Long>(values.front());
  Long mean = 0;
  for (const double value : values) {
    mean += (static_cast<Long>(value) - from) / n;
  }
  Long variance = 0;
  for (const double value : values) {
    const Long deviation = static_cast<Long>(value) - from - mean;
    variance += deviation * deviation / n;
  }
  return variance;
}

/// Whether a cut is within its limits, from their definition.
inline bool may_cut(std::span<const double> sorted, std::size_t cut, const ClusterLimits& limits) {
  if (cut == 0 || cut >= sorted.size() || !(sorted[cut - 1] < sorted[cut])) {
    return false;
  }
  const auto is_whole = [&](std::size_t size) {
    const double least = limits.min_share * static_cast<double>(sorted.size());
    return size >= limits.min_rows && static_cast<double>(size) >= least;
  };
  return is_whole(cut) && is_whole(sorted.size() - cut);
}

/// h²/12 where values repeat, h the smallest distance of two different ones.
inline Long rounding_of(std::span<const double> values) {
  const std::set<double> different(values.begin(), values.end());
  if (different.size() == values.size() || different.size() < 2) {
    return 0;
  }
  Long smallest = std::numeric_limits<Long>::infinity();
  for (auto one = different.begin(), next = std::next(one); next != different.end();
       ++one, ++next) {
    smallest = std::min(smallest, static_cast<Long>(*next - *one));
  }
  return smallest * smallest / 12;
}

/// The variance of one side of a cut, at least that of a side of few values, d²/4.
inline Long variance_of_side(std::span<const double> side, Long rounding, Long apart, Long floor) {
  const std::set<double> different(side.begin(), side.end());
  return std::max({variance_of(side) + rounding, floor,
                   different.size() < few_different_values ? apart * apart / 4 : Long{0}});
}

/// The BICs of a cut from the published formulas: two Gaussians with variances of their own, or with one that they share; and all as one.
struct NaiveBics {
  Long different = 0;
  Long equal = 0;
  Long one = 0;
  /// n log of the share of the variance that is within the clusters.
  Long two_means = 0;
};

inline NaiveBics naive_bics(std::span<const double> sorted, std::size_t cut) {
  const Long two_pi = 2 * std::acos(Long{-1});
  const auto n = static_cast<Long>(sorted.size());
  const auto low = static_cast<Long>(cut);
  const Long high = n - low;
  const Long rounding = rounding_of(sorted);
  const Long all = variance_of(sorted) + rounding;
  const Long floor = all * static_cast<Long>(variance_floor);
  const auto apart = static_cast<Long>(sorted[cut] - sorted[cut - 1]);
  const Long low_variance = variance_of_side(sorted.first(cut), rounding, apart, floor);
  const Long high_variance = variance_of_side(sorted.subspan(cut), rounding, apart, floor);
  const Long shared = (low * low_variance + high * high_variance) / n;
  const Long mixing = -2 * low * std::log(low / n) - 2 * high * std::log(high / n);
  return {mixing + low * std::log(two_pi * low_variance) + high * std::log(two_pi * high_variance) +
              n + 5 * std::log(n),
          mixing + n * std::log(two_pi * shared) + n + 4 * std::log(n),
          n * std::log(two_pi * all) + n + 2 * std::log(n), n * std::log(shared / all)};
}

}  // namespace bentwood
