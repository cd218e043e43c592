#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "bentwood/grow/grow_options.hpp"
#include "bentwood/grow/node_random.hpp"
#include "bentwood/grow/tree_builder.hpp"
#include "bentwood/split/best_cut.hpp"
#include "bentwood/split/ranked_columns.hpp"

namespace bentwood {

/// What a tree is grown from; shared by all of its parts.
struct Soil {
  const RankedColumns& columns;
  const GrowOptions& options;
  /// The weight of all rows.
  double total_weight = 0;
  /// What both parts of a cut must have, and the least decrease in impurity in the criterion's units.
  CutLimits limits{};
  double min_decrease = 0;
};

/// The best cut of a node, in whole numbers.
struct Split {
  static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

  std::size_t column = none;
  double score = -std::numeric_limits<double>::infinity();
  /// The rows on either side of the cut; around a circle the last and the first.
  std::uint32_t lower_row = 0;
  std::uint32_t upper_row = 0;
  /// The rows of the node that come before the cut.
  std::size_t n_passed = 0;
  bool wraps = false;
  /// As Cut says.
  double left_weight = 0;
  PureParts pure{};

  [[nodiscard]] bool exists() const { return column != none; }
};

/// Whether no cut can be better, but for rounding.
template <class Criterion>
bool is_perfect(const Criterion& node, const Split& split) {
  return split.score >= node.highest_score() * (1 - 1e-14);
}

/// The best cut of one column, if it is better than what is known.
template <class Criterion, class Set>
void consider_column(const Criterion& node, Set& set, std::span<const typename Set::Row> rows,
                     std::size_t column, const CutLimits& limits, SweepBuffer& sums, Split& best) {
  using Row = typename Set::Row;
  const auto ranks = set.column(column);
  const std::span<const Row> sorted = set.sort(rows, ranks);
  const ColumnOrder<Row>& order = ranks;
  const Cut cut = best_cut(node, sorted, order, limits, best.score, sums);
  if (cut.score > best.score) {
    const bool wraps = cut.index + 1 == sorted.size();
    if constexpr (requires { set.keep_sorted(); }) {
      set.keep_sorted();
    }
    best = {.column = column,
            .score = cut.score,
            .lower_row = sorted[cut.index],
            .upper_row = wraps ? sorted.front() : sorted[cut.index + 1],
            .n_passed = cut.index + 1,
            .wraps = wraps,
            .left_weight = cut.left_weight,
            .pure = cut.pure};
  }
}

/// The best cut of a node over `max_features` columns drawn for it; more where none of them can be cut.
template <class Criterion, class Set>
Split search_split(const Criterion& node, Set& set, std::span<const typename Set::Row> rows,
                   const Soil& soil, std::uint64_t key, ColumnDraw& draw, SweepBuffer& sums) {
  Split best;
  draw.start(key, soil.options.max_features < set.n_columns());
  // A perfect cut ends the search: no other is better, and of equals the first counts.
  while (!draw.is_empty() && (draw.n_drawn() < soil.options.max_features || !best.exists()) &&
         !(best.exists() && is_perfect(node, best))) {
    consider_column(node, set, rows, draw.next(), soil.limits, sums, best);
  }
  return best;
}

/// The places below `end` have been passed. The threshold is known only where it decides that: in the gap over π.
struct Division {
  std::size_t end = 0;
  double threshold = 0;
};

template <class Set>
Division division(const RankedColumns& columns, const Set& set,
                  const RankView<typename Set::Row>& ranks, const Split& split) {
  using Row = typename Set::Row;
  if (!split.wraps) {
    return {std::size_t{ranks.place[split.lower_row]} + 1, 0};
  }
  const RankedColumns::Wrapped wrapped =
      columns.wrapped_threshold(split.column, set.global(static_cast<Row>(split.lower_row)),
                                set.global(static_cast<Row>(split.upper_row)));
  return {wrapped.before_all ? 0 : ranks.n_rows, wrapped.threshold};
}

/// Thresholds that are still to be computed. Their values lie anywhere in memory, so they are fetched together, each
/// while others are on their way: measured 4 to 10 % of the whole.
class LateThresholds {
 public:
  template <class Set>
  void add(std::uint32_t node, const Set& set, const Split& split) {
    using Row = typename Set::Row;
    late_.push_back({node, static_cast<std::uint32_t>(split.column),
                     set.global(static_cast<Row>(split.lower_row)),
                     set.global(static_cast<Row>(split.upper_row))});
  }
  void write(const RankedColumns& columns, TreeBuilder& builder) {
    constexpr std::size_t ahead = 16;
    for (std::size_t index = 0; index < late_.size(); ++index) {
      if (index + ahead < late_.size()) {
        columns.prefetch(late_[index + ahead].column, late_[index + ahead].lower_row);
        columns.prefetch(late_[index + ahead].column, late_[index + ahead].upper_row);
      }
      const Late& late = late_[index];
      builder.set_threshold(late.node,
                            columns.threshold(late.column, late.lower_row, late.upper_row));
    }
    late_.clear();
  }

 private:
  struct Late {
    std::uint32_t node;
    std::uint32_t column;
    std::uint32_t lower_row;
    std::uint32_t upper_row;
  };
  std::vector<Late> late_;
};

/// Moves the rows of the left part to the front; both parts keep their order. Returns the number on the left.
/// `is_passed` tells the rows before the cut; `spare` has room for all rows.
template <class Row, class IsPassed>
std::size_t partition(std::span<Row> rows, const ColumnOrder<Row>& column, IsPassed is_passed,
                      std::span<Row> spare) {
  // Every row is written to both sides and counted on one: no branch to mispredict.
  std::size_t n_left = 0;
  std::size_t n_right = 0;
  const auto divide = [&](auto is_left) {
    for (const Row row : rows) {
      const std::size_t left = is_left(row) ? 1 : 0;
      rows[n_left] = row;
      spare[n_right] = row;
      n_left += left;
      n_right += 1 - left;
    }
  };
  if (column.is_circle()) {
    divide([&](Row row) { return is_passed(row) == (column.far[row] != 0); });
  } else {
    divide(is_passed);
  }
  std::copy_n(spare.begin(), n_right, rows.begin() + static_cast<std::ptrdiff_t>(n_left));
  return n_left;
}
/// The same where places are known: rows below place `end` are passed.
template <class Row>
std::size_t partition(std::span<Row> rows, const RankView<Row>& ranks, std::size_t end,
                      std::span<Row> spare) {
  return partition(
      rows, ranks, [place = ranks.place, end](Row row) { return place[row] < end; }, spare);
}

}  // namespace bentwood
