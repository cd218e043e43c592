#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "bentwood/base/matrix.hpp"
#include "bentwood/geometry/coordinates.hpp"

namespace bentwood {

/// The parents of a balanced tree, level by level: node 0 is the root and its own parent, and every
/// node above the last level has `branching` children. Throws InvalidInput for more than ten
/// million nodes.
[[nodiscard]] std::vector<std::size_t> balanced_tree(std::size_t branching, std::size_t depth);

/// A tree whose nodes are points of the hyperbolic plane.
struct PlacedTree {
  /// One row a node.
  Matrix points;
  /// (parent, child), in the order of the children.
  std::vector<std::array<std::size_t, 2>> edges;
  /// 0 above the label depth, k for the k-th node of that depth and everything below it.
  std::vector<std::int64_t> labels;
  /// Edges between a node and the root.
  std::vector<std::size_t> depths;
};

struct SarkarOptions {
  /// The length of every edge on the manifold. Distances tend to (edge length) x (steps in the
  /// tree) as it grows: two siblings of a node of degree m lose about 2 log(1 / sin(π/m)).
  double edge_length = 1;
  double curvature = -1;
  Coordinates coordinates = Coordinates::ambient;
  /// The depth, at least 1, whose nodes are the classes: the k-th of them, in the order of `parents`,
  /// gives itself and everything below it the label k. What lies above has the label 0.
  std::size_t label_depth = 1;
};

/// Places a tree in the hyperbolic plane: R. Sarkar, "Low distortion Delaunay embedding of trees in
/// hyperbolic plane", Graph Drawing 2011. The root is the origin; around every node its neighbours
/// stand at equal angles, all at distance `edge_length`.
///
/// Carried out with a Lorentz frame a node instead of reflections of the disk, so that a node's
/// spatial coordinates keep their digits where a coordinate of the disk has long rounded to 1.
///
/// `parents[node]` is the node's parent, and the root's is the root itself. Throws InvalidInput
/// where that is no tree, where its last nodes would lie farther than 350 R from the origin, and for
/// a label depth of 0 or below the deepest node. Costs O(nodes).
[[nodiscard]] PlacedTree sarkar_tree(std::span<const std::size_t> parents,
                                     const SarkarOptions& options = {});

}  // namespace bentwood
