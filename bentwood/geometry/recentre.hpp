#pragma once

#include <span>

#include "bentwood/geometry/signature.hpp"

namespace bentwood {

/// Where the isometry that carries the point p to the origin along the ray takes x: all but the first ambient coordinate, n numbers.
///
/// With D = x - p and spatial parts alone, on H^n of radius R that is
///
///     D + p (p·D / (R + p_0) - (x + p)·D / (x_0 + p_0)) / R,
///
/// on S^n the same with the rotation, on E^n it is D. Nothing but the four operations, and exactly 0 for x = p.
///
/// Both points are in ambient coordinates. Requires p_0 > -R on a sphere.
void recentre(const Factor& factor, std::span<const double> centre, std::span<const double> x,
              std::span<double> out);

}  // namespace bentwood
