#include "bentwood/draw/tree_regions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "bentwood/base/error.hpp"
#include "bentwood/base/parallel.hpp"

namespace bentwood {
namespace {

/// A node that is still to be cut up.
struct Pending {
  std::uint32_t node = 0;
  std::size_t depth = 0;
  Piece piece;
};

/// The part of line `node` that lies between the two sides of its cut.
std::optional<CutLine> dividing_line(const CutPiece& halves, std::uint32_t node,
                                     std::size_t depth) {
  if (halves.inside.empty() || halves.outside.empty()) {
    return std::nullopt;
  }
  const auto side = std::ranges::find(halves.inside, node, &PieceEdge::line);
  if (side == halves.inside.end()) {
    return std::nullopt;
  }
  return CutLine{node, depth, side->from, side->to};
}

}  // namespace

Piece FlatMap::whole() const { return hyperbolic ? disk_piece() : rectangle_piece(low, high); }

bool is_hyperbolic_plane(const Signature& signature) {
  const auto& factors = signature.factors();
  if (factors.size() != 1 || factors.front().dim != 2 ||
      factors.front().geometry == Geometry::spherical) {
    throw InvalidInput(fmt::format("the model is on {}, and regions can be drawn on H2 and E2 only",
                                   signature.text()));
  }
  return factors.front().geometry == Geometry::hyperbolic;
}

HalfPlane left_side(const Column& column, double threshold, bool hyperbolic) {
  if (column.kind == ColumnKind::circle) {
    // Left are the angles of (t, t + π]: those with x sin t - y cos t <= 0.
    return {{std::sin(threshold), -std::cos(threshold)}, 0};
  }
  const PlanePoint normal = column.axis == 1 ? PlanePoint{1, 0} : PlanePoint{0, 1};
  return {normal, hyperbolic ? std::tanh(threshold) : threshold};
}

TreeRegions tree_regions(const Tree& tree, const Columns& columns, const FlatMap& map) {
  TreeRegions result;
  result.lines.resize(tree.nodes.size());
  std::vector<Pending> pending;
  pending.push_back({0, 0, map.whole()});
  while (!pending.empty()) {
    throw_if_interrupted();
    const Pending here = std::move(pending.back());
    pending.pop_back();
    const TreeNode& node = tree.nodes[here.node];
    if (node.is_leaf()) {
      result.leaves.push_back({here.node, here.piece});
      continue;
    }
    const HalfPlane left = left_side(columns.columns()[static_cast<std::size_t>(node.column)],
                                     node.threshold, map.hyperbolic);
    result.lines[here.node] = left;
    CutPiece halves = cut(here.piece, left, here.node);
    if (const auto line = dividing_line(halves, here.node, here.depth)) {
      result.cuts.push_back(*line);
    }
    if (!halves.outside.empty()) {
      pending.push_back({node.child + 1, here.depth + 1, std::move(halves.outside)});
    }
    if (!halves.inside.empty()) {
      pending.push_back({node.child, here.depth + 1, std::move(halves.inside)});
    }
  }
  return result;
}

PlanePoint poincare_from_klein(PlanePoint point) {
  const double square = point.x * point.x + point.y * point.y;
  const double scale = 1 / (1 + std::sqrt(std::max(0.0, 1 - square)));
  return {point.x * scale, point.y * scale};
}

std::optional<PlaneCircle> poincare_circle(const HalfPlane& line) {
  // A circle this much larger than the disk bends by less than a thousandth of a pixel inside it.
  constexpr double flattest = 1e-6;
  const double offset = line.offset;
  if (std::abs(offset) <= flattest) {
    return std::nullopt;
  }
  return PlaneCircle{{line.normal.x / offset, line.normal.y / offset},
                     std::sqrt(std::max(0.0, (1 - offset) * (1 + offset))) / std::abs(offset)};
}

}  // namespace bentwood
