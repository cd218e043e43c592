#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <numeric>
#include <span>
#include <vector>

#include "bentwood/base/parallel.hpp"
#include "bentwood/grow/grow_options.hpp"
#include "bentwood/grow/row_sets.hpp"
#include "bentwood/grow/split_search.hpp"
#include "bentwood/grow/tree_builder.hpp"

namespace bentwood {

/// A node that waits to be grown: rows [begin, end) of its set.
struct OpenNode {
  std::uint32_t node = 0;
  std::size_t begin = 0;
  std::size_t end = 0;
  std::size_t depth = 0;
  std::uint64_t key = 0;
};

/// Open nodes, the last one first. A vector's push_back is a call, which shows where nodes are of two rows.
class OpenNodes {
 public:
  void start(const OpenNode& root) {
    n_nodes_ = 0;
    push(root);
  }
  [[nodiscard]] bool empty() const { return n_nodes_ == 0; }
  void push(const OpenNode& node) {
    if (n_nodes_ == nodes_.size()) {
      nodes_.resize(2 * n_nodes_ + 64);
    }
    nodes_[n_nodes_++] = node;
  }
  OpenNode pop() { return nodes_[--n_nodes_]; }

 private:
  std::vector<OpenNode> nodes_;
  std::size_t n_nodes_ = 0;
};

/// Whether a node that has been entered must stay a leaf.
template <class Criterion>
bool must_be_leaf(const Criterion& node, std::size_t n_rows, std::size_t depth, const Soil& soil) {
  return depth >= soil.options.max_depth || n_rows < soil.options.min_samples_split ||
         n_rows < 2 * soil.limits.min_rows || node.is_pure() ||
         node.weight() < 2 * soil.limits.min_weight;
}

/// The decrease in impurity of a split times the node's weight.
template <class Criterion>
double gain(const Criterion& node, const Split& split) {
  return std::max(0.0, split.score - node.base_score()) / node.unit();
}

inline bool is_enough(double gain, const Soil& soil) {
  return gain / soil.total_weight >= soil.min_decrease;
}

/// Grows subtrees depth first. Sets of rows lie within each other: when a node is small against its set it gets
/// one of its own (row_sets.hpp), in which the subtree below it is finished before anything else.
template <class Criterion>
class DepthFirst {
 public:
  /// `criterion` has all rows set.
  DepthFirst(const Soil& soil, const Criterion& criterion, std::size_t width)
      : soil_(soil), criterion_(criterion), width_(width), draw_(soil.columns.size()) {}

  /// Grows the subtree of a part from a node of the builder. `open` tells its depth and key.
  void grow(PartRows& parts, std::size_t part, const OpenNode& open, TreeBuilder& builder) {
    const std::span<const std::uint32_t> rows = parts.rows(part);
    if (rows.size() > SmallRows::most_rows) {
      LargeLevel& at = made(large_, PartRows::most_rows);
      at.set.take(parts, part);
      at.criterion.set_rows(criterion_, rows);
      grow_level(at, rows.size(), 0, open, builder);
    } else {
      const std::size_t index = small_level(rows.size());
      SmallLevel& at = made(small_[index], small_capacities[index]);
      at.set.take(parts, part);
      at.criterion.set_rows(criterion_, rows);
      grow_level(at, rows.size(), index + 1, open, builder);
    }
    late_.write(soil_.columns, builder);
  }

 private:
  /// A set, its rows in the order of the nodes, and their labels.
  template <class RowNumber>
  struct Level {
    using Row = RowNumber;
    Level(std::size_t n_columns, std::size_t capacity, std::size_t width)
        : set(n_columns, capacity), criterion(width), rows(capacity), spare(capacity) {}
    SubtreeRows<Row> set;
    Criterion criterion;
    Numbers<Row> rows;
    Numbers<Row> spare;
    OpenNodes open;
  };
  using LargeLevel = Level<LargeRows::Row>;
  using SmallLevel = Level<SmallRows::Row>;

  template <class SomeLevel>
  SomeLevel& made(std::unique_ptr<SomeLevel>& level, std::size_t capacity) {
    if (!level) {
      level = std::make_unique<SomeLevel>(soil_.columns.size(),
                                          std::min(capacity, soil_.columns.n_rows()), width_);
    }
    return *level;
  }

  /// The last small level that has room for as many rows.
  static std::size_t small_level(std::size_t n_rows) {
    std::size_t level = 0;
    while (level + 1 < small_capacities.size() && n_rows <= small_capacities[level + 1]) {
      ++level;
    }
    return level;
  }

  /// Grows the subtree of all rows of a level. Nodes that fit into small level `next` are grown below.
  template <class SomeLevel>
  void grow_level(SomeLevel& at, std::size_t n_rows, std::size_t next, OpenNode root,
                  TreeBuilder& builder) {
    using Row = typename SomeLevel::Row;
    std::iota(at.rows.begin(), at.rows.begin() + static_cast<std::ptrdiff_t>(n_rows), Row{0});
    root.begin = 0;
    root.end = n_rows;
    at.open.start(root);
    while (!at.open.empty()) {
      const OpenNode open = at.open.pop();
      const std::size_t n_open = open.end - open.begin;
      work_ += n_open;
      if (work_ > rows_between_checks) {
        work_ = 0;
        throw_if_interrupted();
      }
      if (next < small_capacities.size() && n_open <= small_capacities[next] &&
          n_open > split_kernels::most_of_few) {
        descend(at, open, builder);
      } else {
        grow_node(at, open, builder);
      }
    }
  }

