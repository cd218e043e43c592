#pragma once

#include <cstddef>
#include <span>

namespace bentwood {

/// Where a row of numbers holds a point of a hyperbolic factor in polar form, for many Busemann functions of the same point: from `place`
/// on the `dim` components of the unit vector v from the origin towards it (zeros at the origin itself), then ½ sinh r and exp(-r) of
/// its distance r in curvature radii.
struct PolarPlace {
  /// The factor's place in the signature, from 0.
  std::size_t factor = 0;
  std::size_t place = 0;
  std::size_t dim = 0;

  /// The numbers that it takes.
  [[nodiscard]] std::size_t size() const { return dim + 2; }
  friend bool operator==(const PolarPlace&, const PolarPlace&) = default;
};

/// The direction of a canonical point of H and its distance from the origin in curvature radii, exact from the origin to the boundary.
/// `canonical` has the components and their scale; `root` is one over the curvature radius.
double polar_form(std::span<const double> canonical, double root, std::span<double> direction);

/// The same as a PolarPlace has it. `polar` has room for two numbers more than there are dimensions.
void write_polar(std::span<const double> canonical, double root, std::span<double> polar);

/// exp(B_w), B_w the Busemann function of the ideal point w in curvature radii:
///
///     exp(B_w) = cosh r - sinh r w·v = exp(-r) + ½ sinh r |w - v|².
///
/// Nothing cancels, near the origin or near the boundary, and there is no logarithm to take: a horosphere is where this is one number,
/// inside it is less. `polar` is a point as PolarPlace has it, `ideal` a unit vector.
[[nodiscard]] inline double horosphere_level(const double* polar, std::span<const double> ideal) {
  double squared = 0;
  for (std::size_t axis = 0; axis < ideal.size(); ++axis) {
    const double apart = ideal[axis] - polar[axis];
    squared += apart * apart;
  }
  return polar[ideal.size() + 1] + polar[ideal.size()] * squared;
}

}  // namespace bentwood
