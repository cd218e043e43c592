#pragma once

#include <cstddef>

#include "bentwood/geometry/manifold.hpp"
#include "bentwood/geometry/membership.hpp"

namespace bentwood {

/// Points in ambient coordinates, and how many of them were projected onto the manifold for that, how far at most.
struct AmbientPoints {
  Matrix points;
  std::size_t n_projected = 0;
  double largest_residual = 0;
};

/// Throws InvalidInput where a point is off the manifold and not to be projected.
[[nodiscard]] AmbientPoints ambient_points(const Manifold& manifold, OffManifold policy,
                                           Points points);

}  // namespace bentwood
