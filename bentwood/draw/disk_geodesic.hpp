#pragma once

#include <optional>

namespace bentwood {

/// A point of the plane.
struct PlanePoint {
  double x = 0;
  double y = 0;
};

struct PlaneCircle {
  PlanePoint centre;
  double radius = 0;
};

/// The circle that carries the geodesic through two different points of the Poincaré disk of radius
/// 1: the one through both that meets the unit circle at right angles, |c|² = 1 + radius². Its
/// centre solves c·a = (1 + |a|²)/2 and c·b = (1 + |b|²)/2.
///
/// Nothing where the points lie on one diameter, up to rounding: the geodesic is then a straight
/// line.
[[nodiscard]] std::optional<PlaneCircle> geodesic_circle(PlanePoint a, PlanePoint b);

/// The circle of the geodesic that crosses the x axis at a right angle at signed distance
/// `rapidity` ≠ 0 from the origin: the level set ρ_1 = rapidity that trees cut along. Centre coth
/// ρ, radius 1/|sinh ρ|.
[[nodiscard]] PlaneCircle rapidity_circle(double rapidity);

}  // namespace bentwood
