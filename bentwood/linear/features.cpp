#include "bentwood/linear/features.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <vector>

#include "bentwood/base/dense.hpp"
#include "bentwood/base/error.hpp"
#include "bentwood/base/parallel.hpp"
#include "bentwood/geometry/kernels/blocks.hpp"
#include "bentwood/geometry/recentre.hpp"
#include "bentwood/linear/hyperbolic_features.hpp"

namespace bentwood {
namespace {

/// angle / sin(angle), from the sine and the cosine; 1 at both poles, where the vector is 0.
double inverse_sinc(double sine, double cosine) {
  return sine > 0 ? std::atan2(sine, cosine) / sine : 1;
}

/// The length of log_p(x) on a sphere in Poincaré coordinates relative to what recentre gives.
double log_scale(const Recentre& reference, std::span<const double> x,
                 std::span<const double> weighted) {
  const double radius = reference.radius();
  const double size = std::sqrt(dot(weighted, weighted)) / radius;
  return inverse_sinc(size, dot(x, reference.centre()) / radius / radius) /
         (1 + reference.centre()[0] / radius);
}

std::vector<Recentre> references(const Manifold& manifold, std::span<const double> point) {
  std::vector<Recentre> result;
  std::size_t column = 0;
  for (const Factor& factor : manifold.signature().factors()) {
    const std::span<const double> part = point.subspan(column, factor.ambient_dim());
    column += factor.ambient_dim();
    if (factor.geometry == Geometry::spherical && !(factor.radius() + part[0] > 0)) {
      throw InvalidInput(
          fmt::format("the reference point is the south pole of {}, expected another point of it",
                      factor.name()));
    }
    result.emplace_back(factor, part);
  }
  return result;
}

/// Where a factor's points and features stand in their rows.
struct Place {
  const Recentre& reference;
  std::size_t column = 0;
  std::size_t feature = 0;
  std::size_t n_features = 0;
};

std::vector<Place> places(const std::vector<Recentre>& references) {
  std::vector<Place> result;
  std::size_t column = 0;
  std::size_t feature = 0;
  for (const Recentre& reference : references) {
    const std::size_t size = reference.centre().size();
    const bool flat = reference.geometry() == Geometry::euclidean;
    result.push_back({reference, column, feature, size - (flat ? 0 : 1)});
    column += size;
    feature += result.back().n_features;
  }
  return result;
}

/// Spheres and flat factors, a row at a time.
void fill_rows(const Place& place, bool weighted, MatrixView ambient, kernels::RowRange rows,
               Matrix& result) {
  const std::size_t size = place.reference.centre().size();
  for (std::size_t row = rows.first; row < rows.first + rows.n_rows; ++row) {
    const std::span<const double> x = ambient.row(row).subspan(place.column, size);
    const std::span<double> values = result.row(row).subspan(place.feature, place.n_features);
    place.reference(x, values);
    if (!weighted && place.reference.geometry() == Geometry::spherical) {
      const double scale = log_scale(place.reference, x, values);
      std::ranges::for_each(values, [scale](double& value) { value *= scale; });
    }
  }
}

Matrix lorentz_features(MatrixView ambient, std::size_t n_ones) {
  Matrix result = Matrix::uninitialized(ambient.n_rows(), ambient.n_cols() + n_ones);
  parallel_blocks(ambient.n_rows(), kernels::task_rows, [&](std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row) {
      const auto behind = std::ranges::copy(ambient.row(row), result.row(row).begin()).out;
      std::fill(behind, result.row(row).end(), 1.0);
    }
  });
  return result;
}

}  // namespace

Matrix linear_features(const Manifold& manifold, MatrixView ambient, FeatureSpace space,
                       std::span<const double> reference, std::size_t n_ones) {
  assert(ambient.n_cols() == manifold.ambient_dim());
  if (space == FeatureSpace::lorentz) {
    return lorentz_features(ambient, n_ones);
  }
  const bool weighted = space == FeatureSpace::weighted;
  const std::vector<Recentre> seen_from = references(manifold, reference);
  const std::vector<Place> factors = places(seen_from);
  const std::size_t width = n_features(manifold, space);
  Matrix result = Matrix::uninitialized(ambient.n_rows(), width + n_ones);
  struct Buffers {
    kernels::Buffer points;
    kernels::Buffer features;
  };
  kernels::for_each_block(
      ambient.n_rows(),
      [&] { return Buffers{kernels::Buffer(ambient.n_cols()), kernels::Buffer(width)}; },
      [&](Buffers& buffers, kernels::RowRange rows) {
        for (const Place& place : factors) {
          if (place.reference.geometry() != Geometry::hyperbolic) {
            fill_rows(place, weighted, ambient, rows, result);
            continue;
          }
          kernels::gather(ambient, rows, place.column, place.n_features + 1, buffers.points.data());
          hyperbolic_features(place.reference, weighted, buffers.points.data(),
                              buffers.features.data());
          kernels::scatter(buffers.features.data(), rows, place.feature, place.n_features,
                           result.view());
        }
        for (std::size_t row = rows.first; n_ones > 0 && row < rows.first + rows.n_rows; ++row) {
          std::ranges::fill(result.row(row).subspan(width), 1.0);
        }
      });
  return result;
}

}  // namespace bentwood
