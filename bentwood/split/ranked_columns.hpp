#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "bentwood/base/matrix.hpp"
#include "bentwood/geometry/columns.hpp"

namespace bentwood {

/// The order of the rows along one column, as trees see it: whole numbers instead of values. `Row` numbers
/// rows and places alike. Circles are ordered by their folded angle (model/tree.hpp).
template <class Row>
struct ColumnOrder {
  std::size_t n_rows = 0;
  /// The row at each place in ascending order, rows of equal value in some fixed order.
  const Row* row_at = nullptr;
  /// Equal for rows of equal value, by row; null where all values differ.
  const Row* level = nullptr;
  /// 1 for rows on the far half of a circle, by row; null for a line.
  const std::uint8_t* far = nullptr;

  [[nodiscard]] bool is_circle() const { return far != nullptr; }
};

/// The same with the place of each row, the reverse of `row_at`.
template <class Row>
struct RankView : ColumnOrder<Row> {
  const Row* place = nullptr;
};

/// The columns of the training rows, sorted once a forest. From here on a tree compares whole numbers; it
/// sees a value again when it writes a threshold.
///
/// Cost: a radix sort a column, about 15 ns a number; 4 bytes a number, 8 in columns with ties.
class RankedColumns {
 public:
  /// Requires finite values, one column of `values` a column (rows may carry more behind them), fewer than 2^32 rows. The
  /// values must outlive this object.
  RankedColumns(MatrixView values, std::span<const Column> columns);

  [[nodiscard]] std::size_t n_rows() const { return values_.n_rows(); }
  [[nodiscard]] std::size_t size() const { return columns_.size(); }
  [[nodiscard]] MatrixView values() const { return values_; }
  [[nodiscard]] ColumnOrder<std::uint32_t> order(std::size_t column) const;

  /// A threshold between the values of two rows that are neighbours in a node: their mean, or the lower one
  /// where the mean rounds up to the upper. The geodesic midpoint in every natural coordinate.
  [[nodiscard]] double threshold(std::size_t column, std::size_t lower_row,
                                 std::size_t upper_row) const;
  /// Asks for the values of a row that a threshold will soon need.
  void prefetch(std::size_t column, std::size_t row) const {
    __builtin_prefetch(values_.data() + row * values_.n_cols() + column);
  }
  /// The threshold of a circle in the gap that runs from the last angle of a node over π to its first. Half
  /// the time it comes out above 0, before all angles, and half the time below π, after all of them.
  struct Wrapped {
    double threshold = 0;
    bool before_all = false;
  };
  [[nodiscard]] Wrapped wrapped_threshold(std::size_t column, std::size_t last_row,
                                          std::size_t first_row) const;

 private:
  template <class T>
  using Numbers = std::vector<T, NumberAllocator<T>>;

  struct Ranks {
    ColumnKind kind = ColumnKind::line;
    Numbers<std::uint32_t> row_at;
    Numbers<std::uint32_t> level;
    Numbers<std::uint8_t> far;
  };

  void rank(std::size_t column);
  [[nodiscard]] double sorted_value(std::size_t column, std::size_t row) const;

  MatrixView values_;
  std::vector<Ranks> columns_;
};

}  // namespace bentwood
