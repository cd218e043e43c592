#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "bentwood/draw/pieces.hpp"
#include "bentwood/geometry/columns.hpp"
#include "bentwood/model/tree.hpp"

namespace bentwood {

/// A part of a node's cut in the Poincaré disk of radius 1, where it divides what reaches the node: a straight line, or an arc of at most
/// a third of its circle.
struct DiskCut {
  std::uint32_t node = 0;
  std::size_t depth = 0;
  PlanePoint from;
  PlanePoint to;
  std::optional<PlaneCircle> circle;
};

/// The cuts of any tree on H2, exactly: geodesics are arcs that meet the rim at right angles, horospheres are circles that touch it. A cut is
/// divided where those above it meet it, and a part is kept where its middle reaches the node. O(nodes · depth²).
[[nodiscard]] std::vector<DiskCut> disk_cuts(const Tree& tree, const Columns& columns);

}  // namespace bentwood
