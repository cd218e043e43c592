#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

#include "bentwood/grow/horosphere_splits.hpp"

namespace bentwood {

/// How impure a node is.
enum class Impurity : std::uint8_t { gini, entropy, squared_error };

/// When a tree stops, and what it looks at; the names and meanings of scikit-learn.
struct GrowOptions {
  Impurity impurity = Impurity::gini;
  std::size_t max_depth = std::numeric_limits<std::size_t>::max();
  /// Rows that a node needs to be split, and that each part must keep. A row that was drawn twice counts once.
  std::size_t min_samples_split = 2;
  std::size_t min_samples_leaf = 1;
  /// The share of the tree's weight that each part must keep.
  double min_weight_fraction_leaf = 0;
  /// The decrease in impurity that a split must bring, times the node's share of the tree's weight.
  double min_impurity_decrease = 0;
  /// Columns that are looked at in a node, drawn anew for each; more where none of them can be cut.
  std::size_t max_features = std::numeric_limits<std::size_t>::max();
  /// Leaves of the whole tree: where this is set the node of the greatest decrease is split next, wherever it
  /// stands. 0 means no limit.
  std::size_t max_leaf_nodes = 0;
  /// The horospheres that a node makes for itself; they are looked at in every node, whatever max_features is.
  HorosphereSplits horospheres{};
};

}  // namespace bentwood
