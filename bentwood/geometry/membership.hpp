#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "bentwood/base/matrix.hpp"
#include "bentwood/geometry/coordinates.hpp"
#include "bentwood/geometry/signature.hpp"

namespace bentwood {

/// The type the numbers had before they became float64: it decides what rounding can explain.
enum class Precision { float64, float32, float16 };

/// The spacing ε of the type's numbers at 1: 2^-52, 2^-23 or 2^-10.
[[nodiscard]] double epsilon(Precision precision);
[[nodiscard]] std::string_view name(Precision precision);

/// Rows of coordinates with the precision they were stored in. Made from any matrix implicitly.
struct Points {
  Points(MatrixView points,  // NOLINT(google-explicit-constructor): any matrix is points
         Precision stored = Precision::float64)
      : rows(points), precision(stored) {}
  Points(const Matrix& points)  // NOLINT(google-explicit-constructor): any matrix is points
      : rows(points.view()) {}

  MatrixView rows;
  Precision precision = Precision::float64;
};

/// What to do with rows that are not on the manifold.
enum class OffManifold { error, project };

/// Reads "error" or "project". Throws InvalidInput that lists them.
[[nodiscard]] OffManifold parse_off_manifold(std::string_view name);

/// How the rows of one factor stand to their manifold.
struct FactorMembership {
  /// Rows that are off the manifold by more than rounding, but can be projected onto it: the relative
  /// residual is above 64·ε·(columns), or a ball norm reaches R.
  std::size_t n_off = 0;
  std::size_t first_off = 0;
  std::size_t worst_row = 0;
  /// Largest relative residual: |⟨x,x⟩_L + R²| / 2(R² + |x|²) on the hyperboloid, to first order the
  /// relative error of x_0; ||x|−R| / R on the sphere, |p| / R − 1 in a ball.
  double worst_residual = 0;
  /// Rows that no projection can mend: the lower sheet, a zero vector on a sphere, more than 350 R from the
  /// origin of H.
  std::size_t n_hopeless = 0;
  std::size_t first_hopeless = 0;
  /// Rows on the manifold, but so far out that rounding of the stored type moves them by more than 1 %
  /// of the curvature radius.
  std::size_t n_imprecise = 0;
};

/// The verdict on every factor of a set of points.
struct Membership {
  std::vector<FactorMembership> factors;

  [[nodiscard]] bool all_on() const;
};

/// How a message names a row ("row 17", "points.csv:18") and a column, and how its reader projects points:
/// the library, the command line and Python differ in all three.
struct MessageStyle {
  std::function<std::string(std::size_t row)> row_name;
  std::function<std::string(std::size_t column)> column_name;
  std::string projection_hint;
};
[[nodiscard]] MessageStyle default_message_style();

/// The largest relative residual that rounding of the stored type explains: 64·ε·(columns) in ambient
/// coordinates; a ball is open, so 0 there.
[[nodiscard]] double residual_tolerance(const Factor& factor, Coordinates coordinates,
                                        Precision precision);

/// How far every row is off every factor, one column a factor; see FactorMembership::worst_residual.
/// Infinite where no projection can help, NaN where a coordinate is not finite.
[[nodiscard]] Matrix residuals(const Signature& signature, Coordinates coordinates,
                               MatrixView points);

/// The radius, in units of R, past which rounding of the stored type alone can move a point of H^n by
/// more than 0.01 R: ln(0.08/ε) in Poincaré, ½ ln(0.16/ε) in Klein, ln(0.04/ε) in other coordinates.
[[nodiscard]] double useful_radius(Coordinates coordinates, Precision precision);

/// Checks all rows; does not throw on points off the manifold. Throws InvalidInput for NaN, infinity
/// or a wrong number of columns.
[[nodiscard]] Membership check_membership(const Signature& signature, Coordinates coordinates,
                                          Points points,
                                          const MessageStyle& style = default_message_style());

/// The one-line message for the first offence of a verdict; empty where there is none under `policy`.
[[nodiscard]] std::string offence(const Signature& signature, Coordinates coordinates,
                                  Points points, const Membership& membership, OffManifold policy,
                                  const MessageStyle& style = default_message_style());

/// The one-line warning about rows past the useful radius; empty where there are none.
[[nodiscard]] std::string precision_warning(const Signature& signature, Coordinates coordinates,
                                            Points points, const Membership& membership);

}  // namespace bentwood
