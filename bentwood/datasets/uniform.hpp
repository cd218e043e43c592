#pragma once

#include <cstddef>
#include <cstdint>

#include "bentwood/base/matrix.hpp"
#include "bentwood/base/random.hpp"
#include "bentwood/geometry/coordinates.hpp"
#include "bentwood/geometry/signature.hpp"

namespace bentwood {

struct UniformOptions {
  Signature signature{"H2"};
  std::size_t n_rows = 1000;
  /// The radius of the ball around the origin on hyperbolic and Euclidean factors, a length on the
  /// manifold. Spheres have a finite volume and are always covered whole.
  double radius = 1;
  Coordinates coordinates = Coordinates::ambient;
  std::uint64_t seed = 0;
};

/// Points uniform in volume: on S^n over the whole sphere, on H^n and E^n over the ball of `radius`
/// around the origin; on a product independently in every factor.
///
/// The distance ρ from the origin then has density proportional to sinh^(n-1)(ρ/R) on H^n and
/// ρ^(n-1) on E^n, so in hyperbolic space nearly all points lie within a few R of the rim. A pure
/// function of the options. Throws InvalidInput where they make no sense.
[[nodiscard]] Matrix uniform_points(const UniformOptions& options);

/// A draw from the density proportional to sinh^(dim-1) on [0, radius], in units of R. Exact, by
/// rejection; the expected number of tries is below 2 for every dimension and radius.
[[nodiscard]] double draw_hyperbolic_radius(std::size_t dim, double radius, Random& random);

}  // namespace bentwood
