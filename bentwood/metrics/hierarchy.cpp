#include "bentwood/metrics/hierarchy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bentwood/base/error.hpp"
#include "bentwood/metrics/classification.hpp"

namespace bentwood {

ClassTree ClassTree::from_parents(std::span<const std::int64_t> parents) {
  const auto n_nodes = static_cast<std::int64_t>(parents.size());
  if (n_nodes == 0) {
    throw InvalidInput("the class tree has no nodes, expected at least one");
  }
  std::int64_t root = -1;
  for (std::int64_t node = 0; node < n_nodes; ++node) {
    const std::int64_t parent = parents[static_cast<std::size_t>(node)];
    if (parent < -1 || parent >= n_nodes) {
      throw InvalidInput(
          fmt::format("the parent of node {} is {}, expected -1 to {}", node, parent, n_nodes - 1));
    }
    if (parent == -1 && root != -1) {
      throw InvalidInput(
          fmt::format("nodes {} and {} have no parent, expected one root", root, node));
    }
    root = parent == -1 ? node : root;
  }
  ClassTree tree;
  tree.parents_.assign(parents.begin(), parents.end());
  tree.find_depths();
  tree.heights_.assign(parents.size(), 0);
  std::vector<std::size_t> order(parents.size());
  for (std::size_t node = 0; node < order.size(); ++node) {
    order[node] = node;
  }
  // The deepest first, so that every node is complete before it is passed on.
  std::ranges::stable_sort(order, std::ranges::greater(),
                           [&](std::size_t node) { return tree.depths_[node]; });
  for (const std::size_t node : order) {
    if (tree.parents_[node] != -1) {
      double& above = tree.heights_[static_cast<std::size_t>(tree.parents_[node])];
      above = std::max(above, tree.heights_[node] + 1);
    }
  }
  return tree;
}

ClassTree ClassTree::from_linkage(MatrixView linkage) {
  const std::size_t n_leaves = linkage.n_rows() + 1;
  if (linkage.n_cols() != 4) {
    throw InvalidInput(fmt::format("a linkage has 4 columns, found {}", linkage.n_cols()));
  }
  ClassTree tree;
  tree.parents_.assign(n_leaves + linkage.n_rows(), -1);
  tree.heights_.assign(tree.parents_.size(), 0);
  for (std::size_t row = 0; row < linkage.n_rows(); ++row) {
    const std::size_t merged = n_leaves + row;
    for (const std::size_t column : {0U, 1U}) {
      const double node = linkage(row, column);
      if (!(node >= 0 && node < static_cast<double>(merged)) || node != std::floor(node)) {
        throw RowError(row, fmt::format("merges node {}, expected a whole number from 0 to {}",
                                        node, merged - 1));
      }
      std::int64_t& parent = tree.parents_[static_cast<std::size_t>(node)];
      if (parent != -1) {
        throw RowError(row, fmt::format("merges node {}, which has been merged before", node));
      }
      parent = static_cast<std::int64_t>(merged);
    }
    tree.heights_[merged] = linkage(row, 2);
    if (!(linkage(row, 2) >= 0) || !std::isfinite(linkage(row, 2))) {
      throw RowError(row, fmt::format("the height is {}, expected a finite number of at least 0",
                                      linkage(row, 2)));
    }
  }
  tree.find_depths();
  return tree;
}

/// Walks up from every node to one whose depth is known, then down again.
void ClassTree::find_depths() {
  constexpr auto unknown = static_cast<std::size_t>(-1);
  depths_.assign(parents_.size(), unknown);
  std::vector<std::size_t> way;
  for (std::size_t start = 0; start < parents_.size(); ++start) {
    way.clear();
    std::size_t node = start;
    while (depths_[node] == unknown && parents_[node] != -1) {
      way.push_back(node);
      node = static_cast<std::size_t>(parents_[node]);
      if (way.size() > parents_.size()) {
        throw InvalidInput(fmt::format("node {} is its own ancestor, expected a tree", node));
      }
    }
    if (depths_[node] == unknown) {
      depths_[node] = 0;
    }
    for (std::size_t depth = depths_[node]; !way.empty(); way.pop_back()) {
      depths_[way.back()] = ++depth;
    }
  }
}

double ClassTree::ancestor_height(std::size_t first, std::size_t second) const {
  while (first != second) {
    std::size_t& deeper = depths_[first] >= depths_[second] ? first : second;
    deeper = static_cast<std::size_t>(parents_[deeper]);
  }
  return heights_[first];
}

HierarchicalScores hierarchical_scores(std::span<const std::int64_t> truth,
                                       std::span<const std::int64_t> predicted,
                                       const ClassTree& tree, std::span<const std::int64_t> nodes,
                                       std::span<const double> weights) {
  for (const std::int64_t node : nodes) {
    if (node < 0 || node >= static_cast<std::int64_t>(tree.n_nodes())) {
      throw InvalidInput(
          fmt::format("a class is node {}, expected 0 to {}", node, tree.n_nodes() - 1));
    }
  }
  const Matrix counts = confusion_matrix(truth, predicted, nodes.size(), weights);
  double heights = 0;
  double mistakes = 0;
  double total = 0;
  for (std::size_t row = 0; row < nodes.size(); ++row) {
    for (std::size_t column = 0; column < nodes.size(); ++column) {
      const double count = counts(row, column);
      total += count;
      if (row != column && count > 0) {
        mistakes += count;
        heights += count * tree.ancestor_height(static_cast<std::size_t>(nodes[row]),
                                                static_cast<std::size_t>(nodes[column]));
      }
    }
  }
  return {mistakes > 0 ? heights / mistakes : 0, heights / total};
}

}  // namespace bentwood
