#include "bentwood/linear/polar_points.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bentwood/base/error.hpp"
#include "bentwood/geometry/polar.hpp"
#include "bentwood/geometry/row_operation.hpp"

namespace bentwood {

PolarPoints::PolarPoints(const Manifold& manifold, Points points, std::size_t factor) {
  const std::vector<Factor>& factors = manifold.signature().factors();
  if (factor >= factors.size() || factors[factor].geometry != Geometry::hyperbolic) {
    throw InvalidInput(fmt::format("factor {} of {} is not hyperbolic: it has no horospheres",
                                   factor + 1, manifold.signature().text()));
  }
  const Matrix canonical =
      kernels::RowOperation(manifold.signature(), manifold.coordinates()).x(points).canonical();
  std::size_t first = 0;
  for (std::size_t before = 0; before < factor; ++before) {
    first += kernels::canonical_columns(factors[before]);
  }
  resize(canonical.n_rows(), factors[factor].dim);
  const double root = 1 / factors[factor].radius();
  std::vector<double> direction(dim_);
  for (std::size_t row = 0; row < n_rows_; ++row) {
    const std::span<const double> given = canonical.row(row).subspan(first, dim_ + 1);
    const double distance = polar_form(given, root, direction);
    for (std::size_t axis = 0; axis < dim_; ++axis) {
      column(axis)[row] = direction[axis];
    }
    column(dim_)[row] = 0.25 * std::expm1(2 * distance);
    column(dim_ + 1)[row] = distance;
  }
}

PolarPoints::PolarPoints(MatrixView rows, const PolarPlace& place) {
  resize(rows.n_rows(), place.dim);
  for (std::size_t row = 0; row < n_rows_; ++row) {
    const std::span<const double> polar = rows.row(row).subspan(place.place, place.size());
    for (std::size_t axis = 0; axis < dim_; ++axis) {
      column(axis)[row] = polar[axis];
    }
    const double distance = std::asinh(2 * polar[dim_]);
    column(dim_)[row] = 0.25 * std::expm1(2 * distance);
    column(dim_ + 1)[row] = distance;
  }
}

void require_one_hyperbolic_factor(const Manifold& manifold) {
  const std::vector<Factor>& factors = manifold.signature().factors();
  if (factors.size() != 1 || factors.front().geometry != Geometry::hyperbolic) {
    throw InvalidInput(fmt::format("the signature is {}, expected one hyperbolic factor such as H2",
                                   manifold.signature().text()));
  }
}

void PolarPoints::assign(const PolarPoints& points, std::span<const std::uint32_t> rows) {
  resize(rows.size(), points.dim_);
  for (std::size_t index = 0; index < dim_ + 2; ++index) {
    const double* const source = points.direction(index);
    double* const target = column(index);
    for (std::size_t place = 0; place < rows.size(); ++place) {
      target[place] = source[rows[place]];
    }
  }
}

void PolarPoints::resize(std::size_t n_rows, std::size_t dim) {
  n_rows_ = n_rows;
  dim_ = dim;
  stride_ = (n_rows + block - 1) / block * block;
  values_.resize(stride_ * (dim + 2));
  for (std::size_t index = 0; index < dim + 2; ++index) {
    std::fill(column(index) + n_rows, column(index) + stride_, 0.0);
  }
}

}  // namespace bentwood
