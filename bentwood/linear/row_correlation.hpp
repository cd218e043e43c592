#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "bentwood/base/matrix.hpp"

namespace bentwood {

/// A = aI + Σ z zᵀ over the rows z that were added, for the second-order perceptron: what it answers is A⁻¹b, and for a = 0 the limit of
/// that as a goes to 0, the pseudo-inverse.
///
/// Kept as the triangle R of A = RᵀR, into which a row is turned by Givens rotations: O(d²) like the update of an inverse by Sherman and
/// Morrison, but A, whose condition is the square of R's, is never formed, and R stays a factor of something positive whatever is
/// rounded. For a = 0 rows are first written in an orthonormal basis of their own span, in which A is regular.
class RowCorrelation {
 public:
  /// Requires a finite regularization a >= 0.
  RowCorrelation(std::size_t n_features, double regularization);

  [[nodiscard]] double regularization() const { return regularization_; }

  /// Adds z zᵀ. O(d²).
  void add(std::span<const double> row);

  /// Whether a row lies, to rounding, in the span of A's columns: always so for a > 0. O(d²), O(1) once they span all.
  [[nodiscard]] bool spans(std::span<const double> row) const;

  /// A⁻¹b, or the pseudo-inverse's, for b in the span. O(d²).
  [[nodiscard]] std::vector<double> solve(std::span<const double> b) const;

  /// uᵀAu, and log det(A/a). Require a > 0.
  [[nodiscard]] double quadratic(std::span<const double> u) const;
  [[nodiscard]] double log_volume() const;

  /// All of it as numbers: rank, R, and for a = 0 the basis; and back. `restore` requires such numbers (check_perceptron_memory).
  void append_to(std::vector<double>& numbers) const;
  void restore(std::span<const double> numbers);

 private:
  /// A row in the basis of the span, and what is left of it.
  struct Parts {
    std::vector<double> coordinates;
    std::vector<double> rest;
    double rest_length = 0;
  };
  [[nodiscard]] Parts split(std::span<const double> row) const;
  [[nodiscard]] bool is_outside(const Parts& parts, std::span<const double> row) const;
  [[nodiscard]] bool has_basis() const { return regularization_ == 0; }

  std::size_t n_features_;
  double regularization_;
  std::size_t rank_;
  Matrix factor_;  ///< R, its upper triangle
  Matrix basis_;   ///< orthonormal, `rank_` rows; for a = 0 only
};

}  // namespace bentwood
