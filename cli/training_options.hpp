#pragma once

#include <CLI/App.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bentwood/ensemble/train.hpp"
#include "bentwood/geometry/coordinates.hpp"
#include "bentwood/model/forest.hpp"

namespace bentwood::cli {

/// What --method horo-tree and horo-forest can be told besides.
struct HoroTreeOptions {
  std::string ideal_points = "svm";
  std::string threshold = "gain";
  bool no_hyperclasses = false;
  double beta = 0;
  std::size_t n_candidates = 60;
};

/// What to train, as the user said it; empty text and 0 stand for what was not said.
struct TrainingOptions {
  std::optional<std::string> signature;
  Coordinates coordinates = Coordinates::ambient;
  std::string off_manifold = "error";
  std::vector<std::string> splits{"geodesic"};
  std::string method = "forest";
  std::size_t n_trees = 100;
  std::size_t max_depth = 0;
  std::size_t min_samples_split = 2;
  std::size_t min_samples_leaf = 0;
  std::size_t max_leaf_nodes = 0;
  double min_weight_fraction_leaf = 0;
  double min_impurity_decrease = 0;
  std::string max_features;
  std::string criterion;
  std::string class_weight;
  std::uint64_t seed = 0;
  HoroTreeOptions horospheres;

  [[nodiscard]] bool is_tree() const { return method == "tree" || method == "horo-tree"; }
  [[nodiscard]] bool is_perceptron() const {
    return method == "perceptron" || method == "second-order-perceptron";
  }
  [[nodiscard]] bool is_geodesic() const { return method == "geodesic-forest"; }
  /// Whether nodes cut horospheres alone of hyperbolic factors.
  [[nodiscard]] bool is_horo() const { return method == "horo-tree" || method == "horo-forest"; }
};

void add_training_options(CLI::App& command, TrainingOptions& options);

/// The same for the library, with the names and parameters that the Python package would give the
/// model. Points have `n_columns` columns, which makes the Euclidean space (of horo-tree and horo-forest the hyperbolic one) where
/// no signature is given. Throws InvalidInput where options do not fit the task, usage errors where they do not fit
/// each other.
[[nodiscard]] TrainOptions train_options(const TrainingOptions& options, Task task,
                                         std::size_t n_columns);

}  // namespace bentwood::cli
