#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "bentwood/base/random.hpp"
#include "bentwood/geometry/manifold.hpp"
#include "bentwood/linear/polar_points.hpp"

namespace bentwood {

/// Two noisy, overlapping clouds of hyperbolic points with signs and weights.
struct SvmProblem {
  SvmProblem(std::size_t n_rows, std::size_t dim, std::uint64_t seed, double curvature = -1)
      : manifold(Signature({{Geometry::hyperbolic, dim, curvature}}), Coordinates::tangent),
        vectors(n_rows, dim) {
    Random random(seed);
    const double radius = 1 / std::sqrt(-curvature);
    std::vector<double> centre(dim);
    for (double& component : centre) {
      component = 1.5 * random.normal();
    }
    for (std::size_t row = 0; row < n_rows; ++row) {
      signs.push_back(random.uniform() < 0.4 ? 1 : -1);
      weights.push_back(1 + static_cast<double>(random.below(3)));
      for (std::size_t axis = 0; axis < dim; ++axis) {
        const double shift = signs.back() > 0 ? centre[axis] : 0;
        vectors(row, axis) = radius * (1.2 * random.normal() + shift);
      }
    }
    rows.resize(n_rows);
    std::iota(rows.begin(), rows.end(), 0U);
    points = PolarPoints(manifold, vectors);
  }

  Manifold manifold;
  Matrix vectors;
  PolarPoints points;
  std::vector<std::uint32_t> rows;
  std::vector<double> signs;
  std::vector<double> weights;
};

}  // namespace bentwood
