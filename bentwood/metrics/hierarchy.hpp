#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "bentwood/base/matrix.hpp"

/// How bad mistakes are when classes form a tree: taking a dog for a wolf is less of one than taking it for a rose.
namespace bentwood {

/// A tree over classes whose nodes have heights.
class ClassTree {
 public:
  /// The tree in which node i hangs below parents[i], -1 for the root. A node's height is the number of edges of the longest way down to a
  /// leaf. Throws InvalidInput where a parent is no node, a node is its own ancestor, or there is not exactly one root.
  [[nodiscard]] static ClassTree from_parents(std::span<const std::int64_t> parents);
  /// The tree of merges of n + 1 leaves, as SciPy's linkage has them: the two nodes that become node n + 1 + row, the height of the
  /// new node, the number of its leaves. Leaves have height 0. Throws InvalidInput where a row does not merge two earlier nodes that
  /// have not been merged yet, or a height is not a finite number of at least 0.
  [[nodiscard]] static ClassTree from_linkage(MatrixView linkage);

  [[nodiscard]] std::size_t n_nodes() const { return parents_.size(); }
  /// The height of the lowest common ancestor of two nodes; each node is an ancestor of its own. O(depth).
  [[nodiscard]] double ancestor_height(std::size_t first, std::size_t second) const;

 private:
  ClassTree() = default;
  void find_depths();

  std::vector<std::int64_t> parents_;
  std::vector<double> heights_;
  std::vector<std::size_t> depths_;
};

struct HierarchicalScores {
  /// The mean height of the lowest common ancestor of true and predicted class over the mistakes; 0 where there is none.
  double mistake_severity = 0;
  /// The same mean over all rows, those predicted right counting 0: the hierarchical distance at 1.
  double hierarchical_distance = 0;
};

/// Bertinetto et al., "Making better mistakes: leveraging class hierarchies with deep networks", CVPR 2020, section 4. `nodes` has the node of
/// each class; truth, predictions and weights are as in classification.hpp. Throws InvalidInput as those do, and where a node is not
/// in the tree. O(n + K² depth).
[[nodiscard]] HierarchicalScores hierarchical_scores(std::span<const std::int64_t> truth,
                                                     std::span<const std::int64_t> predicted,
                                                     const ClassTree& tree,
                                                     std::span<const std::int64_t> nodes,
                                                     std::span<const double> weights = {});

}  // namespace bentwood
