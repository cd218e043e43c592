#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "bentwood/base/matrix.hpp"
#include "bentwood/geometry/coordinates.hpp"
#include "bentwood/geometry/signature.hpp"

namespace bentwood {

/// What `separable_points` draws.
struct SeparableOptions {
  /// One hyperbolic factor.
  Signature signature{"H2"};
  std::size_t n_rows = 1000;
  /// How far the points keep away from the hyperplane, a distance on the manifold.
  double margin = 0.1;
  /// The norm that points of the Poincaré ball have at most, a share of its radius.
  double radius = 0.95;
  /// The norm of the point that the hyperplane goes through, a share of `radius`.
  double offset = 0.2;
  Coordinates coordinates = Coordinates::ambient;
  std::uint64_t seed = 0;
};

struct SeparablePoints {
  Matrix points;
  std::vector<std::int64_t> labels;
  /// The point that the hyperplane goes through, one row.
  Matrix reference;
};

/// Points that a geodesic hyperplane separates with a margin: the synthetic data of Chien, Pan, Tabaghi, Milenkovic, "Highly scalable and
/// provably accurate classification in Poincaré balls", ICDM 2021.
///
/// Points are uniform in the Euclidean volume of a ball within the Poincaré ball; the hyperplane goes through a point p of a random direction, its
/// normal is random, too, and the label says on which side a point is, 0 or 1. A point nearer than the margin is drawn anew, where they
/// leave it out. A pure function of the options. Throws InvalidInput where they make no sense, or leave no room beside the hyperplane.
[[nodiscard]] SeparablePoints separable_points(const SeparableOptions& options);

}  // namespace bentwood
