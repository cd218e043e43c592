#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "bentwood/base/matrix.hpp"
#include "bentwood/linear/linear_svm.hpp"

namespace bentwood {

/// Up to this many features a pass over the rows has gradient and Hessian in registers.
inline constexpr std::size_t most_few_features = 4;

/// Rows of one to four features for many passes: features times signs, g = y f, and costs, all in columns. A column is filled up to whole packs
/// with rows that cost nothing.
class SignedColumns {
 public:
  explicit SignedColumns(const LinearRows& rows);

  [[nodiscard]] std::size_t n_rows() const { return n_rows_; }
  [[nodiscard]] std::size_t dim() const { return dim_; }
  [[nodiscard]] std::size_t stride() const { return stride_; }
  [[nodiscard]] const double* column(std::size_t axis) const {
    return values_.data() + axis * stride_;
  }
  [[nodiscard]] const double* costs() const { return column(dim_); }

 private:
  std::size_t n_rows_;
  std::size_t dim_;
  std::size_t stride_;
  std::vector<double, NumberAllocator<double>> values_;
};

/// What a pass over rows finds out about weights w, with z = max(0, 1 - w·g) of each row.
struct MarginSums {
  /// Σ cost z².
  double loss = 0;
  /// Σ cost z g.
  std::array<double, most_few_features> pull{};
  /// Σ cost g gᵀ of rows with z > 0: the lower triangle, row after row.
  std::array<double, most_few_features*(most_few_features + 1) / 2> bend{};
};

/// The sums over rows [begin, end), both multiples of n_sum_lanes (the last one is the stride). The same bits on every machine: row i is added to
/// part i mod n_sum_lanes of each sum, and the parts are added in order.
[[nodiscard]] MarginSums margin_sums(const SignedColumns& columns, std::size_t begin,
                                     std::size_t end, std::span<const double> weights);

}  // namespace bentwood
