#include "bentwood/linear/perceptron_bound.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "bentwood/base/dense.hpp"

namespace bentwood {
namespace {

/// The curvature radius of H^n, where a score is R sinh(d/R) for a distance d; none elsewhere.
std::optional<double> hyperbolic_radius(const Manifold& manifold) {
  const std::vector<Factor>& factors = manifold.signature().factors();
  return factors.size() == 1 && factors.front().geometry == Geometry::hyperbolic
             ? std::optional(factors.front().radius())
             : std::nullopt;
}

/// In curvature radii.
double distance_from_origin(std::span<const double> ambient, double radius) {
  return std::asinh(length(ambient.subspan(1)) / radius);
}

/// No row of features is longer.
double longest(const BoundaryRows& rows, std::optional<double> radius) {
  double largest = 0;
  for (std::size_t row = 0; row < rows.features.n_rows(); ++row) {
    largest = std::max(largest, radius ? distance_from_origin(rows.ambient.row(row), *radius)
                                       : length(rows.features.row(row)));
  }
  return radius ? *radius * std::sinh(largest + distance_from_origin(rows.reference, *radius))
                : largest;
}

}  // namespace

PerceptronBound perceptron_bound(const BoundaryRows& rows, std::span<const double> w,
                                 const std::optional<RowCorrelation>& correlation) {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t row = 0; row < rows.features.n_rows(); ++row) {
    least = std::min(least, rows.signs[row] * dot(rows.features.row(row), w));
  }
  const std::optional<double> radius = hyperbolic_radius(rows.manifold);
  PerceptronBound result{.margin = radius ? *radius * std::asinh(least / *radius) : least,
                         .mistakes = std::numeric_limits<double>::infinity()};
  if (!(least > 0)) {
    return result;
  }
  if (!correlation) {
    const double ratio = longest(rows, radius) / least;
    result.mistakes = ratio * ratio;
  } else if (correlation->regularization() > 0) {
    result.mistakes =
        std::sqrt(correlation->quadratic(w)) * std::sqrt(correlation->log_volume()) / least;
  }
  return result;
}

}  // namespace bentwood
