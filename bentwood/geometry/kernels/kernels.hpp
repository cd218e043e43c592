#pragma once

#include <array>
#include <cstddef>

#include "bentwood/geometry/coordinates.hpp"
#include "bentwood/geometry/signature.hpp"

namespace bentwood::kernels {

/// Rows of one factor are handed to the kernels in blocks of this many, each column contiguous.
inline constexpr std::size_t block_rows = 64;

/// The arguments of a kernel: columns of one block of rows of one factor.
///
/// Column j of `x` starts at x + j · block_rows; likewise the others. All columns are aligned for SIMD and
/// filled up to block_rows (short blocks repeat a row), so kernels need no special last round.
///
/// *Canonical* points are what kernels compute with. On H^n they are n numbers p and a scale s: the spatial
/// part of the hyperboloid point is x = s p. x_0 = √(1/|κ| + |x|²) is recomputed where needed, since it
/// carries no information and its rounding would dominate far out. The p are the coordinates as they were
/// given: multiplying them out would round every one and move a point at distance 20 sideways by 10⁻⁸,
/// while rounding s moves it by 10⁻¹⁶ along its ray. On S^n they are the n + 1 coordinates of a unit vector,
/// on E^n the n coordinates.
///
/// *Canonical* tangent vectors on H^n are n numbers: the vector carried to the origin along the radial
/// geodesic, so that their plain dot product is the metric at any distance. On S^n they are ambient
/// vectors in units of length, on E^n plain ones.
struct Block {
  std::size_t dim = 0;
  double curvature = 0;
  std::size_t n_rows = block_rows;  ///< rounded up to whole SIMD packs by the kernel
  const double* x = nullptr;
  const double* y = nullptr;
  const double* v = nullptr;
  double* out = nullptr;
  double* residual = nullptr;  ///< one column, written by `from` alone
  double allowed = 0;          ///< residuals up to this may be written as 0
};

using Kernel = void (*)(const Block&);

/// The operations of one geometry. What each reads and writes is said beside its name.
struct FactorKernels {
  /// x in some coordinates → canonical points, and in `residual` how far each row is off the manifold: a
  /// share of the radius, zero inside, infinite where no projection can help, NaN for NaN or infinite
  /// coordinates. Index: Coordinates.
  std::array<Kernel, 4> from;
  /// canonical x → coordinates. A row with none there (the far half of a sphere in Klein
  /// coordinates, its south pole in stereographic ones) becomes NaN.
  std::array<Kernel, 4> to;
  /// x in some coordinates → the same coordinates on the manifold.
  std::array<Kernel, 4> project;
  /// canonical x, vector v in some coordinates → canonical vector.
  std::array<Kernel, 4> vector_from;
  /// canonical x, canonical vector v → vector in some coordinates.
  std::array<Kernel, 4> vector_to;
  /// canonical x, ambient vector v → one column, how far v is from tangent, relative to its size.
  Kernel vector_residual;

  Kernel distance;   ///< x, y → one column
  Kernel radius;     ///< x → one column: the distance from the origin
  Kernel exp;        ///< x, vector v → point
  Kernel log;        ///< x, y → vector
  Kernel frame;      ///< x, y → the spatial part of y seen from x, and cosh d − 1; H alone
  Kernel transport;  ///< x, y, vector v → vector at y
  Kernel geodesic;   ///< x, y, one column of times v → point
  Kernel midpoint;   ///< x, y → point
  Kernel
      ancestor;  ///< x, y → one column of times: where the geodesic segment is nearest the origin
  Kernel busemann;  ///< x, one row of ideal directions in each lane of v → one column
  Kernel natural;   ///< x → n natural coordinates
  Kernel inner;     ///< vectors y, v at the same point → one column

  /// x → its prepared form for `distance_from`: pair_columns(factor) columns.
  Kernel prepare;
  /// One prepared point in x (contiguous numbers, not a block) against the prepared block y → one column.
  Kernel distance_from;
};

/// The kernels for the best instructions this CPU has. The formulas are the same for all of them.
[[nodiscard]] const FactorKernels& factor_kernels(Geometry geometry);

/// Moving blocks between rows and columns, and passes over plain numbers. Blocks are aligned for SIMD, and
/// so are `values`, whose number is a multiple of block_rows.
struct LayoutKernels {
  /// block_rows rows of a matrix, `stride` numbers apart, into the first n_columns columns of a block.
  void (*gather)(const double* rows, std::size_t stride, std::size_t n_columns, double* block);
  /// The reverse.
  void (*scatter)(const double* block, std::size_t stride, std::size_t n_columns, double* rows);
  /// Copies numbers past the caches; `hwy::FlushStream` must follow before another thread reads them.
  void (*stream)(const double* source, std::size_t size, double* target);
  /// False where one is NaN.
  bool (*all_at_most)(const double* values, std::size_t size, double limit);
  bool (*all_finite)(const double* values, std::size_t size);
};

[[nodiscard]] const LayoutKernels& layout_kernels();

/// The columns of a canonical point.
[[nodiscard]] inline std::size_t canonical_columns(const Factor& factor) {
  return factor.geometry == Geometry::euclidean ? factor.dim : factor.dim + 1;
}

/// The columns of a canonical vector.
[[nodiscard]] inline std::size_t vector_columns(const Factor& factor) {
  return factor.geometry == Geometry::spherical ? factor.dim + 1 : factor.dim;
}

/// The columns of a prepared point: on H the canonical ones, |κ||x|² and √(1 + |κ||x|²).
[[nodiscard]] inline std::size_t pair_columns(const Factor& factor) {
  return canonical_columns(factor) + (factor.geometry == Geometry::hyperbolic ? 2 : 0);
}

}  // namespace bentwood::kernels
