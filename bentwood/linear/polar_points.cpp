#include "bentwood/linear/polar_points.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bentwood/base/error.hpp"
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
  for (std::size_t row = 0; row < n_rows_; ++row) {
    const std::span<const double> given = canonical.row(row).subspan(first, dim_ + 1);
    double largest = 0;
    for (const double value : given.first(dim_)) {
      largest = std::max(largest, std::abs(value));
    }
    double squared = 0;  // of numbers of at most 1: tiny points keep their direction
    for (const double value : given.first(dim_)) {
      squared += largest > 0 ? (value / largest) * (value / largest) : 0;
    }
    const double norm = largest * std::sqrt(squared);
    const double distance = std::asinh(root * given[dim_] * norm);
    for (std::size_t axis = 0; axis < dim_; ++axis) {
      column(axis)[row] = norm > 0 ? given[axis] / largest / std::sqrt(squared) : 0;
    }
    column(dim_)[row] = 0.25 * std::expm1(2 * distance);
    column(dim_ + 1)[row] = distance;
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
