#pragma once

#include <optional>
#include <span>

#include "bentwood/geometry/manifold.hpp"
#include "bentwood/linear/row_correlation.hpp"

namespace bentwood {

/// How well a boundary separates rows, and what follows from it.
struct PerceptronBound {
  /// On H^n the distance of the nearest row from the boundary, elsewhere the least score; below 0 where a row is on the wrong side.
  double margin = 0;
  /// The most mistakes that a perceptron makes on rows that can be separated like that, in any order and number of passes; infinite
  /// where the margin is not above 0, or no bound is known.
  double mistakes = 0;
};

/// What a boundary has been learned from.
struct BoundaryRows {
  const Manifold& manifold;
  /// The points, and the one that they are seen from, in ambient coordinates.
  MatrixView ambient;
  std::span<const double> reference;
  MatrixView features;
  std::span<const double> signs;
};

/// The margin of the boundary w·f = 0, |w| = 1, and the bound. Of the first order, on H^n, that is Theorem 3.1 of Chien, Pan, Tabaghi,
/// Milenkovic, ICDM 2021, with this margin ε and R the norm of the farthest row,
///
///     (2 R_p / ((1 - R_p²) sinh ε))²,   R_p = (|p| + R) / (1 + |p| R):   that is, (sinh(d(0, p) + d(0, x)) / sinh ε)²,
///
/// and on other manifolds (max |f| / margin)², from which it follows. Of the second order, whose `correlation` is given, for a > 0 that of
/// Cesa-Bianchi, Conconi, Gentile, 2005, Theorem 3.1: √(wᵀAw · log det(A/a)) / min |w·f|, A = aI + SSᵀ. O(n d).
[[nodiscard]] PerceptronBound perceptron_bound(const BoundaryRows& rows, std::span<const double> w,
                                               const std::optional<RowCorrelation>& correlation);

}  // namespace bentwood
