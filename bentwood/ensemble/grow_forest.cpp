#include "bentwood/ensemble/grow_forest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <numeric>

#include "bentwood/base/error.hpp"
#include "bentwood/base/parallel.hpp"
#include "bentwood/base/pool.hpp"
#include "bentwood/base/weights.hpp"
#include "bentwood/ensemble/bootstrap.hpp"
#include "bentwood/grow/grow_tree.hpp"
#include "bentwood/infer/reference.hpp"
#include "bentwood/split/ranked_columns.hpp"

namespace bentwood {
namespace {

constexpr std::size_t rows_a_block = 1024;

/// Multiplies the weights of rows by rows / (classes · rows of the class), the rows counted as `counts` says.
void balance_classes(const Target& target, std::span<const double> counts,
                     std::span<double> weights) {
  std::vector<double> totals(target.width, 0.0);
  for (std::size_t row = 0; row < counts.size(); ++row) {
    totals[target.classes[row]] += counts[row];
  }
  const double total = std::accumulate(totals.begin(), totals.end(), 0.0);
  const auto n_present = static_cast<double>(
      std::ranges::count_if(totals, [](double class_total) { return class_total > 0; }));
  for (std::size_t row = 0; row < weights.size(); ++row) {
    if (counts[row] > 0) {
      weights[row] *= total / (n_present * totals[target.classes[row]]);
    }
  }
}

/// How often each row is in a tree. One whose draw has only rows of weight 0 would be of nothing: it takes them all.
std::vector<double> tree_counts(std::size_t n_rows, std::span<const double> row_weights,
                                const ForestOptions& options, std::size_t tree) {
  std::vector<double> counts =
      draw_rows(n_rows, options.bootstrap, options.max_samples, options.seed, tree);
  bool has_weight = row_weights.empty();
  for (std::size_t row = 0; row < row_weights.size() && !has_weight; ++row) {
    has_weight = counts[row] > 0 && row_weights[row] > 0;
  }
  if (!has_weight) {
    std::ranges::fill(counts, 1.0);
  }
  return counts;
}

/// The rows' own weights come times `scale`.
std::vector<double> tree_weights(const Target& target, double scale, const ForestOptions& options,
                                 std::size_t tree) {
  const std::size_t n_rows = target.n_rows();
  std::vector<double> counts = tree_counts(n_rows, target.weights, options, tree);
  if (options.balance == ClassBalance::none && target.weights.empty()) {
    return counts;
  }
  std::vector<double> weights = counts;
  for (std::size_t row = 0; row < target.weights.size(); ++row) {
    weights[row] *= target.weights[row] * scale;
  }
  if (options.balance == ClassBalance::all_rows) {
    balance_classes(target, std::vector<double>(n_rows, 1.0), weights);
  } else if (options.balance == ClassBalance::each_tree) {
    balance_classes(target, counts, weights);
  }
  return weights;
}

/// A tree tells the weight of each of its nodes. Where classes are balanced, a row's is multiplied by at most the number of rows, or divided.
void check_node_weights(std::span<const double> weights, const ForestOptions& options) {
  const auto n_rows = static_cast<double>(weights.size());
  const double balance = options.balance == ClassBalance::none ? 1 : n_rows;
  const double largest = std::ranges::max(weights);
  if (!std::isfinite(largest * n_rows * balance)) {
    throw InvalidInput(fmt::format(
        "the largest weight is {}, and {} rows of it may weigh more than 1.8e308, the largest "
        "number; divide all weights by the same number",
        largest, weights.size()));
  }
  for (std::size_t row = 0; row < weights.size() && balance > 1; ++row) {
    if (weights[row] > 0 && weights[row] / balance < std::numeric_limits<double>::min()) {
      throw RowError(row, fmt::format("the weight is {}, which may vanish where classes are "
                                      "balanced; multiply all weights by the same number",
                                      weights[row]));
    }
  }
}

void check_outputs(const Matrix& outputs) {
  for (std::size_t row = 0; row < outputs.n_rows(); ++row) {
    for (const double output : outputs.row(row)) {
      if (!std::isfinite(output)) {
        throw RowError(row, fmt::format("target is {}, expected a finite number", output));
      }
    }
  }
}

void check(MatrixView values, std::span<const Column> columns, const Target& target,
           const ForestOptions& options) {
  std::size_t row_width = columns.size();
  for (const PolarPlace& place : options.grow.horospheres.places) {
    row_width += place.size();
  }
  if (values.n_rows() == 0 || values.n_cols() == 0 || values.n_cols() != row_width ||
      target.width == 0) {
    throw InvalidInput(fmt::format("cannot learn from {} rows and {} columns with {} targets",
                                   values.n_rows(), values.n_cols(), target.width));
  }
  if (values.n_rows() >= std::numeric_limits<std::uint32_t>::max()) {
    throw InvalidInput(
        fmt::format("{} rows are too many, expected fewer than 2^32", values.n_rows()));
  }
  if (target.n_rows() != values.n_rows()) {
    throw InvalidInput(
        fmt::format("points have {} rows, targets {}", values.n_rows(), target.n_rows()));
  }
  if (!target.weights.empty()) {
    check_weights(target.weights, values.n_rows());
    check_node_weights(target.weights, options);
  }
  check_outputs(target.outputs);
  if (options.max_samples > values.n_rows()) {
    throw InvalidInput(fmt::format("max_samples is {}, the points have {} rows",
                                   options.max_samples, values.n_rows()));
  }
  if ((options.grow.max_features == 0 && !columns.empty()) || options.grow.min_samples_leaf == 0 ||
      options.grow.min_samples_split < 2 || options.grow.max_leaf_nodes == 1) {
    throw InvalidInput(
        "max_features and min_samples_leaf must be at least 1, min_samples_split and "
        "max_leaf_nodes at least 2");
  }
}

}  // namespace

GrownForest grow_forest(MatrixView values, std::span<const Column> columns, const Target& target,
                        const ForestOptions& options,
                        const std::function<void(std::size_t)>& progress) {
  check(values, columns, target, options);
  const double scale = weight_scale(target.weights);
  const RankedColumns ranked(values, columns);
  GrownForest result;
  result.trees.resize(options.n_trees);
  result.importances =
      Matrix(options.n_trees, columns.size() + options.grow.horospheres.places.size());
  Pool<TreeGrower> growers;
  parallel_tasks(
      options.n_trees,
      [&](std::size_t item) {
        const std::size_t tree = options.first_tree + item;
        GrownTree grown;
        growers.with([&] { return std::make_unique<TreeGrower>(ranked, target, options.grow); },
                     [&](TreeGrower& grower) {
                       grown = grower.grow(tree_weights(target, scale, options, tree),
                                           tree_seed(options.seed, tree));
                     });
        const double sum = std::accumulate(grown.importances.begin(), grown.importances.end(), 0.0);
        std::ranges::copy(grown.importances, result.importances.row(item).begin());
        for (double& weight : grown.tree.weights) {
          weight /= scale;
        }
        for (double& gain : grown.tree.own.gains) {
          gain = sum > 0 ? gain / sum : 0;
        }
        result.trees[item] = std::move(grown.tree);
      },
      progress);
  if (options.out_of_bag) {
    result.out_of_bag = out_of_bag_values(result.trees, values, columns, target.weights, options);
  }
  return result;
}

Matrix out_of_bag_values(std::span<const Tree> trees, MatrixView values,
                         std::span<const Column> columns, std::span<const double> row_weights,
                         const ForestOptions& options) {
  const std::size_t n_rows = values.n_rows();
  std::vector<std::vector<bool>> is_in(trees.size(), std::vector<bool>(n_rows));
  parallel_blocks(trees.size(), 1, [&](std::size_t tree, std::size_t) {
    const std::vector<double> counts = tree_counts(n_rows, row_weights, options, tree);
    for (std::size_t row = 0; row < n_rows; ++row) {
      is_in[tree][row] = counts[row] > 0;
    }
  });
  const std::size_t width = trees.empty() ? 0 : trees.front().width;
  Matrix result(n_rows, width);
  parallel_blocks(n_rows, rows_a_block, [&](std::size_t begin, std::size_t end) {
    std::vector<std::vector<std::size_t>> known_by(end - begin);
    // Tree by tree, so that a tree's nodes stay in the cache for the block.
    for (std::size_t tree = 0; tree < trees.size(); ++tree) {
      for (std::size_t row = begin; row < end; ++row) {
        if (!is_in[tree][row]) {
          trees[tree].add_value(
              trees[tree].nodes[leaf_of(trees[tree], columns, values.row(row))].child,
              result.row(row));
          known_by[row - begin].push_back(tree);
        }
      }
    }
    for (std::size_t row = begin; row < end; ++row) {
      const std::vector<std::size_t>& known = known_by[row - begin];
      for (double& share : result.row(row)) {
        share /= static_cast<double>(known.size());  // 0/0 is the NaN that was promised
      }
      if (!known.empty()) {
        mend_means(trees, known, columns, values.row(row), result.row(row));
      }
    }
  });
  return result;
}

}  // namespace bentwood
