#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "bentwood/ensemble/grow_forest.hpp"
#include "bentwood/geometry/columns.hpp"
#include "bentwood/geometry/membership.hpp"
#include "bentwood/model/forest.hpp"
#include "bentwood/split/target.hpp"

namespace bentwood {

/// What to train, on which columns of which manifold.
struct TrainOptions {
  Columns columns;
  OffManifold off_manifold = OffManifold::error;
  ForestOptions forest{};
  /// What the model is called and carries for people to read (model/forest.hpp).
  std::string estimator{};
  std::vector<std::string> feature_names{};
  std::vector<std::string> output_names{};
  std::map<std::string, std::string> parameters{};
};

/// A model, and what only its training knows.
struct Training {
  Forest forest;
  /// One row a training row: the mean of what the trees say that have not drawn it; empty unless asked for.
  Matrix out_of_bag{};
  /// Points that were off the manifold and were projected, and the largest relative residual.
  std::size_t n_projected = 0;
  double largest_residual = 0;
};

/// Trains a forest on points. `classes` names the classes of the target, one a class; empty for regression. Throws
/// InvalidInput where a point is off the manifold, where the splits have nothing to cut (idle_splits) or the arguments do not fit each
/// other, Interrupted.
[[nodiscard]] Training train_forest(Points points, const Target& target, const Labels& classes,
                                    const TrainOptions& options,
                                    const std::function<void(std::size_t)>& progress = {});

/// The same, going on with a forest that was trained on the same data: the result has `options.forest.n_trees` trees
/// in all, and is what training them at once would have given. Throws InvalidInput where the forest has more.
[[nodiscard]] Training extend_forest(const Forest& forest, Points points, const Target& target,
                                     const Labels& classes, const TrainOptions& options,
                                     const std::function<void(std::size_t)>& progress = {});

/// The columns that a node looks at for max_features = "sqrt" and "log2", at least 1.
[[nodiscard]] std::size_t square_root_features(std::size_t n_columns);
[[nodiscard]] std::size_t logarithm_features(std::size_t n_columns);

}  // namespace bentwood
