#pragma once

#include <string>
#include <string_view>
#include <tuple>

#include "bentwood/geometry/manifold.hpp"
#include "python/src/arrays.hpp"

namespace bentwood::python {

/// An array with the precision it had, as `as_matrix` returns them.
using GivenPoints = std::tuple<InputMatrix, std::string_view>;

inline Points points(const GivenPoints& given) {
  return points(std::get<0>(given), std::get<1>(given));
}

/// Throws InvalidInput, in the words of Python's arguments, where a point is not on the manifold (with
/// OffManifold::project: where it cannot be projected). Returns the warning about precision, empty where there is
/// none.
inline std::string require(const Manifold& manifold, Points points,
                           OffManifold policy = OffManifold::error) {
  MessageStyle style = default_message_style();
  style.projection_hint = "pass off_manifold=\"project\", or project the points first";
  const Membership found =
      check_membership(manifold.signature(), manifold.coordinates(), points, style);
  const std::string problem =
      offence(manifold.signature(), manifold.coordinates(), points, found, policy, style);
  if (!problem.empty()) {
    throw InvalidInput(problem);
  }
  return precision_warning(manifold.signature(), manifold.coordinates(), points, found);
}

/// A copy of points that `require` has nothing against.
inline Matrix own_points(const Manifold& manifold, const GivenPoints& given,
                         std::string_view what) {
  try {
    require(manifold, points(given));
    // Tightens points of a shorter type, and leaves all others as they are.
    return manifold.project(points(given)).points;
  } catch (const InvalidInput& error) {
    throw InvalidInput(std::string(what) + ": " + error.what());
  }
}

}  // namespace bentwood::python
