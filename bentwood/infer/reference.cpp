#include "bentwood/infer/reference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "bentwood/base/error.hpp"
#include "bentwood/base/parallel.hpp"

namespace bentwood {
namespace {

constexpr std::size_t rows_a_block = 256;

std::uint32_t child_of(const Tree& tree, std::uint32_t node, std::span<const Column> columns,
                       std::span<const double> row) {
  const TreeNode& inner = tree.nodes[node];
  return inner.child + (goes_left(tree, inner, columns, row.data()) ? 0 : 1);
}

bool are_finite(std::span<const double> numbers) {
  return std::ranges::all_of(numbers, [](double number) { return std::isfinite(number); });
}

void require_columns(const Forest& forest, MatrixView columns) {
  if (forest.trees.empty()) {
    throw InvalidInput("the forest has no trees");
  }
  if (columns.n_cols() != forest.columns.row_width()) {
    throw InvalidInput(fmt::format("the rows have {} columns, the model cuts {}", columns.n_cols(),
                                   forest.columns.row_width()));
  }
}

}  // namespace

std::uint32_t leaf_of(const Tree& tree, std::span<const Column> columns,
                      std::span<const double> row) {
  std::uint32_t node = 0;
  while (!tree.nodes[node].is_leaf()) {
    node = child_of(tree, node, columns, row);
  }
  return node;
}

std::vector<std::uint32_t> decision_path(const Tree& tree, std::span<const Column> columns,
                                         std::span<const double> row) {
  std::vector<std::uint32_t> path{0};
  while (!tree.nodes[path.back()].is_leaf()) {
    path.push_back(child_of(tree, path.back(), columns, row));
  }
  return path;
}

Leaves apply_to_columns(const Forest& forest, MatrixView columns) {
  require_columns(forest, columns);
  Leaves result(columns.n_rows(), forest.trees.size());
  parallel_blocks(result.n_rows, rows_a_block, [&](std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row) {
      for (std::size_t tree = 0; tree < result.n_trees; ++tree) {
        result.nodes[row * result.n_trees + tree] =
            leaf_of(forest.trees[tree], forest.columns.columns(), columns.row(row));
      }
    }
  });
  return result;
}

void mend_means(std::span<const Tree> forest, std::span<const std::size_t> trees,
                std::span<const Column> columns, std::span<const double> row,
                std::span<double> means) {
  if (are_finite(means)) {
    return;
  }
  const auto n_trees = static_cast<double>(trees.size());
  // A power of two above their number: no sum of so many parts overflows.
  const double part = std::ldexp(1.0, -std::ilogb(n_trees) - 1);
  std::vector<double> sums(means.size(), 0.0);
  for (const std::size_t number : trees) {
    const Tree& tree = forest[number];
    const std::span<const double> value = tree.value(tree.nodes[leaf_of(tree, columns, row)].child);
    std::ranges::transform(sums, value, sums.begin(),
                           [&](double sum, double output) { return sum + output * part; });
  }
  constexpr double largest = std::numeric_limits<double>::max();
  for (std::size_t output = 0; output < means.size(); ++output) {
    if (!std::isfinite(means[output])) {
      means[output] = std::clamp(sums[output] / (n_trees * part), -largest, largest);
    }
  }
}

void mend_means(const Forest& forest, std::span<const double> row, std::span<double> means) {
  // Shares of classes have sums.
  if (forest.task == Task::regression && !are_finite(means)) {
    std::vector<std::size_t> trees(forest.trees.size());
    std::iota(trees.begin(), trees.end(), std::size_t{0});
    mend_means(forest.trees, trees, forest.columns.columns(), row, means);
  }
}

void predict_plain_row(const Forest& forest, std::span<const double> columns,
                       std::span<double> out) {
  std::ranges::fill(out, 0.0);
  for (const Tree& tree : forest.trees) {
    const std::uint32_t leaf = leaf_of(tree, forest.columns.columns(), columns);
    tree.add_value(tree.nodes[leaf].child, out);
  }
  for (double& sum : out) {
    sum /= static_cast<double>(forest.trees.size());
  }
  mend_means(forest, columns, out);
}

Matrix predict_values_of_columns(const Forest& forest, MatrixView columns) {
  require_columns(forest, columns);
  Matrix result = Matrix::uninitialized(columns.n_rows(), forest.width());
  parallel_blocks(columns.n_rows(), rows_a_block, [&](std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row) {
      predict_plain_row(forest, columns.row(row), result.row(row));
    }
  });
  return result;
}

Prediction predict_values(const Forest& forest, Points points) {
  const Inputs rows = inputs(forest.columns, forest.off_manifold, points);
  return {predict_values_of_columns(forest, rows.columns), rows.n_projected, rows.largest_residual};
}

}  // namespace bentwood
