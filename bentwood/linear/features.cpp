#include "bentwood/linear/features.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <vector>

#include "bentwood/base/dense.hpp"
#include "bentwood/base/error.hpp"
#include "bentwood/base/parallel.hpp"
#include "bentwood/geometry/recentre.hpp"

namespace bentwood {
namespace {

constexpr std::size_t block_rows = 1024;

/// One factor of a reference point.
struct Reference {
  Factor factor;
  std::span<const double> point;
};

double asinhc(double s) { return s > 0 ? std::asinh(s) / s : 1; }

/// angle / sin(angle), from the sine and the cosine; 1 at both poles, where the vector is 0.
double inverse_sinc(double sine, double cosine) {
  return sine > 0 ? std::atan2(sine, cosine) / sine : 1;
}

/// The length of log_p(x) in Poincaré coordinates relative to what recentre gives.
double log_scale(const Reference& reference, std::span<const double> x,
                 std::span<const double> weighted) {
  const double radius = reference.factor.radius();
  const double conformal = 1 + reference.point[0] / radius;
  const double size = std::sqrt(dot(weighted, weighted)) / radius;
  if (reference.factor.geometry == Geometry::hyperbolic) {
    return asinhc(size) / conformal;
  }
  return inverse_sinc(size, dot(x, reference.point) / radius / radius) / conformal;
}

std::vector<Reference> references(const Manifold& manifold, std::span<const double> point) {
  std::vector<Reference> result;
  std::size_t column = 0;
  for (const Factor& factor : manifold.signature().factors()) {
    const std::span<const double> part = point.subspan(column, factor.ambient_dim());
    column += factor.ambient_dim();
    if (factor.geometry == Geometry::spherical && !(factor.radius() + part[0] > 0)) {
      throw InvalidInput(
          fmt::format("the reference point is the south pole of {}, expected another point of it",
                      factor.name()));
    }
    result.push_back({factor, part});
  }
  return result;
}

}  // namespace

Matrix linear_features(const Manifold& manifold, MatrixView ambient, FeatureSpace space,
                       std::span<const double> reference, std::size_t n_ones) {
  assert(ambient.n_cols() == manifold.ambient_dim());
  const bool lorentz = space == FeatureSpace::lorentz;
  const std::size_t width = n_features(manifold, space);
  const std::vector<Reference> seen_from =
      lorentz ? std::vector<Reference>() : references(manifold, reference);
  Matrix result = Matrix::uninitialized(ambient.n_rows(), width + n_ones);
  parallel_blocks(ambient.n_rows(), block_rows, [&](std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row) {
      const std::span<const double> x = ambient.row(row);
      const std::span<double> out = result.row(row);
      std::ranges::fill(out.subspan(width), 1.0);
      if (lorentz) {
        std::ranges::copy(x, out.begin());
        continue;
      }
      std::size_t column = 0;
      std::size_t feature = 0;
      for (const Reference& part : seen_from) {
        const std::size_t size = part.point.size();
        const std::span<double> values = out.subspan(feature, part.factor.dim);
        recentre(part.factor, part.point, x.subspan(column, size), values);
        if (space == FeatureSpace::tangent && part.factor.geometry != Geometry::euclidean) {
          const double scale = log_scale(part, x.subspan(column, size), values);
          std::ranges::for_each(values, [scale](double& value) { value *= scale; });
        }
        column += size;
        feature += part.factor.dim;
      }
    }
  });
  return result;
}

}  // namespace bentwood
