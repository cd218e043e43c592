#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "bentwood/base/matrix.hpp"
#include "bentwood/grow/grow_options.hpp"
#include "bentwood/model/tree.hpp"
#include "bentwood/split/target.hpp"

namespace bentwood {

/// How much the rows of a class weigh.
enum class ClassBalance : std::uint8_t {
  /// As given.
  none,
  /// Each class as much as any other: rows / (classes · rows of the class), times their own weights.
  all_rows,
  /// The same, counted anew among the rows that each tree has drawn.
  each_tree,
};

/// How a forest is grown; the names and meanings of scikit-learn.
struct ForestOptions {
  GrowOptions grow;
  std::size_t n_trees = 100;
  /// Whether each tree draws its rows with replacement, and how many; 0 for as many as there are.
  bool bootstrap = true;
  std::size_t max_samples = 0;
  ClassBalance balance = ClassBalance::none;
  /// Whether rows are predicted by the trees that have not drawn them.
  bool out_of_bag = false;
  std::uint64_t seed = 0;
  /// The number of the first tree: to go on with a forest that has as many (warm start).
  std::size_t first_tree = 0;
};

/// The trees of a forest and what was learned on the way.
struct GrownForest {
  std::vector<Tree> trees;
  /// One row per tree: the decrease in impurity by each column and by each hyperbolic factor's horospheres.
  Matrix importances;
  /// One row a training row: the mean of what the trees say that have not drawn it; NaN where there is none.
  /// Empty unless asked for.
  Matrix out_of_bag;
};

/// Grows the trees of a random forest (Breiman 2001) on rows as Columns has them. Bootstrap draws are weights: no row is
/// copied. Trees are a pure function of (seed, number of the tree, data); threads take whole trees first, and
/// share the work within a tree where there are fewer trees than threads.
///
/// `progress`, if any, is told on the calling thread how many trees are finished. Throws InvalidInput where
/// values, targets or options do not fit each other, Interrupted.
[[nodiscard]] GrownForest grow_forest(MatrixView values, std::span<const Column> columns,
                                      const Target& target, const ForestOptions& options,
                                      const std::function<void(std::size_t)>& progress = {});

/// What out-of-bag rows would need of trees that were grown before: use with warm start, `trees` being all of them.
/// `row_weights` are the target's.
[[nodiscard]] Matrix out_of_bag_values(std::span<const Tree> trees, MatrixView values,
                                       std::span<const Column> columns,
                                       std::span<const double> row_weights,
                                       const ForestOptions& options);

}  // namespace bentwood
