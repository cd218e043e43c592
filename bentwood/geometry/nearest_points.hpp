#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "bentwood/base/matrix.hpp"

namespace bentwood {

/// A pair of points of the Euclidean convex hulls of two sets.
struct NearestPoints {
  std::vector<double> first;
  std::vector<double> second;
  /// Their distance; 0 where the hulls meet.
  double distance = 0;
  /// The rows of both sets whose differences have the two in their hull: where to start for sets that have moved a little.
  std::vector<std::pair<std::size_t, std::size_t>> pairs{};
  /// What each of these pairs contributes to the two points; their sum is 1.
  std::vector<double> shares{};
};

/// The nearest points of two convex hulls in R^d: Wolfe's method ("Finding the nearest point in a polytope", 1976) on the differences
/// of the two sets, of which only the extreme one in some direction is ever computed. Exact up to rounding, whatever d; never builds a
/// hull. Hulls that come nearer than 1e-12 of the sets' size meet. Rows may be of any finite size, all 0 included. O((n + m) d + d²) a step.
/// Requires rows in both; throws Interrupted.
[[nodiscard]] NearestPoints nearest_points(
    MatrixView first, MatrixView second,
    std::span<const std::pair<std::size_t, std::size_t>> start = {});

}  // namespace bentwood