  template <class SomeLevel>
  void descend(SomeLevel& outer, const OpenNode& open, TreeBuilder& builder) {
    using Row = typename SomeLevel::Row;
    const auto rows = std::span<const Row>(outer.rows).subspan(open.begin, open.end - open.begin);
    const std::size_t index = small_level(rows.size());
    SmallLevel& inner = made(small_[index], small_capacities[index]);
    inner.set.take(outer.set, rows);
    inner.criterion.set_rows(outer.criterion, rows);
    grow_level(inner, rows.size(), index + 1, open, builder);
  }

  template <class SomeLevel>
  void grow_node(SomeLevel& at, const OpenNode& open, TreeBuilder& builder) {
    using Row = typename SomeLevel::Row;
    const std::span<Row> rows = std::span(at.rows).subspan(open.begin, open.end - open.begin);
    at.criterion.enter(std::span<const Row>(rows));
    builder.set_weight(open.node, at.criterion.weight());
    if (must_be_leaf(at.criterion, rows.size(), open.depth, soil_)) {
      builder.make_leaf(open.node, at.criterion);
      return;
    }
    Split split = search_split(at.criterion, at.set, std::span<const Row>(rows), soil_, open.key,
                               draw_, sums_);
    const double gain = split.exists() ? bentwood::gain(at.criterion, split) : 0;
    if (!split.exists() || !is_enough(gain, soil_)) {
      builder.make_leaf(open.node, at.criterion);
      return;
    }
    const RankView<Row> ranks = at.set.column(split.column);
    const Division cut = division(soil_.columns, at.set, ranks, split);
    if (split.wraps && cut.end == 0) {
      turn_round(split, at.criterion.weight());
    }
    const std::uint32_t left = builder.split(open.node, split.column, cut.threshold, gain);
    if (!split.wraps) {
      late_.add(open.node, at.set, split);
    }
    if constexpr (requires { at.criterion.class_of(0); }) {
      make_pure_leaves(at.criterion, std::span(at.set.kept(), rows.size()), ranks, split, left,
                       builder);
    }
    if (split.pure.left && split.pure.right) {
      return;
    }
    const std::size_t middle = open.begin + divide(at, rows, ranks, split, cut.end);
    if (!split.pure.right) {
      at.open.push(
          {left + 1, middle, open.end, open.depth + 1, NodeRandom::child_key(open.key, 1)});
    }
    if (!split.pure.left) {
      at.open.push({left, open.begin, middle, open.depth + 1, NodeRandom::child_key(open.key, 0)});
    }
  }

  /// Moves the rows of the left part to the front. Returns their number.
  template <class SomeLevel, class Row>
  static std::size_t divide(SomeLevel& at, std::span<Row> rows, const RankView<Row>& ranks,
                            const Split& split, std::size_t end) {
    // The order of the column that is cut has the left part in front. But it leaves the rows in no order of their own,
    // which pays only where all that is known of them is in the nearest cache.
    if (at.set.n_rows() <= small_capacities.back() && !ranks.is_circle()) {
      std::copy_n(at.set.kept(), rows.size(), rows.begin());
      return split.n_passed;
    }
    return partition(rows, ranks, end, std::span(at.spare));
  }

  /// The gap over π once more, from its other end: none of the rows has been passed, and the parts change places.
  static void turn_round(Split& split, double total) {
    split.n_passed = 0;
    split.left_weight = total - split.left_weight;
    std::swap(split.pure.left, split.pure.right);
  }

  /// The children that a cut has left with one class: half of all nodes of a deep tree. They need not be entered.
  template <class Row>
  static void make_pure_leaves(const Criterion& node, std::span<const Row> sorted,
                               const ColumnOrder<Row>& column, const Split& split,
                               std::uint32_t left, TreeBuilder& builder) {
    if (split.pure.left) {
      builder.set_weight(left, split.left_weight);
      builder.make_pure_leaf(left, node.class_of(a_row(sorted, column, split, true)));
    }
    if (split.pure.right) {
      builder.set_weight(left + 1, node.weight() - split.left_weight);
      builder.make_pure_leaf(left + 1, node.class_of(a_row(sorted, column, split, false)));
    }
  }

  /// Some row of one part of a cut.
  template <class Row>
  static Row a_row(std::span<const Row> sorted, const ColumnOrder<Row>& column, const Split& split,
                   bool on_left) {
    if (!column.is_circle()) {
      return sorted[split.n_passed - (on_left ? 1 : 0)];
    }
    std::size_t at = 0;
    while (((at < split.n_passed) == (column.far[sorted[at]] != 0)) != on_left) {
      ++at;
    }
    return sorted[at];
  }

  static constexpr std::size_t rows_between_checks = 1U << 20U;
  // Measured: a second set of 2,048 rows was 10 % faster than one of 8,192, and as fast as three sets.
  static constexpr std::array<std::size_t, 2> small_capacities{SmallRows::most_rows, 2048};

  const Soil& soil_;
  const Criterion& criterion_;
  std::size_t width_;
  std::unique_ptr<LargeLevel> large_;
  std::array<std::unique_ptr<SmallLevel>, small_capacities.size()> small_;
  ColumnDraw draw_;
  SweepBuffer sums_;
  LateThresholds late_;
  std::size_t work_ = 0;
};

}  // namespace bentwood
