#pragma once

#include <cmath>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "bentwood/base/random.hpp"
#include "bentwood/model/forest.hpp"

namespace bentwood {

/// What a random forest of the tests looks like.
struct RandomForestShape {
  std::string_view signature = "E3";
  Coordinates coordinates = Coordinates::ambient;
  std::vector<ColumnFamily> families{ColumnFamily::geodesic};
  std::size_t n_trees = 3;
  /// Every tree has up to that many inner nodes.
  std::size_t n_splits = 20;
  std::size_t width = 3;
  /// The distinct rows of values in a tree.
  std::size_t n_value_rows = 7;
  /// Whether nodes also cut sums of columns that are lines.
  bool sums = false;
};

/// A threshold on or beside a number of the data, where a careless comparison errs.
inline double random_threshold(const Column& column, double value, Random& random) {
  double threshold = value;
  switch (random.below(5)) {
    case 0:
      break;
    case 1:
      threshold = static_cast<double>(static_cast<float>(value));
      break;
    case 2:
      threshold = std::nextafter(value, random.below(2) == 0 ? -1e300 : 1e300);
      break;
    case 3:
      threshold = value * (1 + 1e-9 * random.normal());
      break;
    default:
      threshold = value + random.normal();
  }
  if (column.kind == ColumnKind::line) {
    return threshold;
  }
  threshold = fold(std::remainder(threshold, 2 * std::numbers::pi)).turn;
  return threshold;
}

/// A horosphere column with an ideal point at random.
inline void add_random_horosphere(const PolarPlace& place, Random& random, OwnColumns& own) {
  std::vector<double> ideal(place.dim);
  double squared = 0;
  for (double& component : ideal) {
    component = random.normal();
    squared += component * component;
  }
  for (double& component : ideal) {
    component /= std::sqrt(squared);
  }
  own.add_horosphere(place, ideal, random.uniform());
}

/// A sum of two or three columns, all of them lines.
inline void add_random_sum(std::span<const Column> columns, Random& random, OwnColumns& own) {
  std::vector<std::uint32_t> terms;
  std::vector<double> weights;
  for (std::uint32_t column = 0; column < columns.size(); ++column) {
    if (columns[column].kind == ColumnKind::line && (terms.empty() || random.below(2) == 0)) {
      terms.push_back(column);
      weights.push_back(random.normal());
    }
  }
  own.add_oblique(terms, weights, random.uniform());
}

/// A tree that splits leaves at random, at thresholds on or beside the numbers of `data`.
inline Tree random_tree(const RandomForestShape& shape, const Columns& columns, const Matrix& data,
                        Random& random) {
  Tree tree;
  tree.width = shape.width;
  tree.nodes.emplace_back();
  tree.weights.push_back(static_cast<double>(data.n_rows()));
  std::vector<std::size_t> leaves{0};
  const std::size_t n_splits = random.below(shape.n_splits + 1);
  const std::size_t n_own_kinds = columns.polar_places().size() + (shape.sums ? 1 : 0);
  for (std::size_t split = 0; split < n_splits; ++split) {
    // Often the latest leaf, so that trees get deep.
    std::size_t& leaf =
        leaves[random.below(2) == 0 ? leaves.size() - 1 : random.below(leaves.size())];
    const std::size_t column = random.below(columns.size() + 2 * n_own_kinds);
    TreeNode& node = tree.nodes[leaf];
    const std::size_t row = random.below(data.n_rows());
    if (column < columns.size()) {
      node.column = static_cast<std::int32_t>(column);
      node.threshold = random_threshold(columns.columns()[column], data(row, column), random);
    } else {
      node.column = static_cast<std::int32_t>(columns.size() + tree.own.size());
      const std::size_t kind = (column - columns.size()) / 2;
      if (kind < columns.polar_places().size()) {
        add_random_horosphere(columns.polar_places()[kind], random, tree.own);
      } else {
        add_random_sum(columns.columns(), random, tree.own);
      }
      const double level = tree.own.value(tree.own.size() - 1, data.row(row).data());
      node.threshold = random.below(3) == 0 ? level : level * (0.5 + random.uniform());
    }
    node.child = static_cast<std::uint32_t>(tree.nodes.size());
    const double weight = tree.weights[leaf] / 2;
    leaf = tree.nodes.size();
    leaves.push_back(tree.nodes.size() + 1);
    tree.nodes.resize(tree.nodes.size() + 2);
    tree.weights.resize(tree.nodes.size(), weight);
  }
  for (std::size_t number = 0; number < shape.n_value_rows * shape.width; ++number) {
    tree.values.push_back(random.below(4) == 0 ? 0.0 : random.uniform());
  }
  for (TreeNode& node : tree.nodes) {
    if (node.is_leaf()) {
      node.child = static_cast<std::uint32_t>(random.below(shape.n_value_rows));
    }
  }
  return tree;
}

/// A forest of random trees for points such as `points`, which are in the shape's coordinates.
inline Forest random_forest(const RandomForestShape& shape, const Matrix& points,
                            std::uint64_t seed) {
  Forest forest{.task = Task::regression,
                .estimator = "ManifoldForestRegressor",
                .columns = Columns(Manifold(shape.signature, shape.coordinates), shape.families),
                .off_manifold = OffManifold::error,
                .trees = {},
                .classes = {},
                .output_names = {},
                .feature_names = {},
                .importances = {},
                .parameters = {}};
  const Matrix data = forest.columns.values(points);
  for (std::size_t tree = 0; tree < shape.n_trees; ++tree) {
    Random random(seed, 0, tree);
    forest.trees.push_back(random_tree(shape, forest.columns, data, random));
  }
  forest.importances.assign(forest.columns.n_importances(), 0.0);
  return forest;
}

}  // namespace bentwood
