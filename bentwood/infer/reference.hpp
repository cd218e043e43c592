#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "bentwood/base/matrix.hpp"
#include "bentwood/infer/inputs.hpp"
#include "bentwood/model/forest.hpp"

namespace bentwood {

/// The plain walk that defines what a model predicts; `Predictor` gives the same bits, faster. `row` is one
/// of `Columns::values`. O(depth).
[[nodiscard]] std::uint32_t leaf_of(const Tree& tree, std::span<const Column> columns,
                                    std::span<const double> row);

/// The nodes from the root to the leaf, both included.
[[nodiscard]] std::vector<std::uint32_t> decision_path(const Tree& tree,
                                                       std::span<const Column> columns,
                                                       std::span<const double> row);

/// The leaf of every row in every tree, by the plain walk, of rows that are columns already.
[[nodiscard]] Leaves apply_to_columns(const Forest& forest, MatrixView columns);

/// The mean over the trees of the values of the row's leaf: their sum in the order of the trees, starting from 0,
/// divided by the number of trees. This order is part of the definition. Where the sum is larger than any number, mend_means.
///
/// Throws InvalidInput where the forest has no trees, or a point is off the manifold and the forest does not
/// project.
[[nodiscard]] Prediction predict_values(const Forest& forest, Points points);
/// The same of rows that are columns already.
[[nodiscard]] Matrix predict_values_of_columns(const Forest& forest, MatrixView columns);
/// The same of one row, of forest.columns.row_width() numbers; `out` has forest.width() places.
void predict_plain_row(const Forest& forest, std::span<const double> columns,
                       std::span<double> out);

/// Puts means that are not finite right: those of numbers so large that their sum is none. `trees` are the numbers of the trees whose
/// values are meant, one at least.
void mend_means(std::span<const Tree> forest, std::span<const std::size_t> trees,
                std::span<const Column> columns, std::span<const double> row,
                std::span<double> means);
/// The same of all trees of a forest.
void mend_means(const Forest& forest, std::span<const double> row, std::span<double> means);

/// Every node that every row passes, as a sparse matrix in compressed rows: the nodes of all trees are numbered
/// one after the other, and those of row r are nodes[row_offsets[r]] to nodes[row_offsets[r + 1]], ascending.
struct DecisionPaths {
  std::vector<std::uint64_t> row_offsets;
  std::vector<std::uint64_t> nodes;
  /// The number of the first node of every tree, and the number of all.
  std::vector<std::uint64_t> tree_offsets;
  std::size_t n_projected = 0;
  double largest_residual = 0;
};

}  // namespace bentwood
