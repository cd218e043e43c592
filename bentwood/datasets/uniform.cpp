#include "bentwood/datasets/uniform.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "bentwood/base/error.hpp"
#include "bentwood/base/parallel.hpp"
#include "bentwood/datasets/chunks.hpp"
#include "bentwood/datasets/streams.hpp"
#include "bentwood/geometry/manifold.hpp"

namespace bentwood {
namespace {

// The farthest points the geometry accepts, in units of R (docs/geometry.md, "Precision").
constexpr double farthest = 350;

void check(const UniformOptions& options) {
  datasets::require_rows(options.n_rows);
  if (!(options.radius > 0) || !std::isfinite(options.radius)) {
    throw InvalidInput(
        fmt::format("the radius must be a finite number > 0, found {}", options.radius));
  }
  for (const Factor& factor : options.signature.factors()) {
    if (factor.geometry == Geometry::hyperbolic && options.radius / factor.radius() > farthest) {
      throw InvalidInput(fmt::format("the radius may be at most {} on {}, found {}",
                                     farthest * factor.radius(), factor.name(), options.radius));
    }
  }
}

/// Fills `direction` with independent normals and returns their norm, which is never zero.
double draw_normals(std::span<double> direction, Random& random) {
  double norm = 0;
  while (norm == 0) {
    std::ranges::generate(direction, [&] { return random.normal(); });
    for (const double component : direction) {
      norm = std::hypot(norm, component);
    }
  }
  return norm;
}

/// A point of one factor as a tangent vector at the origin.
void draw_tangent(const Factor& factor, double radius, Random& random, std::span<double> vector) {
  const double norm = draw_normals(vector, random);
  double length = 0;
  switch (factor.geometry) {
    case Geometry::hyperbolic:
      length =
          factor.radius() * draw_hyperbolic_radius(factor.dim, radius / factor.radius(), random);
      break;
    case Geometry::euclidean:
      length = radius * std::pow(random.uniform(), 1 / static_cast<double>(factor.dim));
      break;
    case Geometry::spherical:
      // (height, vector) is an isotropic normal in R^(n+1): its direction is uniform on the sphere.
      length = factor.radius() * std::atan2(norm, random.normal());
      break;
  }
  for (double& component : vector) {
    component *= length / norm;
  }
}

/// The points of rows first, first + 1, ... as tangent vectors at the origin.
Matrix draw_tangents(const UniformOptions& options, std::size_t first, std::size_t n_rows) {
  Matrix tangents = Matrix::uninitialized(n_rows, options.signature.dim());
  parallel_blocks(
      n_rows, datasets::rows_per_block(tangents.n_cols()), [&](std::size_t begin, std::size_t end) {
        for (std::size_t row = begin; row < end; ++row) {
          Random random =
              datasets::stream(options.seed, datasets::Stream::uniform_points, first + row);
          std::span<double> rest = tangents.row(row);
          for (const Factor& factor : options.signature.factors()) {
            draw_tangent(factor, options.radius, random, rest.first(factor.dim));
            rest = rest.subspan(factor.dim);
          }
        }
      });
  return tangents;
}

}  // namespace

double draw_hyperbolic_radius(std::size_t dim, double radius, Random& random) {
  const auto power = static_cast<double>(dim) - 1;
  while (true) {
    double draw = 0;
    double log_acceptance = 0;
    // Both proposals bound (sinh ρ / sinh r)^(n-1): by (ρ/r)^(n-1), tight for small radii, and by
    // e^((n-1)(ρ-r)), tight for large ones.
    if (radius <= 1) {
      draw = radius * std::pow(1 - random.uniform(), 1 / (power + 1));
      // Where the numbers are too small for a quotient, sinh ρ is ρ, and every draw is right.
      log_acceptance =
          draw > 0 ? power * std::log(std::sinh(draw) / draw * (radius / std::sinh(radius))) : 0;
    } else {
      // The inverse of the distribution function of e^((n-1)ρ) on [0, r], which is linear for n
      // = 1.
      const double share = 1 - random.uniform();
      draw = power == 0
                 ? radius * share
                 : radius + std::log(share + (1 - share) * std::exp(-power * radius)) / power;
      draw = std::clamp(draw, 0.0, radius);
      log_acceptance =
          power == 0
              ? 0
              : power * (std::log1p(-std::exp(-2 * draw)) - std::log1p(-std::exp(-2 * radius)));
    }
    if (std::log(1 - random.uniform()) <= log_acceptance) {
      return draw;
    }
  }
}

Matrix uniform_points(const UniformOptions& options) {
  check(options);
  const Manifold manifold(options.signature);
  return datasets::in_chunks(options.n_rows, n_columns(options.signature, options.coordinates),
                             [&](std::size_t first, std::size_t n_rows) {
                               return manifold.convert(draw_tangents(options, first, n_rows),
                                                       Coordinates::tangent, options.coordinates);
                             });
}

}  // namespace bentwood
