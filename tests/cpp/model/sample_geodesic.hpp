#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "bentwood/base/random.hpp"
#include "bentwood/infer/reference.hpp"
#include "bentwood/model/geodesic_forest.hpp"

namespace bentwood {

/// A tree that cuts columns, and sums of two of them, at numbers of rows taken at random.
inline Tree random_geodesic_tree(const Matrix& data, std::size_t n_splits, Random& random) {
  Tree tree;
  tree.width = 1;
  tree.nodes.emplace_back();
  tree.weights.push_back(static_cast<double>(data.n_rows()));
  std::vector<std::size_t> leaves{0};
  for (std::size_t split = 0; split < n_splits; ++split) {
    const std::size_t place = random.below(leaves.size());
    const std::size_t leaf = leaves[place];
    const std::size_t row = random.below(data.n_rows());
    const std::size_t column = random.below(data.n_cols());
    TreeNode& node = tree.nodes[leaf];
    node.column = static_cast<std::int32_t>(column);
    node.threshold = data(row, column);
    if (column + 1 < data.n_cols() && random.below(2) == 0) {
      const std::vector<std::uint32_t> places{static_cast<std::uint32_t>(column),
                                              static_cast<std::uint32_t>(column + 1)};
      const std::vector<double> coefficients{0.5, random.below(2) == 0 ? -1.25 : 3};
      node.column = static_cast<std::int32_t>(data.n_cols() + tree.own.size());
      tree.own.add_oblique(places, coefficients, random.uniform());
      node.threshold = tree.own.value(tree.own.size() - 1, data.row(row).data());
    }
    node.child = static_cast<std::uint32_t>(tree.nodes.size());
    const double weight = tree.weights[leaf] / 2;
    leaves[place] = tree.nodes.size();
    leaves.push_back(tree.nodes.size() + 1);
    tree.nodes.resize(tree.nodes.size() + 2);
    tree.weights.resize(tree.nodes.size(), weight);
  }
  for (TreeNode& node : tree.nodes) {
    if (node.is_leaf()) {
      node.child = static_cast<std::uint32_t>(tree.values.size());
      tree.values.push_back(0.125);
    }
  }
  return tree;
}

/// A forest of random trees on random points, without training: the same whenever it is made. That of tests/golden was made by this.
inline GeodesicForest sample_geodesic_forest(std::string_view signature, std::size_t n_rows,
                                             std::size_t n_trees, std::uint64_t seed,
                                             std::size_t n_splits = 6) {
  GeodesicForest result{.forest = {.task = Task::none,
                                   .estimator = "GeodesicForest",
                                   .columns = Columns(Manifold(signature), {ColumnFamily::chordal}),
                                   .off_manifold = OffManifold::error,
                                   .trees = {},
                                   .classes = {},
                                   .output_names = {},
                                   .feature_names = {},
                                   .importances = {},
                                   .parameters = {{"n_estimators", std::to_string(n_trees)}}},
                        .counted = CountedTrees::all,
                        .seed = 18446744073709551615U,
                        .n_rows = n_rows};
  const Columns& columns = result.forest.columns;
  const Matrix data = columns.values(columns.manifold().random(n_rows, 0.8, seed));
  const std::size_t n_words = GeodesicForest::n_words(n_rows);
  result.drawn.assign(n_trees * n_words, 0);
  for (std::size_t tree = 0; tree < n_trees; ++tree) {
    Random random(seed, 0, tree);
    result.forest.trees.push_back(random_geodesic_tree(data, n_splits, random));
    for (std::size_t row = 0; row < n_rows; ++row) {
      result.leaves.push_back(
          leaf_of(result.forest.trees.back(), columns.columns(), data.row(row)));
      result.drawn[tree * n_words + row / 32] |= (random.below(3) > 0 ? 1U : 0U) << (row % 32);
    }
  }
  result.forest.importances.assign(columns.size(), 0.25);
  return result;
}

/// Gives every node of a forest a doubt; every fifth inner node has none.
inline void doubt_at_random(GeodesicForest& forest, std::uint64_t seed) {
  Random random(seed);
  for (const Tree& tree : forest.forest.trees) {
    for (const TreeNode& node : tree.nodes) {
      const double doubt = random.below(5) == 0 ? 0 : random.uniform();
      forest.doubts.push_back(node.is_leaf() ? 1 : doubt);
    }
  }
}

}  // namespace bentwood
