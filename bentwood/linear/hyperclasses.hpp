#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "bentwood/base/matrix.hpp"
#include "bentwood/linear/polar_points.hpp"

namespace bentwood {

/// Classes that belong together, found by merging from the leaves of a hierarchy to its root.
struct Hyperclasses {
  /// The classes that have rows, ascending: cluster i of the linkage for i < K, their number.
  std::vector<std::uint32_t> classes;
  /// The hyperclasses in the order in which they were merged, K - 2 of them (the last merge has all classes, and tells nothing
  /// apart): the classes of each, ascending.
  std::vector<std::vector<std::uint32_t>> merged;
  /// The merges as SciPy's linkage has them, one row each: the two clusters that become cluster K + row, the height, the number of
  /// classes in it. Heights are the radius of the farthest class mean minus that of the lowest common ancestor, in curvature radii; where
  /// a later merge would be below one of its own, it has that one's height.
  Matrix linkage;
  /// The distance of each merge's lowest common ancestor from the origin, in curvature radii.
  std::vector<double> ancestor_radii;
};

/// Merges the two classes whose Einstein means have the lowest common ancestor farthest from the origin, gives the merged class the mean of
/// all its rows, and repeats (Doorenbos et al., "Hyperbolic Random Forests", TMLR 2024, section 3.4). The ancestor is the point of the
/// geodesic segment between the means that is nearest the origin; the paper takes the whole line, and leaves the class itself out of the
/// sum of Lorentz factors of its mean (eq. 10).
///
/// `classes` has the class of each of the `rows`, `weights` (none: all 1) how much it counts; rows of weight 0 are not there. Pairs of
/// equal distance are taken in order. Requires classes < n_classes. O(n dim + K² dim + K³), the last of comparisons. Throws
/// Interrupted.
[[nodiscard]] Hyperclasses hyperclasses(const PolarPoints& points,
                                        std::span<const std::uint32_t> rows,
                                        std::span<const std::uint32_t> classes,
                                        std::span<const double> weights, std::size_t n_classes);

}  // namespace bentwood
