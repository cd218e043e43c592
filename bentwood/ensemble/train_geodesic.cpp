#include "bentwood/ensemble/train_geodesic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <memory>
#include <span>
#include <utility>

#include "bentwood/base/error.hpp"
#include "bentwood/base/parallel.hpp"
#include "bentwood/base/pool.hpp"
#include "bentwood/ensemble/bootstrap.hpp"
#include "bentwood/ensemble/importances.hpp"
#include "bentwood/infer/inputs.hpp"
#include "bentwood/infer/reference.hpp"
#include "bentwood/model/training_facts.hpp"

namespace bentwood {
namespace {

constexpr std::array<std::string_view, 3> shared_names{"leaf", "node", "evidence"};

void check(const GeodesicOptions& options, std::size_t n_rows) {
  const ClusterOptions& grow = options.grow;
  if (options.n_trees == 0 || grow.max_features == 0 || grow.min_samples_split < 2) {
    throw InvalidInput(
        "n_estimators and max_features must be at least 1, min_samples_split at least 2");
  }
  if (options.max_samples > n_rows) {
    throw InvalidInput(
        fmt::format("max_samples is {}, the points have {} rows", options.max_samples, n_rows));
  }
  if (options.counted == CountedTrees::out_of_bag && !options.bootstrap) {
    throw InvalidInput(
        "counted is out_of_bag, which needs a bootstrap: without one every tree has all rows");
  }
  if (!(grow.limits.min_share >= 0 && grow.limits.min_share <= 0.5)) {
    throw InvalidInput(
        fmt::format("min_share is {}, expected a number from 0 to 0.5", grow.limits.min_share));
  }
  if (!(grow.temperature >= 0) || !(grow.density >= 0 && grow.density <= 1)) {
    throw InvalidInput(
        fmt::format("temperature is {} and density {}, expected a number of at least 0 and one "
                    "from 0 to 1",
                    grow.temperature, grow.density));
  }
}

/// So many times the rows of the smallest node that is split, in all rows as its tree has drawn some of them: far above what a leaf
/// holds, and few enough that neighbours stay cheap to find.
std::uint64_t largest_shared_node(SharedNodes shared, const ClusterOptions& grow,
                                  const GeodesicForest& forest) {
  if (shared == SharedNodes::leaf) {
    return 0;
  }
  const double times = shared == SharedNodes::node ? 5 : 100;
  std::size_t n_drawn = 0;
  for (const std::uint32_t word : forest.drawn) {
    n_drawn += static_cast<std::size_t>(std::popcount(word));
  }
  const double drawn_share = static_cast<double>(n_drawn) /
                             static_cast<double>(forest.n_rows * forest.forest.trees.size());
  const auto smallest =
      static_cast<double>(std::max(grow.min_samples_split, 2 * grow.limits.min_rows));
  const double rows = std::ceil(times * smallest / drawn_share);
  return static_cast<std::uint64_t>(std::min(rows, static_cast<double>(forest.n_rows)));
}

/// Sets the bits of the rows that a tree has.
void mark_drawn(const GeodesicOptions& options, std::size_t n_rows, std::size_t tree,
                std::span<std::uint32_t> words) {
  const std::vector<double> counts =
      draw_rows(n_rows, options.bootstrap, options.max_samples, options.seed, tree);
  for (std::size_t row = 0; row < n_rows; ++row) {
    if (counts[row] > 0) {
      words[row / 32] |= 1U << (row % 32);
    }
  }
}

}  // namespace

SharedNodes parse_shared_nodes(std::string_view name) {
  const auto* const found = std::ranges::find(shared_names, name);
  if (found == shared_names.end()) {
    throw InvalidInput(
        fmt::format("shared is \"{}\", expected \"leaf\", \"node\" or \"evidence\"", name));
  }
  return static_cast<SharedNodes>(found - shared_names.begin());
}

GeodesicTraining train_geodesic_forest(Points points, const GeodesicOptions& options,
                                       const std::function<void(std::size_t)>& progress) {
  const Columns columns(options.manifold, {ColumnFamily::chordal});
  Inputs rows = inputs(columns, options.off_manifold, points);
  const std::size_t n_rows = rows.columns.n_rows();
  if (n_rows == 0) {
    throw InvalidInput("there are no rows to learn from");
  }
  check(options, n_rows);
  const RankedColumns ranked(rows.columns, columns.columns());
  const ClusterSoil soil(ranked);
  const std::size_t n_words = GeodesicForest::n_words(n_rows);

  GeodesicTraining result{.forest = {.forest = {.task = Task::none,
                                                .estimator = options.estimator,
                                                .columns = columns,
                                                .off_manifold = options.off_manifold,
                                                .trees = std::vector<Tree>(options.n_trees),
                                                .feature_names = options.feature_names,
                                                .parameters = options.parameters},
                                     .counted = options.counted,
                                     .seed = options.seed,
                                     .n_rows = n_rows},
                          .n_projected = rows.n_projected,
                          .largest_residual = rows.largest_residual};
  GeodesicForest& forest = result.forest;
  keep_projected(options.off_manifold, rows.n_projected, forest.forest.parameters);
  forest.leaves.resize(options.n_trees * n_rows);
  forest.drawn.resize(options.n_trees * n_words);
  Matrix importances(options.n_trees, columns.size());
  std::vector<std::vector<double>> doubts(options.n_trees);
  Pool<ClusterTreeGrower> growers;
  parallel_tasks(
      options.n_trees,
      [&](std::size_t tree) {
        const std::span<std::uint32_t> drawn =
            std::span(forest.drawn).subspan(tree * n_words, n_words);
        mark_drawn(options, n_rows, tree, drawn);
        GrownClusters found;
        growers.with([&] { return std::make_unique<ClusterTreeGrower>(soil, options.grow); },
                     [&](ClusterTreeGrower& grower) {
                       found = grower.grow(drawn, tree_seed(options.seed, tree));
                     });
        std::ranges::copy(found.grown.importances, importances.row(tree).begin());
        forest.forest.trees[tree] = std::move(found.grown.tree);
        doubts[tree] = std::move(found.doubts);
        for (std::size_t row = 0; row < n_rows; ++row) {
          forest.leaves[tree * n_rows + row] =
              leaf_of(forest.forest.trees[tree], columns.columns(), rows.columns.row(row));
        }
      },
      progress);
  forest.forest.importances = mean_importances(importances);
  forest.largest_node = largest_shared_node(options.shared, options.grow, forest);
  if (options.shared == SharedNodes::evidence) {
    for (const std::vector<double>& of_tree : doubts) {
      forest.doubts.insert(forest.doubts.end(), of_tree.begin(), of_tree.end());
    }
  }
  return result;
}

}  // namespace bentwood
