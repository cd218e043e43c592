#include "bentwood/model/tree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bentwood/base/error.hpp"

namespace bentwood {
namespace {

[[noreturn]] void fail(std::size_t node, const std::string& problem) {
  throw FormatError(fmt::format("node {}: {}", node, problem));
}

/// No node has more than the root, nor less than nothing, but for what rounding makes of sums and differences.
void check_weight(const Tree& tree, std::size_t node) {
  constexpr double rounding = 1e-6;
  const double all = tree.weights.front();
  const double weight = tree.weights[node];
  if (node == 0 && !(std::isfinite(all) && all >= 0)) {
    fail(node, fmt::format("weight is {}, expected a finite number of at least 0", all));
  }
  if (!(weight >= -rounding * all && weight <= (1 + rounding) * all)) {
    fail(node, fmt::format("weight is {}, expected a number from 0 to {}, that of the root", weight,
                           all));
  }
}

void check_leaf(const Tree& tree, std::size_t node) {
  const std::uint32_t row = tree.nodes[node].child;
  if (row >= tree.n_value_rows()) {
    fail(node, fmt::format("value row is {}, the tree has {}", row, tree.n_value_rows()));
  }
}

/// Rows in order, and the classes of a row: ascending and among those that there are.
void check_sparse(const Tree& tree) {
  const SparseShares& sparse = tree.sparse;
  if (!tree.values.empty() || sparse.begins.front() != 0 ||
      !std::ranges::is_sorted(sparse.begins) || sparse.begins.back() != sparse.shares.size() ||
      sparse.classes.size() != sparse.shares.size()) {
    throw FormatError(fmt::format("{} sparse rows of values do not fit {} shares of {} classes",
                                  sparse.n_rows(), sparse.shares.size(), sparse.classes.size()));
  }
  for (std::size_t row = 0; row < sparse.n_rows(); ++row) {
    const std::span<const std::uint32_t> classes = sparse.classes_of(row);
    if (std::ranges::adjacent_find(classes, std::ranges::greater_equal()) != classes.end() ||
        (!classes.empty() && classes.back() >= tree.width)) {
      throw FormatError(
          fmt::format("value row {} has classes that do not ascend, or one that is {} or more", row,
                      tree.width));
    }
  }
}

void check_inner(const Tree& tree, std::size_t node, std::span<const Column> columns) {
  const TreeNode& inner = tree.nodes[node];
  const std::size_t n_columns = columns.size() + tree.own.size();
  if (inner.column < 0 || static_cast<std::size_t>(inner.column) >= n_columns) {
    fail(node, fmt::format("column is {}, the model has {}", inner.column, n_columns));
  }
  if (!std::isfinite(inner.threshold)) {
    fail(node, "threshold is not finite");
  }
  if (const auto column = static_cast<std::size_t>(inner.column); column >= columns.size()) {
    const bool is_horosphere = tree.own.kinds[column - columns.size()] == OwnColumnKind::horosphere;
    if (is_horosphere && !(inner.threshold > 0)) {
      fail(node, fmt::format("threshold of a horosphere is {}, expected a number above 0",
                             inner.threshold));
    }
    return;
  }
  const bool circle = columns[static_cast<std::size_t>(inner.column)].kind == ColumnKind::circle;
  if (circle && !(inner.threshold >= 0 && inner.threshold < std::numbers::pi)) {
    fail(node, fmt::format("threshold of a circle is {}, expected one of [0, π)", inner.threshold));
  }
}

}  // namespace

void SparseShares::append(const SparseShares& other) {
  const std::uint64_t shift = shares.size();
  for (std::size_t row = 0; row < other.n_rows(); ++row) {
    begins.push_back(shift + other.begins[row + 1]);
  }
  classes.insert(classes.end(), other.classes.begin(), other.classes.end());
  shares.insert(shares.end(), other.shares.begin(), other.shares.end());
}

void Tree::copy_value(std::uint32_t row, std::span<double> out) const {
  if (is_sparse()) {
    std::ranges::fill(out, 0.0);
    add_value(row, out);
  } else {
    std::ranges::copy(value(row), out.begin());
  }
}

void Tree::add_value(std::uint32_t row, std::span<double> sums) const {
  if (is_sparse()) {
    const std::span<const std::uint32_t> classes = sparse.classes_of(row);
    const std::span<const double> found = sparse.shares_of(row);
    for (std::size_t index = 0; index < classes.size(); ++index) {
      sums[classes[index]] += found[index];
    }
    return;
  }
  const std::span<const double> found = value(row);
  for (std::size_t output = 0; output < sums.size(); ++output) {
    sums[output] += found[output];
  }
}

std::vector<std::pair<std::uint32_t, double>> Tree::shares(std::uint32_t row) const {
  std::vector<std::pair<std::uint32_t, double>> result;
  const auto add = [&](std::uint32_t label, double share) {
    if (share > 0) {
      result.emplace_back(label, share);
    }
  };
  if (is_sparse()) {
    for (std::size_t index = 0; index < sparse.classes_of(row).size(); ++index) {
      add(sparse.classes_of(row)[index], sparse.shares_of(row)[index]);
    }
  } else {
    for (std::uint32_t label = 0; label < width; ++label) {
      add(label, value(row)[label]);
    }
  }
  return result;
}

Tree with_sparse_values(Tree tree) {
  tree.sparse.begins = {0};
  for (std::uint32_t row = 0; row < tree.values.size() / tree.width; ++row) {
    const std::span<const double> value = tree.value(row);
    for (std::uint32_t label = 0; label < tree.width; ++label) {
      if (value[label] != 0) {
        tree.sparse.add(label, value[label]);
      }
    }
    tree.sparse.end_row();
  }
  tree.values = {};
  return tree;
}

std::size_t depth(const Tree& tree) {
  std::vector<std::size_t> depths(tree.nodes.size(), 0);
  std::size_t deepest = 0;
  for (std::size_t node = 0; node < tree.nodes.size(); ++node) {
    deepest = std::max(deepest, depths[node]);
    if (!tree.nodes[node].is_leaf()) {
      const std::size_t left = tree.nodes[node].child;
      depths[left] = depths[left + 1] = depths[node] + 1;
    }
  }
  return deepest;
}

std::size_t n_leaves(const Tree& tree) {
  return static_cast<std::size_t>(std::ranges::count_if(tree.nodes, &TreeNode::is_leaf));
}

void check_tree(const Tree& tree, std::span<const Column> columns,
                std::span<const PolarPlace> polar_places) {
  const std::size_t n_nodes = tree.nodes.size();
  if (n_nodes == 0 || tree.weights.size() != n_nodes || tree.width == 0 ||
      tree.values.size() % tree.width != 0) {
    throw FormatError(fmt::format("a tree of {} nodes has {} weights and {} values of width {}",
                                  n_nodes, tree.weights.size(), tree.values.size(), tree.width));
  }
  if (tree.is_sparse()) {
    check_sparse(tree);
  }
  check_own_columns(tree.own, columns, polar_places);
  std::vector<bool> has_parent(n_nodes, false);
  for (std::size_t node = 0; node < n_nodes; ++node) {
    if (node > 0 && !has_parent[node]) {
      fail(node, "no node before it has it as a child");
    }
    check_weight(tree, node);
    if (tree.nodes[node].is_leaf()) {
      check_leaf(tree, node);
      continue;
    }
    check_inner(tree, node, columns);
    const std::size_t left = tree.nodes[node].child;
    if (left <= node || left + 1 >= n_nodes || has_parent[left] || has_parent[left + 1]) {
      fail(node, fmt::format("children are {} and {}, expected two nodes after it that no other "
                             "node has",
                             left, left + 1));
    }
    has_parent[left] = has_parent[left + 1] = true;
  }
  const auto is_finite = [](double value) { return std::isfinite(value); };
  if (!std::ranges::all_of(tree.values, is_finite) ||
      !std::ranges::all_of(tree.sparse.shares, is_finite)) {
    throw FormatError("a leaf has a value that is not finite");
  }
}

}  // namespace bentwood
