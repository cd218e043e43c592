#include "bentwood/infer/engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "bentwood/base/error.hpp"
#include "bentwood/base/parallel.hpp"
#include "bentwood/infer/packed_forest.hpp"
#include "bentwood/infer/packing.hpp"
#include "bentwood/infer/reference.hpp"
#include "bentwood/infer/walk.hpp"
#include "bentwood/infer/winners.hpp"

namespace bentwood {
namespace {

/// Rows that take turns with one tree before the next is fetched: many, so that the tree is worth its way into the
/// cache; but their keys should stay in it too, and Ctrl-C be heard between blocks.
constexpr std::size_t most_key_bytes = std::size_t{4} << 20U;
constexpr std::size_t most_walks_a_block = std::size_t{1} << 22U;

/// So few rows walk one by one, many trees at a time: with a row a lane most lanes would be idle.
constexpr std::size_t few_rows = 32;

/// All cores get work, and no block is larger than pays.
std::size_t rows_a_block(std::size_t n_rows, const PackedForest& packed) {
  const std::size_t most = std::min(most_key_bytes / (packed.n_keys() * sizeof(std::int32_t)),
                                    most_walks_a_block / packed.roots.size());
  const std::size_t share = n_rows / (2 * thread_count()) + 1;
  return (std::min(most, share) / most_lanes + 1) * most_lanes;
}

/// Walks all rows through all trees, in blocks of rows on several threads: visit(tree, first row, leaves) hears of
/// a group of rows where each arrived, tree after tree; finish(begin, end) that a block is through.
template <class Visit, class Finish>
void walk_all(const Forest& forest, const PackedForest& packed, MatrixView columns,
              const Visit& visit, const Finish& finish) {
  const auto walk_block = [&](std::size_t begin, std::size_t end) {
    const std::size_t n_keys = packed.n_keys();
    std::vector<std::int32_t, NumberAllocator<std::int32_t>> keys((end - begin) * n_keys);
    for (std::size_t row = begin; row < end; ++row) {
      row_keys(forest.columns.columns(), packed.circles, columns.row(row),
               keys.data() + (row - begin) * n_keys);
    }
    std::array<std::uint32_t, most_lanes> leaves;
    for (std::size_t tree = 0; tree < forest.trees.size(); ++tree) {
      for (std::size_t row = begin; row < end; row += most_lanes) {
        const std::size_t n_rows = std::min(most_lanes, end - row);
        walk({.forest = forest,
              .packed = packed,
              .n_lanes = n_rows,
              .tree = tree,
              .keys = keys.data() + (row - begin) * n_keys,
              .rows = MatrixView(columns.row(row).data(), n_rows, columns.n_cols()),
              .one_row = false},
             leaves.data());
        visit(tree, row, std::span<const std::uint32_t>(leaves.data(), n_rows));
      }
    }
    finish(begin, end);
  };
  parallel_blocks(columns.n_rows(), rows_a_block(columns.n_rows(), packed), walk_block);
}

/// Adds the values of leaves to one row of sums each.
template <std::size_t fixed_width>
void add_values(const PackedForest& packed, std::size_t width,
                std::span<const std::uint32_t> leaves, double* sums) {
  const std::size_t n_values = fixed_width == 0 ? width : fixed_width;
  for (const std::uint32_t leaf : leaves) {
    const double* const value = packed.values.data() + packed.leaf_rows[leaf] * n_values;
    for (std::size_t output = 0; output < n_values; ++output) {
      sums[output] += value[output];
    }
    sums += n_values;
  }
}

/// The function for this width: a loop that the compiler can unroll is worth a third of the walk.
auto add_values_for(std::size_t width) {
  constexpr std::array functions{add_values<0>, add_values<1>, add_values<2>,
                                 add_values<3>, add_values<4>, add_values<5>,
                                 add_values<6>, add_values<7>, add_values<8>};
  return functions[width < functions.size() ? width : 0];
}

/// One row through all trees, many of them at a time.
void predict_packed_row(const Forest& forest, const PackedForest& packed,
                        std::span<const double> columns, std::span<double> out) {
  // Grows at first, if ever.
  thread_local std::vector<std::int32_t> keys;
  keys.resize(std::max(keys.size(), packed.n_keys()));
  row_keys(forest.columns.columns(), packed.circles, columns, keys.data());
  std::ranges::fill(out, 0.0);
  std::array<std::uint32_t, most_lanes> leaves;
  for (std::size_t tree = 0; tree < forest.trees.size(); tree += most_lanes) {
    const std::size_t n_trees = std::min(most_lanes, forest.trees.size() - tree);
    walk({.forest = forest,
          .packed = packed,
          .n_lanes = n_trees,
          .tree = tree,
          .keys = keys.data(),
          .rows = MatrixView(columns.data(), 1, columns.size()),
          .one_row = true},
         leaves.data());
    for (std::size_t index = 0; index < n_trees; ++index) {
      const double* const value =
          packed.values.data() + packed.leaf_rows[leaves[index]] * out.size();
      for (std::size_t output = 0; output < out.size(); ++output) {
        out[output] += value[output];
      }
    }
  }
  for (double& sum : out) {
    sum /= static_cast<double>(forest.trees.size());
  }
  mend_means(forest, columns, out);
}

/// The parent of every node, and how many nodes lie on the way to it, itself among them.
struct Ancestry {
  explicit Ancestry(const Tree& tree)
      : parents(tree.nodes.size()), path_lengths(tree.nodes.size(), 1) {
    // Children come after their parents.
    for (std::uint32_t node = 0; node < tree.nodes.size(); ++node) {
      if (tree.nodes[node].is_leaf()) {
        continue;
      }
      for (const std::uint32_t side : {0U, 1U}) {
        parents[tree.nodes[node].child + side] = node;
        path_lengths[tree.nodes[node].child + side] = path_lengths[node] + 1;
      }
    }
  }
  std::vector<std::uint32_t> parents;
  std::vector<std::uint32_t> path_lengths;
};

}  // namespace

Predictor::Predictor(std::shared_ptr<const Forest> forest) : forest_(std::move(forest)) {
  if (forest_->trees.empty()) {
    throw InvalidInput("the forest has no trees");
  }
  packing_ = std::make_shared<Packing>(*forest_);
}

Predictor::Predictor(Forest forest)
    : Predictor(std::make_shared<const Forest>(std::move(forest))) {}

void Predictor::pack() const { packing_->now(*forest_); }

Prediction Predictor::values(Points points) const {
  const Inputs rows = inputs(forest_->columns, forest_->off_manifold, points);
  return {values_of_columns(rows.columns), rows.n_projected, rows.largest_residual};
}

Matrix Predictor::values_of_columns(MatrixView columns) const {
  const Forest& forest = *forest_;
  if (forest.trees.front().is_sparse()) {
    return mean_values(forest, apply_to_columns(columns));
  }
  const PackedForest* const packed = packing_->for_rows(forest, columns.n_rows());
  if (packed == nullptr || columns.n_cols() != forest.columns.row_width()) {
    return predict_values_of_columns(forest, columns);
  }
  Matrix result(columns.n_rows(), forest.width());
  if (columns.n_rows() <= few_rows) {
    for (std::size_t row = 0; row < columns.n_rows(); ++row) {
      predict_packed_row(forest, *packed, columns.row(row), result.row(row));
    }
    return result;
  }
  const auto add = add_values_for(forest.width());
  walk_all(
      forest, *packed, columns,
      [&](std::size_t /*tree*/, std::size_t row, std::span<const std::uint32_t> leaves) {
        add(*packed, forest.width(), leaves, result.row(row).data());
      },
      [&](std::size_t begin, std::size_t end) {
        const auto n_trees = static_cast<double>(forest.trees.size());
        for (double& sum : std::span(result.row(begin).data(), (end - begin) * forest.width())) {
          sum /= n_trees;
        }
        for (std::size_t row = begin; row < end; ++row) {
          mend_means(forest, columns.row(row), result.row(row));
        }
      });
  return result;
}

Winners Predictor::winners(Points points) const {
  const Inputs rows = inputs(forest_->columns, forest_->off_manifold, points);
  return {winners_of_columns(rows.columns), rows.n_projected, rows.largest_residual};
}

std::vector<std::int64_t> Predictor::winners_of_columns(MatrixView columns) const {
  const Forest& forest = *forest_;
  if (!forest.trees.front().is_sparse()) {
    return bentwood::winners(values_of_columns(columns));
  }
  // The leaves of some rows at a time: a number per row and tree.
  constexpr std::size_t rows_at_a_time = std::size_t{1} << 16U;
  std::vector<std::int64_t> result;
  result.reserve(columns.n_rows());
  for (std::size_t first = 0; first < columns.n_rows(); first += rows_at_a_time) {
    const std::size_t n_rows = std::min(rows_at_a_time, columns.n_rows() - first);
    const MatrixView rows(columns.row(first).data(), n_rows, columns.n_cols());
    const std::vector<std::int64_t> found = bentwood::winners(forest, apply_to_columns(rows));
    result.insert(result.end(), found.begin(), found.end());
  }
  return result;
}

Leaves Predictor::apply(Points points) const {
  const Inputs rows = inputs(forest_->columns, forest_->off_manifold, points);
  Leaves result = apply_to_columns(rows.columns);
  result.n_projected = rows.n_projected;
  result.largest_residual = rows.largest_residual;
  return result;
}

Leaves Predictor::apply_to_columns(MatrixView columns) const {
  const Forest& forest = *forest_;
  const PackedForest* const packed = packing_->for_rows(forest, columns.n_rows());
  if (packed == nullptr || columns.n_cols() != forest.columns.row_width()) {
    return bentwood::apply_to_columns(forest, columns);
  }
  Leaves result(columns.n_rows(), forest.trees.size());
  walk_all(
      forest, *packed, columns,
      [&](std::size_t tree, std::size_t row, std::span<const std::uint32_t> leaves) {
        for (std::size_t index = 0; index < leaves.size(); ++index) {
          result.nodes[(row + index) * result.n_trees + tree] = packed->leaf_numbers[leaves[index]];
        }
      },
      [](std::size_t, std::size_t) {});
  return result;
}

DecisionPaths Predictor::decision_paths(Points points) const {
  const Leaves leaves = apply(points);
  const std::vector<Ancestry> ancestries(forest_->trees.begin(), forest_->trees.end());
  DecisionPaths result;
  result.n_projected = leaves.n_projected;
  result.largest_residual = leaves.largest_residual;
  result.tree_offsets.push_back(0);
  for (const Tree& tree : forest_->trees) {
    result.tree_offsets.push_back(result.tree_offsets.back() + tree.nodes.size());
  }
  result.row_offsets.push_back(0);
  for (std::size_t row = 0; row < leaves.n_rows; ++row) {
    std::uint64_t n_nodes = 0;
    for (std::size_t tree = 0; tree < leaves.n_trees; ++tree) {
      n_nodes += ancestries[tree].path_lengths[leaves(row, tree)];
    }
    result.row_offsets.push_back(result.row_offsets.back() + n_nodes);
  }
  result.nodes.resize(result.row_offsets.back());
  constexpr std::size_t path_rows = 256;
  parallel_blocks(leaves.n_rows, path_rows, [&](std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row) {
      std::size_t place = result.row_offsets[row];
      for (std::size_t tree = 0; tree < leaves.n_trees; ++tree) {
        std::uint32_t node = leaves(row, tree);
        place += ancestries[tree].path_lengths[node];
        for (std::size_t back = 1; back <= ancestries[tree].path_lengths[leaves(row, tree)];
             ++back) {
          result.nodes[place - back] = result.tree_offsets[tree] + node;
          node = ancestries[tree].parents[node];
        }
      }
    }
  });
  return result;
}

void Predictor::predict_row(std::span<const double> columns, std::span<double> out) const {
  const Forest& forest = *forest_;
  if (columns.size() != forest.columns.row_width() || out.size() != forest.width()) {
    throw InvalidInput(fmt::format("{} columns and {} values, the model has {} and {}",
                                   columns.size(), out.size(), forest.columns.row_width(),
                                   forest.width()));
  }
  const PackedForest* const packed =
      forest.trees.front().is_sparse() ? nullptr : packing_->for_rows(forest, 1);
  if (packed != nullptr) {
    predict_packed_row(forest, *packed, columns, out);
  } else {
    predict_plain_row(forest, columns, out);
  }
}

}  // namespace bentwood
