#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bentwood/base/matrix.hpp"
#include "bentwood/geometry/coordinates.hpp"
#include "bentwood/geometry/membership.hpp"
#include "bentwood/geometry/signature.hpp"

namespace bentwood {

/// Which centre `Manifold::mean` computes.
enum class MeanKind {
  /// The point with the least weighted sum of squared distances, by Riemannian gradient descent.
  frechet,
  /// The closed form: Lorentz centroid on H (the Einstein midpoint in Klein coordinates), normalised
  /// mean on S, plain mean on E.
  einstein,
};

/// What the natural coordinates of a factor are called: rapidity, angle or x.
[[nodiscard]] std::string_view natural_coordinate(Geometry geometry);

/// A product of hyperbolic, spherical and Euclidean spaces whose points are rows of a matrix.
///
/// Every method takes and returns points in the coordinates the manifold was made with (`convert` says
/// otherwise), works row by row on all cores, and computes a row to the same bits whatever the other
/// rows and the number of threads. Tangent vectors are components in the same coordinates: the velocity
/// of the coordinates along a curve. Distances are lengths on the manifold, so they scale with R.
///
/// All methods throw InvalidInput where a point is off the manifold by more than rounding, naming the
/// row; `project` mends such points first.
class Manifold {
 public:
  explicit Manifold(Signature signature, Coordinates coordinates = Coordinates::ambient);
  explicit Manifold(std::string_view signature, Coordinates coordinates = Coordinates::ambient);

  [[nodiscard]] const Signature& signature() const { return signature_; }
  [[nodiscard]] Coordinates coordinates() const { return coordinates_; }
  [[nodiscard]] std::size_t dim() const { return signature_.dim(); }
  [[nodiscard]] std::size_t ambient_dim() const { return signature_.ambient_dim(); }
  /// The columns of a point in this manifold's coordinates.
  [[nodiscard]] std::size_t n_columns() const;

  /// The same points in other coordinates.
  [[nodiscard]] Matrix convert(Points points, Coordinates source, Coordinates target) const;

  /// Whether each row is on the manifold up to rounding of the stored type.
  [[nodiscard]] std::vector<std::uint8_t> contains(Points points) const;
  /// The counts behind `contains`, factor by factor.
  [[nodiscard]] Membership membership(Points points) const;

  struct Projection {
    Matrix points;
    /// Rows that had to move, and the largest move as a relative residual.
    std::size_t n_projected = 0;
    double largest_residual = 0;
  };
  /// Points on the manifold to float64 rounding: those that were off it moved onto it and counted, those of a
  /// shorter type tightened without a word, all others untouched. On H the spatial part is kept and x_0
  /// recomputed, on S the vector is normalised, a ball point with norm ≥ R is scaled just inside.
  [[nodiscard]] Projection project(Points points) const;

  /// d(x_i, y_i) for every row i.
  [[nodiscard]] std::vector<double> distance(Points x, Points y) const;
  /// All pairs: rows of x down, rows of y across. Symmetric to the bit, with an exactly zero diagonal,
  /// when y is x.
  [[nodiscard]] Matrix pairwise_distance(Points x, Points y) const;
  /// The distance of each row from the origin within each factor: one column a factor.
  [[nodiscard]] Matrix radii(Points points) const;

  /// The end of the geodesic that leaves point i with velocity i, at time 1.
  [[nodiscard]] Matrix exp(Points points, MatrixView vectors) const;
  /// The velocity at x_i of the geodesic that is at y_i at time 1. Antipodal points of a sphere have many;
  /// one of them is chosen, always the same.
  [[nodiscard]] Matrix log(Points x, Points y) const;
  /// Vectors at x_i carried to y_i along the geodesic without turning.
  [[nodiscard]] Matrix transport(Points x, Points y, MatrixView vectors) const;
  /// The point a fraction t along the geodesic from x_i to y_i. `times` has one entry, or one a row.
  [[nodiscard]] Matrix geodesic(Points x, Points y, std::span<const double> times) const;
  [[nodiscard]] Matrix midpoint(Points x, Points y) const;
  /// The lowest common ancestor of each pair: on every factor the point nearest the origin on the geodesic
  /// segment (not the whole line) between the two.
  [[nodiscard]] Matrix lowest_common_ancestor(Points x, Points y) const;
  /// The inner product at x_i of the vectors u_i and v_i.
  [[nodiscard]] std::vector<double> inner(Points points, MatrixView u, MatrixView v) const;

  /// The weighted centre of all rows, one row. Empty weights count every row once.
  [[nodiscard]] Matrix mean(Points points, std::span<const double> weights = {},
                            MeanKind kind = MeanKind::frechet) const;

  /// The Busemann function B_w of every row for an ideal point w, a direction in the tangent space at the
  /// origin (dim() numbers; each hyperbolic or Euclidean factor's part is normalised with the whole):
  /// minus how far the row has advanced towards w. Throws InvalidInput where w points along a sphere,
  /// which has no points at infinity.
  [[nodiscard]] std::vector<double> busemann(Points points, std::span<const double> ideal) const;

  /// The columns that trees cut (docs/geometry.md): rapidities on H, angles on S, coordinates on E.
  [[nodiscard]] Matrix natural_coordinates(Points points) const;
  /// One name a natural column: "h1.rapidity1", "s2.angle1", "e3.x1" with the factor's position.
  [[nodiscard]] std::vector<std::string> natural_names() const;

  /// Rows of the wrapped normal at the origin with the given standard deviation: a Gaussian in the tangent
  /// space sent through the exponential map. A pure function of (seed, row).
  [[nodiscard]] Matrix random(std::size_t n_rows, double scale, std::uint64_t seed) const;

 private:
  Signature signature_;
  Coordinates coordinates_;
};

}  // namespace bentwood
