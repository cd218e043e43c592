#pragma once

#include <cmath>
#include <limits>
#include <span>

#include "bentwood/base/weights.hpp"

namespace bentwood {

/// Whether the root of a sum of squares is right: none of them that counts has vanished, nor has the sum overflowed.
[[nodiscard]] inline bool is_safe_square(double squared) {
  return squared >= 1e-280 && squared <= std::numeric_limits<double>::max();
}

/// The distance on a product, √(Σ d_i²) of the distances on its factors.
[[nodiscard]] inline double product_distance(std::span<const double> distances) {
  double squared = 0;
  double largest = 0;
  for (const double distance : distances) {
    squared += distance * distance;
    largest = std::fmax(largest, distance);
  }
  if (is_safe_square(squared) || largest == 0) {
    return std::sqrt(squared);
  }
  const double scale = scale_to_one(largest);
  double scaled = 0;
  for (const double distance : distances) {
    scaled += (distance * scale) * (distance * scale);
  }
  return std::sqrt(scaled) / scale;
}

}  // namespace bentwood
