#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "bentwood/base/matrix.hpp"
#include "bentwood/geometry/columns.hpp"
#include "bentwood/geometry/membership.hpp"

namespace bentwood {

/// Points as the columns that a model cuts, and what it took to get there.
struct Inputs {
  Matrix columns;
  /// Rows that were off the manifold and were projected onto it, and the largest move as a relative residual.
  std::size_t n_projected = 0;
  double largest_residual = 0;
};

/// The columns of points; those off the manifold are projected first where the policy says so. Throws
/// InvalidInput where they cannot be, or the policy is to refuse them.
[[nodiscard]] Inputs inputs(const Columns& columns, OffManifold policy, Points points);

/// What a forest says about rows: one number a class (its share) or an output (its mean).
struct Prediction {
  Matrix values;
  std::size_t n_projected = 0;
  double largest_residual = 0;
};

/// The number of each row's class.
struct Winners {
  std::vector<std::int64_t> classes;
  std::size_t n_projected = 0;
  double largest_residual = 0;
};

/// The number of the leaf that every row reaches in every tree: one row a point, one column a tree.
struct Leaves {
  Leaves(std::size_t rows, std::size_t trees) : nodes(rows * trees), n_rows(rows), n_trees(trees) {}

  std::vector<std::uint32_t, NumberAllocator<std::uint32_t>> nodes;
  std::size_t n_rows;
  std::size_t n_trees;
  std::size_t n_projected = 0;
  double largest_residual = 0;

  [[nodiscard]] std::uint32_t operator()(std::size_t row, std::size_t tree) const {
    return nodes[row * n_trees + tree];
  }
};

}  // namespace bentwood
