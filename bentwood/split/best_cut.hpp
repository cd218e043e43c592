#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>
#include <utility>

#include "bentwood/split/ranked_columns.hpp"
#include "bentwood/split/sweep_sums.hpp"

namespace bentwood {

/// What both parts of a cut must have.
struct CutLimits {
  /// Rows, drawn once or more.
  std::size_t min_rows = 1;
  /// Weight: the sum of sample weights times how often a row was drawn.
  double min_weight = 0;
};

/// A cut of the sorted rows of a node after the row at `index`. On a circle rows that have been passed change
/// side: left are the far ones among the passed and the near ones among the others.
struct Cut {
  double score = -std::numeric_limits<double>::infinity();
  std::size_t index = 0;
  /// What the cut leaves on the left, where the criterion can tell whether a part is pure.
  double left_weight = 0;
  PureParts pure{};
};

/// The cut at `index` of all, `cut` of those in the sums.
template <class Sweep>
Cut cut_at(const Sweep& sweep, const SweepSums<typename Sweep::Number>& sums, std::size_t cut,
           std::size_t index, double score) {
  Cut found{.score = score, .index = index};
  if constexpr (requires { sweep.pure_parts(sums, cut); }) {
    found.left_weight = static_cast<double>(sums.weight[cut]);
    found.pure = sweep.pure_parts(sums, cut);
  }
  return found;
}

/// Cuts [begin, begin + size) of the sorted rows: none falls between equal values, nor leaves a part too light.
template <class Number, class Row>
void exclude_cuts(SweepSums<Number>& sums, std::span<const Row> sorted, const Row* level,
                  std::size_t begin, std::size_t size, double total, const CutLimits& limits) {
  if (level != nullptr) {
    const std::size_t end = std::min(size, sorted.size() - begin - 1);
    for (std::size_t cut = 0; cut < end; ++cut) {
      if (level[sorted[begin + cut]] == level[sorted[begin + cut + 1]]) {
        sums.weight[cut] = 0;
      }
    }
  }
  if (limits.min_weight > 0) {
    for (std::size_t cut = 0; cut < size; ++cut) {
      const auto weight = static_cast<double>(sums.weight[cut]);
      if (weight < limits.min_weight || total - weight < limits.min_weight) {
        sums.weight[cut] = 0;
      }
    }
  }
}

/// The sweep over a line: one part is empty at first and rows pass into it in order. Cut i leaves i + 1 rows on the
/// left.
template <class Sweep, class Row>
Cut best_line_cut(Sweep&& sweep, std::span<const Row> sorted, const Row* level, double total,
                  const CutLimits& limits, double floor, SweepSums<typename Sweep::Number>& sums) {
  const std::size_t n = sorted.size();
  const std::size_t end_of_cuts = n >= limits.min_rows ? n - limits.min_rows : 0;
  Cut best{.score = floor, .index = n};
  for (std::size_t begin = 0; begin < end_of_cuts; begin += split_kernels::sweep_size) {
    const std::size_t size = std::min(split_kernels::sweep_size, end_of_cuts - begin);
    sweep.pass(sorted.subspan(begin, size), [](Row) { return 1; }, sums);
    exclude_cuts(sums, sorted, level, begin, size, total, limits);
    const std::size_t skipped =
        limits.min_rows - 1 > begin ? std::min(size, limits.min_rows - 1 - begin) : 0;
    if (skipped == size) {
      continue;
    }
    const split_kernels::Best found = sweep.best(sums, skipped, size, best.score);
    if (found.score > best.score) {
      const std::size_t cut = skipped + found.index;
      best = cut_at(sweep, sums, cut, begin + cut, found.score);
    }
  }
  return best;
}

/// The sweep around a circle: the left part is at first the near half, [0, π), and turning the half-circle past a row
/// moves it out, or in where it comes from the far half. So every half-turn is reached, each by one row
/// changing side. The last cut is the gap over π.
template <class Sweep, class Row>
Cut best_circle_cut(Sweep&& sweep, std::span<const Row> sorted, const Row* level,
                    const std::uint8_t* far, double total, const CutLimits& limits, double floor,
                    SweepSums<typename Sweep::Number>& sums) {
  constexpr std::size_t most = split_kernels::sweep_size;
  const std::size_t n = sorted.size();
  std::size_t n_left = sweep.take(sorted, far);
  // Whole weights tell by themselves that a part has no row left.
  const bool counts_rows = limits.min_rows > 1 || !std::is_integral_v<typename Sweep::Number>;
  Cut best{.score = floor, .index = n};
  for (std::size_t begin = 0; begin < n; begin += most) {
    const std::size_t size = std::min(most, n - begin);
    const std::span part = sorted.subspan(begin, size);
    sweep.pass(part, [&](Row row) { return 2 * int{far[row]} - 1; }, sums);
    for (std::size_t cut = 0; counts_rows && cut < size; ++cut) {
      n_left += far[part[cut]] == 0 ? ~std::size_t{0} : std::size_t{1};
      if (n_left < limits.min_rows || n - n_left < limits.min_rows) {
        sums.weight[cut] = 0;
      }
    }
    exclude_cuts(sums, sorted, level, begin, size, total, limits);
    const split_kernels::Best found = sweep.best(sums, 0, size, best.score);
    if (found.score > best.score) {
      best = cut_at(sweep, sums, found.index, begin + found.index, found.score);
    }
  }
  return best;
}

/// The cut of the highest score among all that the limits allow, the first of equals, where it is above `floor`; the
/// score is `floor` where there is none. O(n) for n sorted rows.
template <class Criterion, class Row>
Cut best_cut(const Criterion& node, std::span<const Row> sorted, const ColumnOrder<Row>& column,
             const CutLimits& limits, double floor, SweepBuffer& buffer) {
  const auto best_of = [&]<class Sweep>(Sweep&& sweep) {
    auto& sums = buffer.of(typename Sweep::Number{});
    return column.is_circle() ? best_circle_cut(std::forward<Sweep>(sweep), sorted, column.level,
                                                column.far, node.weight(), limits, floor, sums)
                              : best_line_cut(std::forward<Sweep>(sweep), sorted, column.level,
                                              node.weight(), limits, floor, sums);
  };
  if constexpr (requires { node.is_small(); }) {
    if (node.is_small()) {
      return best_of(typename Criterion::SmallSweep(node));
    }
  }
  return best_of(typename Criterion::Sweep(node));
}

}  // namespace bentwood
