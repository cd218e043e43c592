#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "bentwood/linear/platt.hpp"

namespace bentwood {

/// The classes of the rows of a training, and what each row weighs.
struct ClassRows {
  std::span<const std::uint32_t> classes;
  std::vector<double> weights;      ///< with those of the classes
  std::vector<double> own_weights;  ///< without them; 0 where `weights` is
  std::size_t n_classes = 0;
};

/// Rows with their weights and those of the classes (none: all 1). Throws InvalidInput where a weight is negative or not finite,
/// the numbers of rows or classes differ, a class has no label or fewer than two classes have weight.
[[nodiscard]] ClassRows checked_rows(std::span<const std::uint32_t> classes,
                                     std::span<const double> weights,
                                     std::span<const double> class_weights, std::size_t n_points,
                                     std::size_t n_classes);

/// Rows that all weigh 1, of some of the classes. Throws InvalidInput where the numbers of rows differ or a class has no label.
[[nodiscard]] ClassRows plain_rows(std::span<const std::uint32_t> classes, std::size_t n_points,
                                   std::size_t n_classes);

/// Makes all classes weigh the same, n/(K n_class) a row.
void balance(ClassRows& rows);

/// Throws InvalidInput unless the cost C is above 0, C, the largest weight and their product are at most 1e100 and no weight above 0 is
/// below 1e-100: squares of costs must be numbers. To be asked before weights are summed, as balance does.
void check_cost(const ClassRows& rows, double cost);

/// What Platt scaling is to count the rows with: their own weights, as it is about how often a class is there and not about what
/// its mistakes cost. A row of weight 2 counts as two. Weights that are all below 1 are shares, the largest of which counts as a row,
/// since Platt adds one row more of either side.
[[nodiscard]] std::vector<double> calibration_weights(const ClassRows& rows);

/// ±1 a row: whether it is of the class on the positive side of boundary `index`, which is the second of two.
[[nodiscard]] std::vector<double> signs_of(const ClassRows& rows, std::size_t index);

/// Whether that class has a row with weight. A class without must never win: its score is `absent_score` everywhere, and its probability
/// that of `absent_sigmoid`, which is 0.
[[nodiscard]] bool is_present(const ClassRows& rows, std::size_t index);

constexpr double absent_score = std::numeric_limits<double>::lowest();
constexpr Sigmoid absent_sigmoid{0, 1000};

/// Rows dealt out for cross-fitting.
struct Folds {
  std::vector<std::uint32_t> fold_of;  ///< every row
  std::uint32_t n_folds = 0;
};

/// Five folds, fewer where a class has fewer rows: those of a class are shuffled and dealt out in turn. `purpose` tells this use of the
/// seed from others.
[[nodiscard]] Folds deal_folds(const ClassRows& rows, std::uint64_t seed, std::uint64_t purpose);

/// Whether both sides of boundary `index` have rows outside every fold. Where one has not, as a class of one row, nothing can be
/// learned without the fold.
[[nodiscard]] bool can_cross_fit(const ClassRows& rows, const Folds& dealt, std::size_t index);

}  // namespace bentwood
