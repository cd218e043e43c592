#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace bentwood {

/// The three geometries of constant curvature.
enum class Geometry { hyperbolic, spherical, euclidean };

/// How a signature writes it: H, S or E.
[[nodiscard]] char letter(Geometry geometry);

/// One factor of a product manifold: H^n, S^n or E^n with its sectional curvature.
struct Factor {
  Geometry geometry = Geometry::euclidean;
  std::size_t dim = 1;
  /// Signed sectional curvature: negative for H, positive for S, zero for E.
  double curvature = 0;

  /// The curvature radius R = 1/√|κ|; 1 for Euclidean factors.
  [[nodiscard]] double radius() const;
  /// Columns of a point in ambient coordinates: n + 1 on H and S, n on E.
  [[nodiscard]] std::size_t ambient_dim() const;
  /// "H2(-0.5)"; the curvature only where it is not the default of -1, +1 or 0.
  [[nodiscard]] std::string name() const;

  friend bool operator==(const Factor&, const Factor&) = default;
};

/// A product of factors, written "H2(-0.5) x (S2)^4 x E1".
class Signature {
 public:
  /// Parses a signature. Factors are H, S or E with a dimension and an optional curvature in
  /// parentheses; "x" (or "*") multiplies; "^" repeats a factor or a parenthesised product; spaces are
  /// optional. Throws InvalidInput that points at the offending character. A few letters can ask for many factors: where there
  /// would be more than `most_factors`, it throws before it takes memory for them.
  explicit Signature(std::string_view text, std::size_t most_factors = unlimited);
  static constexpr std::size_t unlimited = static_cast<std::size_t>(-1);
  /// Throws InvalidInput where a dimension is 0 or a curvature has the wrong sign.
  explicit Signature(std::vector<Factor> factors);

  [[nodiscard]] const std::vector<Factor>& factors() const { return factors_; }
  /// The dimension of the manifold: the sum of the factors' n.
  [[nodiscard]] std::size_t dim() const;
  /// Columns of a point in ambient coordinates.
  [[nodiscard]] std::size_t ambient_dim() const;
  /// What the names of a factor's columns begin with: its small letter and its place from 1 on, "h1".
  /// Requires the number of a factor, from 0 on.
  [[nodiscard]] std::string prefix(std::size_t factor) const;
  /// The canonical text, which parses back to an equal signature; runs of equal factors are powers.
  [[nodiscard]] std::string text() const;

  friend bool operator==(const Signature&, const Signature&) = default;

 private:
  std::vector<Factor> factors_;
};

}  // namespace bentwood
