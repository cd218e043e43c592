#pragma once

#include <cstddef>
#include <vector>

#include "bentwood/geometry/manifold.hpp"

namespace bentwood {

/// The rows that are vertices of the geodesic convex hull of all rows: in two dimensions counter-clockwise, else ascending; of equal rows
/// the first. Geodesics are straight in Klein coordinates, so it is the Euclidean hull there.
///
/// In the plane Andrew's monotone chain (1979), O(n log n). Beyond, a row is a vertex unless it is in the hull of the vertices found so
/// far; where it is not, the extreme row in the direction away from them is one (Clarkson, "More output-sensitive geometric algorithms",
/// 1994): O(n h d) and more for h vertices, so few dimensions. Throws InvalidInput where the manifold is not one hyperbolic or
/// Euclidean factor, and where a point is off it; Interrupted.
[[nodiscard]] std::vector<std::size_t> convex_hull(const Manifold& manifold, Points points);

/// The nearest points of two geodesic convex hulls.
struct NearestPair {
  /// One row each, in the manifold's coordinates.
  Matrix first;
  Matrix second;
  /// Halfway between them.
  Matrix midpoint;
  double distance = 0;
  /// Whether the hulls have a point in common, which then is all three.
  bool overlap = false;
};

/// Seen from its own midpoint, the nearest pair of two hyperbolic hulls is also the Euclidean nearest pair of the Klein hulls, and from the
/// midpoint of any other pair the way to the Euclidean one (nearest_points) makes the distance shorter. So that is followed as far as it
/// does; then each point is projected onto the other's hull, which is Euclidean as seen from there; and again: a descent on a convex
/// function, until rounding ends it. Any dimension; builds no hull. Throws as convex_hull does, and where one set is empty.
[[nodiscard]] NearestPair nearest_pair(const Manifold& manifold, Points first, Points second);

}  // namespace bentwood
