#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "bentwood/base/matrix.hpp"
#include "bentwood/geometry/manifold.hpp"
#include "bentwood/geometry/polar.hpp"

namespace bentwood {

/// Points of a hyperbolic factor as direction and distance, for many Busemann functions of the same points.
///
/// With v the unit vector from the origin towards a point and r its distance in curvature radii, the Busemann function of
/// the ideal point w is, in curvature radii,
///
///     B_w = log(cosh r - sinh r w·v) = log(1 + A |w - v|²) - r,   A = (exp(2r) - 1) / 4.
///
/// Nothing cancels, near the origin or near the boundary, and scaling the space with its curvature changes nothing.
class PolarPoints {
 public:
  PolarPoints() = default;
  /// The points of one factor. Throws InvalidInput where a point is off the manifold or the factor is not hyperbolic.
  PolarPoints(const Manifold& manifold, Points points, std::size_t factor = 0);
  /// The same of rows that are columns already (geometry/columns.hpp).
  PolarPoints(MatrixView rows, const PolarPlace& place);

  [[nodiscard]] std::size_t n_rows() const { return n_rows_; }
  [[nodiscard]] std::size_t dim() const { return dim_; }
  /// The length of a column: n_rows() rounded up to whole blocks. What is behind the last row is the origin.
  [[nodiscard]] std::size_t stride() const { return stride_; }
  /// Column j < dim() of the directions.
  [[nodiscard]] const double* direction(std::size_t axis) const {
    return values_.data() + axis * stride_;
  }
  /// The numbers A and r.
  [[nodiscard]] const double* stretch() const { return direction(dim_); }
  [[nodiscard]] const double* radius() const { return direction(dim_ + 1); }

  /// Makes this the given rows of others, in the memory that it has where that is enough.
  void assign(const PolarPoints& points, std::span<const std::uint32_t> rows);

  /// A stride is a multiple of this.
  static constexpr std::size_t block = 8;

 private:
  void resize(std::size_t n_rows, std::size_t dim);
  [[nodiscard]] double* column(std::size_t index) { return values_.data() + index * stride_; }

  std::size_t n_rows_ = 0;
  std::size_t dim_ = 0;
  std::size_t stride_ = 0;
  std::vector<double, NumberAllocator<double>> values_;
};

/// Throws InvalidInput unless the manifold is one hyperbolic factor.
void require_one_hyperbolic_factor(const Manifold& manifold);

/// The Busemann functions of all points for one ideal point, and 2A / (1 + A |w - v|²): times w - v (or -v, as only the part
/// at right angles to w matters) it is the gradient of B_w in w. Both outputs have points.stride() numbers.
/// Requires a unit vector of dim() numbers. O(n dim); the same bits on every machine.
void busemann_levels(const PolarPoints& points, std::span<const double> ideal,
                     std::span<double> levels, std::span<double> pulls);

}  // namespace bentwood
