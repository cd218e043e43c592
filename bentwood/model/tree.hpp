#pragma once

#include <cstddef>
#include <cstdint>
#include <numbers>
#include <span>
#include <utility>
#include <vector>

#include "bentwood/geometry/columns.hpp"
#include "bentwood/model/own_columns.hpp"
#include "bentwood/model/sparse_shares.hpp"

namespace bentwood {

/// An angle as a place on the half-circle and the half it came from: angle = turn on the near half, turn - π on
/// the far one. Every half-turn cut is decided by these two, in training and in prediction alike, so a
/// stored threshold reproduces the partition that was evaluated to the bit.
struct FoldedAngle {
  /// In [0, π).
  double turn = 0;
  bool far = false;
};

/// Folds an angle of (-π, π].
[[nodiscard]] inline FoldedAngle fold(double angle) {
  const bool far = angle < 0;
  const double turn = far ? angle + std::numbers::pi : angle;
  // π itself, and whatever rounds to it, is the 0 of the other half.
  return turn < std::numbers::pi ? FoldedAngle{turn, far} : FoldedAngle{0, !far};
}

/// Whether a value goes to the left child. A line's left is value <= threshold; a circle's is the half-turn that
/// starts just after the threshold, which lies in [0, π).
[[nodiscard]] inline bool goes_left(ColumnKind kind, double value, double threshold) {
  if (kind == ColumnKind::line) {
    return value <= threshold;
  }
  const FoldedAngle angle = fold(value);
  return (angle.turn <= threshold) == angle.far;
}

/// One node of a tree. Children stand side by side, the left one first, after their parent.
struct TreeNode {
  static constexpr std::int32_t leaf = -1;

  double threshold = 0;
  /// The column that is cut, or `leaf`. Those of the forest come first, the tree's own ones follow.
  std::int32_t column = leaf;
  /// The left child's number, or a leaf's row of `Tree::values`.
  std::uint32_t child = 0;

  [[nodiscard]] bool is_leaf() const { return column == leaf; }
  friend bool operator==(const TreeNode&, const TreeNode&) = default;
};

/// Rows of more shares than this are sparse: rows of as many numbers as there are classes, one for each class, would be as many as the square of
/// their number.
inline constexpr std::size_t most_dense_classes = 256;

/// A trained tree; node 0 is the root. What it says in a leaf is a row of `width` numbers: the share of every
/// class, or the mean of every output. Equal rows may be stored once.
struct Tree {
  std::vector<TreeNode> nodes;
  /// The training weight that reached each node: the sum of sample weights times bootstrap counts.
  std::vector<double> weights;
  std::size_t width = 0;
  /// The rows one after the other; empty where they are sparse.
  std::vector<double> values;
  /// The shares of more than most_dense_classes classes.
  SparseShares sparse{};
  OwnColumns own{};

  [[nodiscard]] bool is_sparse() const { return !sparse.begins.empty(); }
  [[nodiscard]] std::size_t n_value_rows() const {
    return is_sparse() ? sparse.n_rows() : values.size() / width;
  }
  /// A row that is not sparse.
  [[nodiscard]] std::span<const double> value(std::uint32_t row) const {
    return std::span(values).subspan(row * width, width);
  }
  /// Any row: all `width` numbers of it.
  void copy_value(std::uint32_t row, std::span<double> out) const;
  /// Adds the numbers of any row to others.
  void add_value(std::uint32_t row, std::span<double> sums) const;
  /// The classes of a row that have a share, ascending, and these.
  [[nodiscard]] std::vector<std::pair<std::uint32_t, double>> shares(std::uint32_t row) const;
  friend bool operator==(const Tree&, const Tree&) = default;
};

/// Whether a row goes to the left child of an inner node. `columns` are the forest's.
[[nodiscard]] inline bool goes_left(const Tree& tree, const TreeNode& node,
                                    std::span<const Column> columns, const double* row) {
  const auto column = static_cast<std::size_t>(node.column);
  return column < columns.size() ? goes_left(columns[column].kind, row[column], node.threshold)
                                 : tree.own.value(column - columns.size(), row) <= node.threshold;
}

/// The same tree with its rows of shares sparse. Requires that they are not, and that they are shares of classes.
[[nodiscard]] Tree with_sparse_values(Tree tree);

/// Edges from the root to the deepest leaf.
[[nodiscard]] std::size_t depth(const Tree& tree);
[[nodiscard]] std::size_t n_leaves(const Tree& tree);

/// Whether a tree can be walked safely: children after their parents and each with one parent, columns and rows of
/// values in range, everything finite. `polar_places` says where rows carry hyperbolic factors (Columns). Throws FormatError that
/// names the node.
void check_tree(const Tree& tree, std::span<const Column> columns,
                std::span<const PolarPlace> polar_places = {});

}  // namespace bentwood
