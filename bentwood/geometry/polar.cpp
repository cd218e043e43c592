#include "bentwood/geometry/polar.hpp"

#include <algorithm>
#include <cmath>

namespace bentwood {

double polar_form(std::span<const double> canonical, double root, std::span<double> direction) {
  const std::size_t dim = direction.size();
  double largest = 0;
  for (const double value : canonical.first(dim)) {
    largest = std::max(largest, std::abs(value));
  }
  double squared = 0;  // of numbers of at most 1: tiny points keep their direction
  for (const double value : canonical.first(dim)) {
    squared += largest > 0 ? (value / largest) * (value / largest) : 0;
  }
  const double norm = largest * std::sqrt(squared);
  for (std::size_t axis = 0; axis < dim; ++axis) {
    direction[axis] = norm > 0 ? canonical[axis] / largest / std::sqrt(squared) : 0;
  }
  return std::asinh(root * canonical[dim] * norm);
}

void write_polar(std::span<const double> canonical, double root, std::span<double> polar) {
  const std::size_t dim = polar.size() - 2;
  const double distance = polar_form(canonical, root, polar.first(dim));
  polar[dim] = 0.5 * std::sinh(distance);
  polar[dim + 1] = std::exp(-distance);
}

}  // namespace bentwood
