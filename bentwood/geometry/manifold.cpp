#include "bentwood/geometry/manifold.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "bentwood/base/error.hpp"
#include "bentwood/base/random.hpp"
#include "bentwood/geometry/kernels/blocks.hpp"
#include "bentwood/geometry/product_distance.hpp"
#include "bentwood/geometry/row_operation.hpp"

namespace bentwood {

using kernels::FactorKernels;
using kernels::RowOperation;
using kernels::Slot;

std::string_view natural_coordinate(Geometry geometry) {
  switch (geometry) {
    case Geometry::hyperbolic:
      return "rapidity";
    case Geometry::spherical:
      return "angle";
    case Geometry::euclidean:
      break;
  }
  return "x";
}

namespace {

/// Throws RowError where a number that was computed for a row is not finite, as differences of large Euclidean coordinates may be.
void require_range(const Signature& signature, std::span<const double> numbers,
                   std::size_t n_columns = 1) {
  for (std::size_t index = 0; index < numbers.size(); ++index) {
    if (!std::isfinite(numbers[index])) {
      throw RowError(
          index / n_columns,
          fmt::format("the result is out of the range of float64 on {}", signature.text()));
    }
  }
}

/// √(Σ d_i²) of the factors' distances; the plain value where there is one factor.
std::vector<double> combine_distances(const Matrix& by_factor) {
  if (by_factor.n_cols() == 1) {
    return {by_factor.data(), by_factor.data() + by_factor.n_rows()};
  }
  std::vector<double> result(by_factor.n_rows());
  for (std::size_t row = 0; row < result.size(); ++row) {
    result[row] = product_distance(by_factor.row(row));
  }
  return result;
}

void require_rows(std::size_t found, std::size_t expected, std::string_view what) {
  if (found != expected) {
    throw InvalidInput(fmt::format("{} has {} rows, but x has {}", what, found, expected));
  }
}

}  // namespace

Manifold::Manifold(Signature signature, Coordinates coordinates)
    : signature_(std::move(signature)), coordinates_(coordinates) {}

Manifold::Manifold(std::string_view signature, Coordinates coordinates)
    : Manifold(Signature(signature), coordinates) {}

std::size_t Manifold::n_columns() const { return bentwood::n_columns(signature_, coordinates_); }

Matrix Manifold::convert(Points points, Coordinates source, Coordinates target) const {
  if (source == target) {
    kernels::require_on_manifold(signature_, source, points, "row");
    return Manifold(signature_, source).project(points).points;
  }
  return RowOperation(signature_, source).x(points).points(nullptr, target);
}

std::vector<std::uint8_t> Manifold::contains(Points points) const {
  const Matrix off = residuals(signature_, coordinates_, points.rows);
  std::vector<std::uint8_t> result(off.n_rows(), 1);
  for (std::size_t index = 0; index < off.n_cols(); ++index) {
    const double tolerance =
        residual_tolerance(signature_.factors()[index], coordinates_, points.precision);
    for (std::size_t row = 0; row < off.n_rows(); ++row) {
      if (!(off(row, index) <= tolerance)) {
        result[row] = 0;
      }
    }
  }
  return result;
}

Membership Manifold::membership(Points points) const {
  return check_membership(signature_, coordinates_, points);
}

Manifold::Projection Manifold::project(Points points) const {
  const Membership found = membership(points);
  const std::string problem =
      offence(signature_, coordinates_, points, found, OffManifold::project);
  if (!problem.empty()) {
    throw InvalidInput(problem);
  }
  Projection result;
  result.points = Matrix::uninitialized(points.rows.n_rows(), points.rows.n_cols());
  std::copy_n(points.rows.data(), points.rows.n_rows() * points.rows.n_cols(),
              result.points.data());
  const Matrix off = residuals(signature_, coordinates_, points.rows);
  const std::vector<Slot> slots = kernels::slots(signature_, coordinates_);
  for (std::size_t row = 0; row < off.n_rows(); ++row) {
    bool moved = false;
    for (std::size_t index = 0; index < slots.size(); ++index) {
      const Slot& slot = slots[index];
      const double residual = off(row, index);
      if (residual > residual_tolerance(slot.factor, coordinates_, Precision::float64)) {
        kernels::Buffer before(slot.n_columns);
        kernels::Buffer after(slot.n_columns);
        kernels::gather(points.rows, {row, 1}, slot.column, slot.n_columns, before.data());
        slot.kernels->project.at(static_cast<std::size_t>(coordinates_))(
            {.dim = slot.factor.dim,
             .curvature = slot.factor.curvature,
             .n_rows = 1,
             .x = before.data(),
             .out = after.data()});
        kernels::scatter(after.data(), {row, 1}, slot.column, slot.n_columns, result.points.view());
        if (residual > residual_tolerance(slot.factor, coordinates_, points.precision)) {
          result.largest_residual = std::max(result.largest_residual, residual);
          moved = true;
        }
      }
    }
    result.n_projected += moved ? 1 : 0;
  }
  return result;
}

std::vector<double> Manifold::distance(Points x, Points y) const {
  require_rows(y.rows.n_rows(), x.rows.n_rows(), "y");
  std::vector<double> result = combine_distances(
      RowOperation(signature_, coordinates_).x(x).y(y).column(&FactorKernels::distance));
  require_range(signature_, result);
  return result;
}

Matrix Manifold::radii(Points points) const {
  Matrix result = RowOperation(signature_, coordinates_).x(points).column(&FactorKernels::radius);
  require_range(signature_, {result.data(), result.n_rows() * result.n_cols()}, result.n_cols());
  return result;
}

Matrix Manifold::exp(Points points, MatrixView vectors) const {
  require_rows(vectors.n_rows(), points.rows.n_rows(), "vectors");
  return RowOperation(signature_, coordinates_)
      .x(points)
      .vectors(vectors)
      .points(&FactorKernels::exp, coordinates_);
}

Matrix Manifold::log(Points x, Points y) const {
  require_rows(y.rows.n_rows(), x.rows.n_rows(), "y");
  return RowOperation(signature_, coordinates_)
      .x(x)
      .y(y)
      .vectors_at(RowOperation::Base::x, &FactorKernels::log);
}

Matrix Manifold::transport(Points x, Points y, MatrixView vectors) const {
  require_rows(y.rows.n_rows(), x.rows.n_rows(), "y");
  require_rows(vectors.n_rows(), x.rows.n_rows(), "vectors");
  return RowOperation(signature_, coordinates_)
      .x(x)
      .y(y)
      .vectors(vectors)
      .vectors_at(RowOperation::Base::y, &FactorKernels::transport);
}

Matrix Manifold::geodesic(Points x, Points y, std::span<const double> times) const {
  require_rows(y.rows.n_rows(), x.rows.n_rows(), "y");
  if (times.size() != 1 && times.size() != x.rows.n_rows()) {
    throw InvalidInput(fmt::format("t has {} entries, expected one or one a row ({})", times.size(),
                                   x.rows.n_rows()));
  }
  for (std::size_t row = 0; row < times.size(); ++row) {
    if (!std::isfinite(times[row])) {
      throw InvalidInput(fmt::format("t[{}] is {}, expected a finite number", row, times[row]));
    }
  }
  return RowOperation(signature_, coordinates_)
      .x(x)
      .y(y)
      .times(times)
      .points(&FactorKernels::geodesic, coordinates_);
}

Matrix Manifold::midpoint(Points x, Points y) const {
  require_rows(y.rows.n_rows(), x.rows.n_rows(), "y");
  return RowOperation(signature_, coordinates_)
      .x(x)
      .y(y)
      .points(&FactorKernels::midpoint, coordinates_);
}

Matrix Manifold::lowest_common_ancestor(Points x, Points y) const {
  require_rows(y.rows.n_rows(), x.rows.n_rows(), "y");
  return RowOperation(signature_, coordinates_)
      .x(x)
      .y(y)
      .times_from(&FactorKernels::ancestor)
      .points(&FactorKernels::geodesic, coordinates_);
}

std::vector<double> Manifold::inner(Points points, MatrixView u, MatrixView v) const {
  require_rows(u.n_rows(), points.rows.n_rows(), "u");
  require_rows(v.n_rows(), points.rows.n_rows(), "v");
  const Matrix by_factor = RowOperation(signature_, coordinates_)
                               .x(points)
                               .vectors(v)
                               .other_vectors(u)
                               .column(&FactorKernels::inner);
  std::vector<double> result(by_factor.n_rows());
  for (std::size_t row = 0; row < result.size(); ++row) {
    for (const double part : by_factor.row(row)) {
      result[row] += part;
    }
  }
  require_range(signature_, result);
  return result;
}

std::vector<double> Manifold::busemann(Points points, std::span<const double> ideal) const {
  if (ideal.size() != dim()) {
    throw InvalidInput(fmt::format("an ideal point of {} is a direction of {} numbers, found {}",
                                   signature_.text(), dim(), ideal.size()));
  }
  // A direction of any length will do; its squares should not leave the range.
  double largest = 0;
  for (const double component : ideal) {
    if (!std::isfinite(component)) {
      largest = 0;
      break;
    }
    largest = std::max(largest, std::abs(component));
  }
  if (largest == 0) {
    throw InvalidInput("an ideal point needs a finite direction other than zero");
  }
  std::vector<double> direction(ideal.begin(), ideal.end());
  for (double& component : direction) {
    component = std::ldexp(component, -std::ilogb(largest));  // a power of two turns nothing
  }
  // The Busemann function of a product: factor i counts by the speed with which the ray moves in it.
  double squared_norm = 0;
  std::vector<double> speeds;
  std::size_t first = 0;
  for (const Factor& factor : signature_.factors()) {
    double squared = 0;
    for (const double component : std::span(direction).subspan(first, factor.dim)) {
      squared += component * component;
    }
    if (squared > 0 && factor.geometry == Geometry::spherical) {
      throw InvalidInput(fmt::format(
          "an ideal point has no part in {}: a sphere has no points at infinity", factor.name()));
    }
    speeds.push_back(std::sqrt(squared));
    squared_norm += squared;
    first += factor.dim;
  }
  const Matrix by_factor = RowOperation(signature_, coordinates_)
                               .x(points)
                               .directions(direction)
                               .column(&FactorKernels::busemann);
  std::vector<double> result(by_factor.n_rows());
  for (std::size_t row = 0; row < result.size(); ++row) {
    for (std::size_t factor = 0; factor < speeds.size(); ++factor) {
      if (speeds[factor] > 0) {
        result[row] += speeds[factor] / std::sqrt(squared_norm) * by_factor(row, factor);
      }
    }
  }
  require_range(signature_, result);
  return result;
}

Matrix Manifold::natural_coordinates(Points points) const {
  return RowOperation(signature_, coordinates_).x(points).natural();
}

std::vector<std::string> Manifold::natural_names() const {
  std::vector<std::string> names;
  for (std::size_t index = 0; index < signature_.factors().size(); ++index) {
    const Factor& factor = signature_.factors()[index];
    const std::string stem =
        fmt::format("{}.{}", signature_.prefix(index), natural_coordinate(factor.geometry));
    for (std::size_t axis = 1; axis <= factor.dim; ++axis) {
      names.push_back(fmt::format("{}{}", stem, axis));
    }
  }
  return names;
}

Matrix Manifold::random(std::size_t n_rows, double scale, std::uint64_t seed) const {
  if (!std::isfinite(scale) || scale < 0) {
    throw InvalidInput(fmt::format("scale is {}, expected a finite number of at least 0", scale));
  }
  Matrix vectors = Matrix::uninitialized(n_rows, dim());
  kernels::for_each_block(
      n_rows, [] { return 0; },
      [&](int, kernels::RowRange rows) {
        for (std::size_t row = rows.first; row < rows.first + rows.n_rows; ++row) {
          Random random(seed, 0, row);
          for (double& component : vectors.row(row)) {
            component = scale * random.normal();
          }
        }
      });
  return convert(vectors, Coordinates::tangent, coordinates_);
}

}  // namespace bentwood
