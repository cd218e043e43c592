#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace bentwood {

/// What a row costs that is short of its margin by z = 1 - y·score: max(0, z) or its square.
enum class MarginLoss : std::uint8_t { hinge, squared_hinge };

/// Reads "hinge" or "squared_hinge". Throws InvalidInput that lists them.
[[nodiscard]] MarginLoss parse_margin_loss(std::string_view name);

/// Which side of a horosphere, inside (low levels) or outside, the positive rows may be on.
enum class PositiveSide : std::uint8_t { inside, either };

/// The rows of a linear classifier on one number: its levels, y = ±1, and what a row costs (0 or more). All three
/// are as long, and that is a multiple of PolarPoints::block; rows that are not there cost 0.
struct MarginRows {
  std::span<const double> levels;
  std::span<const double> signs;
  std::span<const double> costs;
};

/// The score of a row is -slope · level - offset: positive where the row looks like y = 1.
struct Margin {
  double slope = 0;
  double offset = 0;
  /// ½ slope² + Σ cost · loss(1 - y · score).
  double objective = 0;
};

/// Minimises the objective over slope and offset, to rounding: a convex problem of two variables.
///
/// The squared hinge is piecewise quadratic, so Newton's method with backtracking ends after a few passes. For the hinge the best
/// offset of a slope is a weighted quantile, found by merging two sorted lists, and the slope is found by bisection on top:
/// O(n log n) once and O(n) a step. With PositiveSide::inside the slope is at least 0.
///
/// Holds its memory, so that one can serve many problems without allocating.
class MarginSolver {
 public:
  /// With the squared hinge a step that would lower the objective by less than `tolerance` of it is not taken. Throws Interrupted.
  [[nodiscard]] Margin solve(const MarginRows& rows, MarginLoss loss, PositiveSide side,
                             double tolerance = 0);

 private:
  struct Entry {
    double level = 0;
    double cost = 0;
  };

  [[nodiscard]] Margin solve_hinge(const MarginRows& rows, PositiveSide side);
  void sort_entries(const MarginRows& rows);
  struct BestOffset {
    Margin margin;
    double derivative =
        0;  ///< of the objective in the slope, the offset being the best one all the way
  };
  [[nodiscard]] BestOffset best_offset(double slope) const;

  std::vector<Entry> positive_;
  std::vector<Entry> negative_;
  double negative_cost_ = 0;
};

}  // namespace bentwood
