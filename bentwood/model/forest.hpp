#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "bentwood/geometry/columns.hpp"
#include "bentwood/geometry/membership.hpp"
#include "bentwood/model/tree.hpp"

namespace bentwood {

/// What a forest tells of a point: its class, numbers, or nothing but where it belongs (model/geodesic_forest.hpp).
enum class Task : std::uint8_t { classification, regression, none };

/// The labels of a classifier, ascending: whole numbers, real numbers or text, as they were given.
using Labels =
    std::variant<std::vector<std::int64_t>, std::vector<double>, std::vector<std::string>>;

/// A trained tree or forest with all that prediction needs: nothing of how it was trained remains but the
/// parameters, for people to read. A tree is a forest of one.
struct Forest {
  Task task = Task::classification;
  /// What the program and the package call it: "ManifoldForestClassifier".
  std::string estimator{};
  Columns columns;
  OffManifold off_manifold = OffManifold::error;
  std::vector<Tree> trees{};
  /// What the numbers of a leaf stand for: one a class; empty for regression.
  Labels classes{};
  /// The names of the outputs of a regression; may be empty.
  std::vector<std::string> output_names{};
  /// The names of the columns of the input; may be empty.
  std::vector<std::string> feature_names{};
  /// The mean decrease in impurity of each column, and of each hyperbolic factor's horospheres (Columns::n_importances), normalised to sum 1 (or all 0), averaged over the trees
  /// that cut something.
  std::vector<double> importances{};
  /// Settings of the training that shaped the model: names and JSON values.
  std::map<std::string, std::string> parameters{};

  /// Numbers in a leaf: classes or outputs.
  [[nodiscard]] std::size_t width() const { return trees.empty() ? 0 : trees.front().width; }
  /// The trees that are more than a leaf.
  [[nodiscard]] std::size_t n_cutting_trees() const {
    return static_cast<std::size_t>(
        std::ranges::count_if(trees, [](const Tree& tree) { return tree.nodes.size() > 1; }));
  }
};

}  // namespace bentwood
