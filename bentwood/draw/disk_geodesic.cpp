#include "bentwood/draw/disk_geodesic.hpp"

#include <cmath>

namespace bentwood {

std::optional<PlaneCircle> geodesic_circle(PlanePoint a, PlanePoint b) {
  const double determinant = a.x * b.y - a.y * b.x;
  const double half_a = (1 + a.x * a.x + a.y * a.y) / 2;
  const double half_b = (1 + b.x * b.x + b.y * b.y) / 2;
  const PlanePoint numerator{half_a * b.y - half_b * a.y, half_b * a.x - half_a * b.x};
  // A circle this much larger than the disk bends by less than a thousandth of a pixel inside it.
  constexpr double flattest = 1e-6;
  if (std::abs(determinant) <= flattest * std::hypot(numerator.x, numerator.y)) {
    return std::nullopt;
  }
  const PlanePoint centre{numerator.x / determinant, numerator.y / determinant};
  return PlaneCircle{centre, std::hypot(centre.x - a.x, centre.y - a.y)};
}

PlaneCircle rapidity_circle(double rapidity) {
  return {{1 / std::tanh(rapidity), 0}, 1 / std::abs(std::sinh(rapidity))};
}

}  // namespace bentwood
