#include "bentwood/ensemble/train.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bentwood/base/error.hpp"
#include "bentwood/ensemble/importances.hpp"
#include "bentwood/infer/inputs.hpp"
#include "bentwood/model/training_facts.hpp"

namespace bentwood {
namespace {

std::size_t n_classes(const Labels& classes) {
  return std::visit([](const auto& labels) { return labels.size(); }, classes);
}

void check_classes(const Target& target, const Labels& classes) {
  if (target.task == Task::classification && n_classes(classes) != target.width) {
    throw InvalidInput(fmt::format("{} classes have {} names", target.width, n_classes(classes)));
  }
}

std::string families_text(const Columns& columns) {
  std::vector<std::string_view> names;
  for (const ColumnFamily family : columns.families()) {
    names.push_back(name(family));
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

/// The trees of a forest speak of its columns by number, and of its classes or outputs.
void check_continues(const Forest& forest, const Target& target, const TrainOptions& options) {
  if (forest.trees.empty()) {
    return;
  }
  const std::size_t n_earlier = forest.trees.size();
  if (n_earlier > options.forest.n_trees) {
    throw InvalidInput(fmt::format("n_estimators is {}, but the forest has {} trees already",
                                   options.forest.n_trees, n_earlier));
  }
  const Signature& before = forest.columns.manifold().signature();
  const Signature& now = options.columns.manifold().signature();
  if (now != before) {
    throw InvalidInput(
        fmt::format("signature is {}, but the forest has trees on {}", now.text(), before.text()));
  }
  if (options.columns.families() != forest.columns.families()) {
    throw InvalidInput(fmt::format("splits is {}, but the forest has trees on {}",
                                   families_text(options.columns), families_text(forest.columns)));
  }
  if (target.task != forest.task || target.width != forest.trees.front().width) {
    throw InvalidInput(fmt::format("{} classes or outputs, but the forest has {}", target.width,
                                   forest.trees.front().width));
  }
}

}  // namespace

Training train_forest(Points points, const Target& target, const Labels& classes,
                      const TrainOptions& options,
                      const std::function<void(std::size_t)>& progress) {
  Forest empty{.columns = options.columns};
  return extend_forest(empty, points, target, classes, options, progress);
}

Training extend_forest(const Forest& forest, Points points, const Target& target,
                       const Labels& classes, const TrainOptions& options,
                       const std::function<void(std::size_t)>& progress) {
  (void)idle_splits(options.columns);
  check_classes(target, classes);
  check_continues(forest, target, options);
  const std::size_t n_earlier = forest.trees.size();
  const Inputs inputs = bentwood::inputs(options.columns, options.off_manifold, points);
  ForestOptions added = options.forest;
  added.grow.horospheres.places = options.columns.polar_places();
  added.first_tree = n_earlier;
  added.n_trees = options.forest.n_trees - n_earlier;
  added.out_of_bag = false;
  const auto report = [&](std::size_t n_done) {
    if (progress) {
      progress(n_earlier + n_done);
    }
  };
  GrownForest grown = grow_forest(inputs.columns, options.columns.columns(), target, added, report);

  Training result{.forest = {.task = target.task,
                             .estimator = options.estimator,
                             .columns = options.columns,
                             .off_manifold = options.off_manifold,
                             .trees = forest.trees,
                             .classes = classes,
                             .output_names = options.output_names,
                             .feature_names = options.feature_names,
                             .parameters = options.parameters},
                  .n_projected = inputs.n_projected,
                  .largest_residual = inputs.largest_residual};
  keep_projected(options.off_manifold, inputs.n_projected, result.forest.parameters);
  // Files of older formats have values of many classes that are not sparse.
  for (Tree& tree : result.forest.trees) {
    if (!grown.trees.empty() && grown.trees.front().is_sparse() && !tree.is_sparse()) {
      tree = with_sparse_values(std::move(tree));
    }
  }
  std::ranges::move(grown.trees, std::back_inserter(result.forest.trees));
  result.forest.importances =
      mean_importances(grown.importances, forest.importances, forest.n_cutting_trees());
  if (options.forest.out_of_bag) {
    result.out_of_bag =
        out_of_bag_values(result.forest.trees, inputs.columns, options.columns.columns(),
                          target.weights, options.forest);
  }
  return result;
}

std::size_t square_root_features(std::size_t n_columns) {
  return std::max<std::size_t>(1,
                               static_cast<std::size_t>(std::sqrt(static_cast<double>(n_columns))));
}

std::size_t logarithm_features(std::size_t n_columns) {
  return std::max<std::size_t>(2, static_cast<std::size_t>(std::bit_width(n_columns))) - 1;
}

}  // namespace bentwood
