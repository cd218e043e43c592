#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bentwood/base/matrix.hpp"
#include "bentwood/geometry/manifold.hpp"
#include "bentwood/geometry/polar.hpp"

namespace bentwood {

/// How a column is cut: a line at a threshold, a circle by a half-turn.
enum class ColumnKind : std::uint8_t { line, circle };

/// A family of columns that trees may cut.
enum class ColumnFamily : std::uint8_t {
  /// The natural coordinates of every factor: rapidities, angles, Euclidean coordinates.
  geodesic,
  /// The angles atan2(x_j, x_i) of all pairs 1 <= i < j of a factor's axes besides: every hyperplane through
  /// the origin that contains all axes but two (d_choose_2 of the mixed-curvature paper).
  pairs,
  /// The Busemann functions of every hyperbolic factor: a node finds the ideal points of its own (model/own_columns.hpp).
  horosphere,
  /// The ambient coordinates of every spherical factor, in curvature radii: lines, whose level sets are the spheres around the ends of
  /// an axis. They have no seam, and can say what great circles cannot: latitude. By itself this family leaves the angles out.
  chordal,
};

/// Reads "geodesic", "pairs", "horosphere" or "chordal". Throws InvalidInput that lists them.
[[nodiscard]] ColumnFamily parse_column_family(std::string_view name);
[[nodiscard]] std::string_view name(ColumnFamily family);

/// What one column measures.
struct Column {
  ColumnKind kind = ColumnKind::line;
  ColumnFamily family = ColumnFamily::geodesic;
  /// The factor's place in the signature, from 0.
  std::size_t factor = 0;
  /// The axis within the factor, from 1 (of an ambient coordinate from 0); the pair's second axis, or 0.
  std::size_t axis = 0;
  std::size_t second_axis = 0;
};

/// Points as the columns that trees cut. Every row's numbers are the same bits whatever the other rows.
///
/// The natural coordinates of all factors are among them, but for those of hyperbolic factors where the first family is that of
/// horospheres, and those of spherical factors where the only one is chordal. With horospheres a row also carries, behind its columns, every hyperbolic factor in polar form.
class Columns {
 public:
  /// Throws InvalidInput where no family is given, or one twice.
  explicit Columns(Manifold manifold,
                   std::vector<ColumnFamily> families = {ColumnFamily::geodesic});

  [[nodiscard]] const Manifold& manifold() const { return manifold_; }
  [[nodiscard]] const std::vector<ColumnFamily>& families() const { return families_; }
  [[nodiscard]] const std::vector<Column>& columns() const { return columns_; }
  [[nodiscard]] std::size_t size() const { return columns_.size(); }
  [[nodiscard]] bool has(ColumnFamily family) const;
  /// Where a row carries the hyperbolic factors, ascending; empty without horospheres.
  [[nodiscard]] const std::vector<PolarPlace>& polar_places() const { return polar_places_; }
  /// The numbers of a row: its columns, and what it carries.
  [[nodiscard]] std::size_t row_width() const { return row_width_; }
  /// What has an importance: every column, and the horospheres of every hyperbolic factor as one.
  [[nodiscard]] std::size_t n_importances() const { return size() + polar_places_.size(); }
  /// The same of columns that have not been made, which may be too many to make.
  [[nodiscard]] static std::size_t n_importances(const Signature& signature,
                                                 std::span<const ColumnFamily> families);
  /// What a column is called: "h1.rapidity2", "s2.angle1", "e3.x1"; a pair "h1.angle1-2", an ambient coordinate "s2.x0".
  [[nodiscard]] std::string name(const Column& column) const;
  /// What the horospheres of a factor are called: "h1.horosphere".
  [[nodiscard]] std::string horosphere_name(const PolarPlace& place) const;

  /// One row a point, row_width() numbers. Throws InvalidInput where a point is off the manifold.
  [[nodiscard]] Matrix values(Points points) const;

 private:
  void write_axes(Points points, std::size_t n_axes, Matrix& result) const;
  void write_ambient(Points points, std::size_t n_axes, Matrix& result) const;
  void write_polar_forms(Points points, Matrix& result) const;

  Manifold manifold_;
  std::vector<ColumnFamily> families_;
  std::vector<Column> columns_;
  std::vector<PolarPlace> polar_places_;
  std::size_t row_width_ = 0;
};

/// A line about the families of columns that have nothing to cut on the manifold: pairs without a factor of two dimensions,
/// horospheres without a hyperbolic factor, chordal columns without a spherical one. Empty where there are none; throws InvalidInput where
/// there are no others: then a tree would cut what nobody has asked for.
[[nodiscard]] std::string idle_splits(const Columns& columns);

}  // namespace bentwood
