#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "bentwood/grow/grow_options.hpp"
#include "bentwood/model/tree.hpp"
#include "bentwood/split/ranked_columns.hpp"
#include "bentwood/split/target.hpp"

namespace bentwood {

/// A tree and what each column did for it: the decrease in impurity, times the share of the weight that passed. The horospheres of every
/// hyperbolic factor follow the columns.
struct GrownTree {
  Tree tree;
  std::vector<double> importances;
};

/// Grows trees (CART: Breiman, Friedman, Olshen, Stone 1984) on natural coordinates: HyperDT on H, the
/// mixed-curvature tree on products. Every split is the exact best of its column. One object grows one tree after
/// another, and keeps its memory between them.
class TreeGrower {
 public:
  /// All arguments must outlive this object.
  TreeGrower(const RankedColumns& columns, const Target& target, const GrowOptions& options);
  ~TreeGrower();
  TreeGrower(const TreeGrower&) = delete;
  TreeGrower& operator=(const TreeGrower&) = delete;

  /// `weights` has the weight of every row in this tree: sample weight times how often it was drawn, scaled so that cubes of their sums
  /// are numbers (weight_scale). Rows of weight 0 are not in the tree; some must be. The result is a pure function of all arguments, whatever the number of
  /// threads. Throws Interrupted.
  [[nodiscard]] GrownTree grow(std::span<const double> weights, std::uint64_t seed);

  /// Grows trees by one criterion.
  class Strategy;

 private:
  const RankedColumns& columns_;
  const Target& target_;
  const GrowOptions& options_;
  /// For weights that are whole numbers, small or very small, and for any; and for many classes.
  std::array<std::unique_ptr<Strategy>, 4> strategies_;
};

}  // namespace bentwood
