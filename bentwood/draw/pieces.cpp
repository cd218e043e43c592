#include "bentwood/draw/pieces.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace bentwood {
namespace {

constexpr double whole_turn = 2 * std::numbers::pi;

PlanePoint on_rim(double angle) { return {std::cos(angle), std::sin(angle)}; }

/// Negative inside, positive outside.
double excess(const HalfPlane& half_plane, PlanePoint point) {
  return half_plane.normal.x * point.x + half_plane.normal.y * point.y - half_plane.offset;
}

PlanePoint middle(const PieceEdge& edge) {
  return edge.turn > 0 ? on_rim(edge.angle + edge.turn / 2)
                       : PlanePoint{(edge.from.x + edge.to.x) / 2, (edge.from.y + edge.to.y) / 2};
}

/// The parts of a straight side on either side of the line. Both share the crossing to the bit.
std::vector<PieceEdge> straight_parts(const PieceEdge& edge, const HalfPlane& half_plane) {
  const double from = excess(half_plane, edge.from);
  const double to = excess(half_plane, edge.to);
  if (!(from < 0 && to > 0) && !(from > 0 && to < 0)) {
    return {edge};
  }
  const double share = from / (from - to);
  const PlanePoint crossing{std::lerp(edge.from.x, edge.to.x, share),
                            std::lerp(edge.from.y, edge.to.y, share)};
  return {{edge.from, crossing, edge.line}, {crossing, edge.to, edge.line}};
}

/// The parts of an arc of the unit circle, which the line crosses up to twice.
std::vector<PieceEdge> arc_parts(const PieceEdge& edge, const HalfPlane& half_plane) {
  if (!(std::abs(half_plane.offset) < 1)) {
    return {edge};
  }
  const double centre = std::atan2(half_plane.normal.y, half_plane.normal.x);
  const double reach = std::acos(half_plane.offset);
  // How far along the arc each crossing lies; angles are kept, for those of points near an end
  // would not survive being computed anew.
  std::array<double, 2> ways{centre - reach - edge.angle, centre + reach - edge.angle};
  for (double& way : ways) {
    way -= whole_turn * std::floor(way / whole_turn);
  }
  std::ranges::sort(ways);
  std::vector<PieceEdge> parts{edge};
  for (const double way : ways) {
    PieceEdge& last = parts.back();
    const double start = last.angle - edge.angle;
    if (way > start && way < start + last.turn) {
      const PlanePoint crossing = on_rim(edge.angle + way);
      const PieceEdge rest{crossing, last.to, edge.line, edge.angle + way, start + last.turn - way};
      last.to = crossing;
      last.turn = way - start;
      parts.push_back(rest);
    }
  }
  return parts;
}

/// Joins loose ends along the line.
Piece closed(const Piece& sides, std::size_t line) {
  Piece result;
  for (std::size_t side = 0; side < sides.size(); ++side) {
    const PieceEdge& next = sides[(side + 1) % sides.size()];
    result.push_back(sides[side]);
    if (sides[side].to.x != next.from.x || sides[side].to.y != next.from.y) {
      result.push_back({sides[side].to, next.from, line});
    }
  }
  // One straight side and its way back hold nothing.
  return result.size() == 2 && result[0].turn == 0 && result[1].turn == 0 ? Piece{} : result;
}

}  // namespace

Piece disk_piece() {
  Piece result;
  constexpr double quarter = std::numbers::pi / 2;
  const std::array<PlanePoint, 4> corners{{{1, 0}, {0, 1}, {-1, 0}, {0, -1}}};
  for (std::size_t corner = 0; corner < corners.size(); ++corner) {
    result.push_back({corners[corner], corners[(corner + 1) % 4], PieceEdge::rim,
                      quarter * static_cast<double>(corner), quarter});
  }
  return result;
}

Piece rectangle_piece(PlanePoint low, PlanePoint high) {
  const PlanePoint right{high.x, low.y};
  const PlanePoint left{low.x, high.y};
  return {{low, right}, {right, high}, {high, left}, {left, low}};
}

CutPiece cut(const Piece& piece, const HalfPlane& half_plane, std::size_t line) {
  CutPiece result;
  for (const PieceEdge& edge : piece) {
    for (const PieceEdge& part :
         edge.turn > 0 ? arc_parts(edge, half_plane) : straight_parts(edge, half_plane)) {
      Piece& side = excess(half_plane, middle(part)) <= 0 ? result.inside : result.outside;
      side.push_back(part);
    }
  }
  result.inside = closed(result.inside, line);
  result.outside = closed(result.outside, line);
  return result;
}

}  // namespace bentwood
