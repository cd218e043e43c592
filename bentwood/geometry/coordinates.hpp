#pragma once

#include <cstddef>
#include <string_view>

#include "bentwood/geometry/signature.hpp"

namespace bentwood {

/// How the numbers of a row describe a point; docs/geometry.md draws all four in one picture.
enum class Coordinates {
  /// Hyperboloid, sphere and plane: n + 1, n + 1 and n columns.
  ambient,
  /// The Poincaré ball of radius R on H, stereographic from the south pole on S: n columns.
  poincare,
  /// The Klein ball of radius R on H, the gnomonic projection of the upper half on S: n columns.
  klein,
  /// The tangent space at the origin through the exponential map: n columns, any real numbers.
  tangent,
};

/// Reads "ambient", "poincare" (or "stereographic"), "klein" or "tangent".
/// Throws InvalidInput that lists them.
[[nodiscard]] Coordinates parse_coordinates(std::string_view name);
[[nodiscard]] std::string_view name(Coordinates coordinates);

/// The columns a point of this factor, or of the whole product, takes.
[[nodiscard]] std::size_t n_columns(const Factor& factor, Coordinates coordinates);
[[nodiscard]] std::size_t n_columns(const Signature& signature, Coordinates coordinates);

}  // namespace bentwood
