#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "bentwood/draw/disk_geodesic.hpp"

/// Convex pieces of a disk or a rectangle that straight lines cut up.
namespace bentwood {

/// The points x with  normal·x <= offset; the normal has length 1.
struct HalfPlane {
  PlanePoint normal;
  double offset = 0;
};

/// One side of a piece, followed counterclockwise.
struct PieceEdge {
  /// No line cut this side: it is part of the rim.
  static constexpr std::size_t rim = std::numeric_limits<std::size_t>::max();

  PlanePoint from;
  PlanePoint to;
  /// The number of the line that it follows, or `rim`.
  std::size_t line = rim;
  /// Where the rim is the unit circle: the angle of `from`, and how far the arc turns, up to π/2. A
  /// straight side has turn 0.
  double angle = 0;
  double turn = 0;
};

/// A convex piece as its sides in counterclockwise order, each beginning where the last one ended;
/// empty where there is none.
using Piece = std::vector<PieceEdge>;

/// The whole unit disk.
[[nodiscard]] Piece disk_piece();
/// A rectangle; `low` is its corner with the least coordinates.
[[nodiscard]] Piece rectangle_piece(PlanePoint low, PlanePoint high);

/// What a line makes of a piece. `inside` lies in the half-plane; either may be empty. Where neither
/// is, the line's part between them is the side of `inside` that has its number.
struct CutPiece {
  Piece inside;
  Piece outside;
};

/// Cuts a piece; `line` is the number that the new sides get. O(sides).
[[nodiscard]] CutPiece cut(const Piece& piece, const HalfPlane& half_plane, std::size_t line);

}  // namespace bentwood
