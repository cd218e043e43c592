#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bentwood/geometry/manifold.hpp"

namespace bentwood {

/// Where the reference points of tangent features come from.
enum class ReferenceKind : std::uint8_t {
  /// Halfway between the nearest points of the geodesic convex hulls of a class and of all others (Chien et al., ICDM 2021, section IV).
  hull,
  /// Halfway between their centres of mass (MeanKind::einstein).
  means,
  origin,
  given,
};

/// Reads "hull", "means" or "origin". Throws InvalidInput that lists them.
[[nodiscard]] ReferenceKind parse_reference_kind(std::string_view name);

struct References {
  /// One row a boundary, in ambient coordinates.
  Matrix points;
  /// Whether the hulls of a boundary's two sides overlap, which leaves no nearest pair; empty where no hull was asked for.
  std::vector<std::uint8_t> overlapping;
};

/// The reference points of all boundaries: one for two classes, else one a class. Rows of weight 0 do not count. A boundary that has
/// no rows on one of its sides has the origin.
///
/// Hulls that overlap have their two nearest vertices instead, as the authors' program has it; above `most_hull_dims` dimensions, where
/// hulls have too many, the points halfway between the centres. `ambient` are points in ambient coordinates. Throws InvalidInput where hulls
/// are asked for and the manifold is not one hyperbolic or Euclidean factor; Interrupted.
[[nodiscard]] References find_references(const Manifold& manifold, MatrixView ambient,
                                         std::span<const std::uint32_t> classes,
                                         std::span<const double> weights, std::size_t n_classes,
                                         ReferenceKind kind);

inline constexpr std::size_t most_hull_dims = 3;

/// The same for a training, in ambient coordinates: found, or the `given` ones, which are in the manifold's coordinates. Whether hulls overlap
/// is kept among its `parameters` as "overlapping". Throws InvalidInput where there are not as many given points as boundaries, too.
[[nodiscard]] Matrix reference_points(const Manifold& manifold, MatrixView ambient,
                                      std::span<const std::uint32_t> classes,
                                      std::span<const double> weights, std::size_t n_classes,
                                      ReferenceKind kind, const Matrix& given,
                                      std::map<std::string, std::string>& parameters);

}  // namespace bentwood
