#pragma once

#include <cstddef>
#include <cstdint>
#include <queue>
#include <span>
#include <tuple>
#include <vector>

#include "bentwood/base/parallel.hpp"
#include "bentwood/grow/depth_first.hpp"

namespace bentwood {

/// Grows a tree of few leaves: the node whose split decreases the impurity most comes next, the earlier one of
/// equals. All of it in one set of rows; `criterion` has that set's rows.
template <class Criterion, class Set>
class BestFirst {
 public:
  using Row = typename Set::Row;

  BestFirst(const Soil& soil, Set& set, Criterion& criterion, std::span<Row> rows)
      : soil_(soil),
        set_(set),
        criterion_(criterion),
        rows_(rows),
        spare_(rows.size()),
        draw_(soil.columns.size()) {}

  void grow(std::uint64_t key, TreeBuilder& builder) {
    consider({0, 0, rows_.size(), 0, key}, builder);
    std::size_t n_leaves = 1;
    while (!candidates_.empty() && n_leaves < soil_.options.max_leaf_nodes) {
      throw_if_interrupted();
      const Candidate best = candidates_.top();
      candidates_.pop();
      split(best, builder);
      ++n_leaves;
    }
    for (; !candidates_.empty(); candidates_.pop()) {
      const OpenNode& open = candidates_.top().open;
      criterion_.enter(std::span<const Row>(rows_of(open)));
      builder.make_leaf(open.node, criterion_);
    }
    late_.write(soil_.columns, builder);
  }

 private:
  struct Candidate {
    OpenNode open;
    Split split;
    double gain = 0;

    friend bool operator<(const Candidate& a, const Candidate& b) {
      return std::tuple(a.gain, b.open.node) < std::tuple(b.gain, a.open.node);
    }
  };

  std::span<Row> rows_of(const OpenNode& open) {
    return rows_.subspan(open.begin, open.end - open.begin);
  }

  /// Finds the split of a node, or makes it a leaf.
  void consider(const OpenNode& open, TreeBuilder& builder) {
    const std::span<const Row> rows = rows_of(open);
    criterion_.enter(rows);
    builder.set_weight(open.node, criterion_.weight());
    Split split;
    if (!must_be_leaf(criterion_, rows.size(), open.depth, soil_)) {
      split = search_split(criterion_, set_, rows, soil_, open.key, draw_, sums_);
    }
    if (split.exists() && is_enough(gain(criterion_, split), soil_)) {
      candidates_.push({open, split, gain(criterion_, split)});
    } else {
      builder.make_leaf(open.node, criterion_);
    }
  }

  void split(const Candidate& best, TreeBuilder& builder) {
    const OpenNode& open = best.open;
    const RankView<Row> ranks = set_.column(best.split.column);
    const Division cut = division(soil_.columns, set_, ranks, best.split);
    const std::size_t middle =
        open.begin + partition(rows_of(open), ranks, cut.end, std::span(spare_));
    const std::uint32_t left =
        builder.split(open.node, best.split.column, cut.threshold, best.gain);
    if (!best.split.wraps) {
      late_.add(open.node, set_, best.split);
    }
    consider({left, open.begin, middle, open.depth + 1, NodeRandom::child_key(open.key, 0)},
             builder);
    consider({left + 1, middle, open.end, open.depth + 1, NodeRandom::child_key(open.key, 1)},
             builder);
  }

  const Soil& soil_;
  Set& set_;
  Criterion& criterion_;
  std::span<Row> rows_;
  Numbers<Row> spare_;
  ColumnDraw draw_;
  SweepBuffer sums_;
  LateThresholds late_;
  std::priority_queue<Candidate> candidates_;
};

}  // namespace bentwood
