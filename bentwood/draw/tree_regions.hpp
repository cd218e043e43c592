#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bentwood/draw/pieces.hpp"
#include "bentwood/geometry/columns.hpp"
#include "bentwood/model/tree.hpp"

namespace bentwood {

/// A map of a plane on which every cut of a tree is a straight line: Klein's disk of radius 1 for
/// H2 of any curvature, the plane itself for E2.
///
/// A cut of a rapidity, ρ_d <= t, is x_d <= tanh t in Klein's disk, and a half-turn is a line
/// through the origin in both. So the part of the plane that reaches a node is convex, and is found
/// by cutting up the disk or a window of the plane from the root down.
struct FlatMap {
  bool hyperbolic = false;
  /// The part of E2 that is drawn.
  PlanePoint low{-1, -1};
  PlanePoint high{1, 1};

  [[nodiscard]] Piece whole() const;
};

/// Whether a manifold is a hyperbolic plane or a Euclidean one. Throws InvalidInput that names the
/// signature where it is neither.
[[nodiscard]] bool is_hyperbolic_plane(const Signature& signature);

/// The side of a cut that goes left, on the flat map.
[[nodiscard]] HalfPlane left_side(const Column& column, double threshold, bool hyperbolic);

/// The part of the map that reaches a leaf.
struct LeafRegion {
  std::uint32_t node = 0;
  Piece piece;
};

/// The part of a node's cut that divides what reaches the node: all of it that matters.
struct CutLine {
  std::uint32_t node = 0;
  std::size_t depth = 0;
  PlanePoint from;
  PlanePoint to;
};

struct TreeRegions {
  /// Leaves that no point of the map reaches are left out.
  std::vector<LeafRegion> leaves;
  std::vector<CutLine> cuts;
  /// The half-plane of every inner node, by its number: the `line` of the edges of pieces.
  std::vector<HalfPlane> lines;
};

/// The regions of a tree, exactly: those of its leaves tile the map. O(nodes · sides of a region).
[[nodiscard]] TreeRegions tree_regions(const Tree& tree, const Columns& columns,
                                       const FlatMap& map);

/// The point of the Poincaré disk of radius 1 where Klein's disk has `point`.
[[nodiscard]] PlanePoint poincare_from_klein(PlanePoint point);

/// The circle in the Poincaré disk whose arc is the line that Klein's disk has as normal·x = offset:
/// its centre is the line's pole, normal / offset, and |centre|² = radius² + 1, so it meets the rim
/// at right angles. Nothing where the line goes through the origin: it is straight then.
[[nodiscard]] std::optional<PlaneCircle> poincare_circle(const HalfPlane& line);

}  // namespace bentwood
