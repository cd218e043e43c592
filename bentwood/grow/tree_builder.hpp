#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "bentwood/model/tree.hpp"

namespace bentwood {

/// A tree, or a part of one, while it grows. Node 0 is its root.
class TreeBuilder {
 public:
  /// `n_pure_kinds` kinds of pure leaves are stored once each (ClassLabels::pure_kind); 0 for none. Rows of more kinds are sparse.
  TreeBuilder(std::size_t width, std::size_t n_columns, std::size_t n_pure_kinds)
      : pure_rows_(n_pure_kinds <= most_dense_classes ? n_pure_kinds : 0, no_row),
        importances_(n_columns, 0.0) {
    tree_.width = width;
    if (n_pure_kinds > most_dense_classes) {
      tree_.sparse.begins = {0};
    }
    add_node();
  }

  void set_weight(std::uint32_t node, double weight) { tree_.weights[node] = weight; }

  void set_threshold(std::uint32_t node, double threshold) {
    tree_.nodes[node].threshold = threshold;
  }

  /// Makes a node an inner one. Returns its left child.
  std::uint32_t split(std::uint32_t node, std::size_t column, double threshold, double gain) {
    const auto left = static_cast<std::uint32_t>(tree_.nodes.size());
    tree_.nodes[node] = {threshold, static_cast<std::int32_t>(column), left};
    importances_[column] += gain;
    add_node();
    add_node();
    return left;
  }

  /// The same for a horosphere of its own, in a forest of `n_columns` columns; its importance is that of the hyperbolic factor that comes
  /// `place`th. Not in parts that are to be grafted.
  std::uint32_t split_horosphere(std::uint32_t node, const PolarPlace& polar, std::size_t n_columns,
                                 std::size_t place, std::span<const double> ideal, double threshold,
                                 double gain) {
    const std::size_t column = n_columns + tree_.own.size();
    tree_.own.add_horosphere(polar, ideal, gain);
    const std::uint32_t left = split(node, n_columns + place, threshold, gain);
    tree_.nodes[node].column = static_cast<std::int32_t>(column);
    return left;
  }

  /// The same for a sum of columns of the forest, which share the gain. Not in parts that are to be grafted.
  std::uint32_t split_oblique(std::uint32_t node, std::span<const std::uint32_t> columns,
                              std::span<const double> coefficients, double threshold, double gain) {
    const std::size_t column = importances_.size() + tree_.own.size();
    tree_.own.add_oblique(columns, coefficients, gain);
    for (const std::uint32_t term : columns) {
      importances_[term] += gain / static_cast<double>(columns.size());
    }
    const std::uint32_t left = split(node, columns.front(), threshold, 0);
    tree_.nodes[node].column = static_cast<std::int32_t>(column);
    return left;
  }

  /// Makes a node a leaf with what the criterion says of it.
  template <class Criterion>
  void make_leaf(std::uint32_t node, const Criterion& criterion) {
    if constexpr (requires { criterion.write_shares(tree_.sparse); }) {
      tree_.nodes[node].child = static_cast<std::uint32_t>(tree_.sparse.n_rows());
      criterion.write_shares(tree_.sparse);
    } else {
      if constexpr (requires { criterion.pure_kind(); }) {
        if (criterion.is_pure()) {
          make_pure_leaf(node, criterion.pure_kind());
          return;
        }
      }
      tree_.nodes[node].child = add_value();
      criterion.write_value(std::span(tree_.values).last(tree_.width));
    }
  }
  /// Makes a node a leaf of one class.
  void make_pure_leaf(std::uint32_t node, std::size_t kind) {
    std::uint32_t& row = pure_rows_[kind];
    if (row == no_row) {
      row = add_value();
      std::span(tree_.values).last(tree_.width)[kind] = 1;
    }
    tree_.nodes[node].child = row;
  }

  /// Grows a part in place: `grow(root)` works on this builder. The same bits as a graft, without the copy.
  template <class Grow>
  void grow_part(std::uint32_t root, Grow grow) {
    std::vector<double> others(importances_.size(), 0.0);
    std::swap(others, importances_);
    grow(root);
    for (std::size_t column = 0; column < importances_.size(); ++column) {
      importances_[column] = others[column] + importances_[column];
    }
  }

  /// Puts a part in the place of a node that is still a bare leaf. Parts must come in a fixed order.
  void graft(std::uint32_t node, const TreeBuilder& part);

  void reserve(std::size_t n_nodes) {
    tree_.nodes.reserve(n_nodes);
    tree_.weights.reserve(n_nodes);
  }
  [[nodiscard]] Tree take_tree() { return std::move(tree_); }
  /// The decrease in impurity that each column brought, times weight.
  [[nodiscard]] const std::vector<double>& importances() const { return importances_; }

 private:
  static constexpr std::uint32_t no_row = std::numeric_limits<std::uint32_t>::max();

  void add_node() {
    tree_.nodes.emplace_back();
    tree_.weights.push_back(0);
  }
  std::uint32_t add_value() {
    const std::size_t row = tree_.values.size() / tree_.width;
    tree_.values.resize(tree_.values.size() + tree_.width);
    return static_cast<std::uint32_t>(row);
  }

  Tree tree_;
  std::vector<std::uint32_t> pure_rows_;
  std::vector<double> importances_;
};

}  // namespace bentwood
