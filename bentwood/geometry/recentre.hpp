#pragma once

#include <span>

#include "bentwood/geometry/signature.hpp"

namespace bentwood {

/// The isometry that carries a point p to the origin along the ray: of what x becomes, all but the first ambient coordinate.
///
/// With D = x - p and spatial parts alone, on H^n of radius R that is
///
///     D + p (p·D / (R + p_0) - (x + p)·D / (x_0 + p_0)) / R,
///
/// on S^n the same with the rotation, on E^n it is D. Nothing but the four operations, and exactly 0 for x = p.
///
/// All points are in ambient coordinates; the centre must outlive this. Requires p_0 > -R on a sphere.
class Recentre {
 public:
  Recentre(const Factor& factor, std::span<const double> centre)
      : geometry_(factor.geometry), radius_(factor.radius()), centre_(centre) {}

  /// Writes n numbers.
  void operator()(std::span<const double> x, std::span<double> out) const;

  [[nodiscard]] Geometry geometry() const { return geometry_; }
  [[nodiscard]] double radius() const { return radius_; }
  [[nodiscard]] std::span<const double> centre() const { return centre_; }

 private:
  Geometry geometry_;
  double radius_;
  std::span<const double> centre_;
};

}  // namespace bentwood
