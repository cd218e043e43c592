#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "bentwood/grow/grow_options.hpp"
#include "bentwood/model/tree.hpp"
#include "bentwood/split/ranked_columns.hpp"
#include "bentwood/split/target.hpp"

namespace bentwood {

/// A tree and what each column did for it: the decrease in impurity, times the share of the weight that passed.
struct GrownTree {
  Tree tree;
  std::vector<double> importances;
};

/// Grows one tree (CART: Breiman, Friedman, Olshen, Stone 1984) on natural coordinates: HyperDT on H, the
/// mixed-curvature tree on products. Every split is the exact best of its column.
///
/// `weights` has the weight of every row in this tree: sample weight times how often it was drawn. Rows of weight 0
/// are not in the tree. The result is a pure function of the arguments, whatever the number of threads. Requires
/// a positive sum. Throws Interrupted.
[[nodiscard]] GrownTree grow_tree(const RankedColumns& columns, const Target& target,
                                  std::span<const double> weights, const GrowOptions& options,
                                  std::uint64_t seed);

}  // namespace bentwood
