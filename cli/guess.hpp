#pragma once

#include <string>
#include <vector>

#include "bentwood/geometry/coordinates.hpp"
#include "bentwood/geometry/membership.hpp"

namespace bentwood::cli {

/// A manifold that all points of a file lie on.
struct Guess {
  std::string signature;
  Coordinates coordinates = Coordinates::ambient;
};

/// The single hyperboloids, spheres and balls that hold all points, most telling first. Being on a
/// hyperboloid or a sphere is no accident, being inside the unit ball may be; Euclidean space,
/// which holds everything, is not listed. Empty where nothing fits, or where there are too few points to tell.
[[nodiscard]] std::vector<Guess> guess_signatures(Points points);

}  // namespace bentwood::cli
