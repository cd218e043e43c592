#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "bentwood/base/matrix.hpp"
#include "bentwood/geometry/polar.hpp"

namespace bentwood {

/// The points of one node in polar form, column by column, so that the levels of all of them are computed side by side.
class NodePoints {
 public:
  /// Takes the given rows of `values`, which are rows as Columns has them.
  void assign(MatrixView values, const PolarPlace& place, std::span<const std::uint32_t> rows);

  [[nodiscard]] std::size_t size() const { return n_rows_; }
  [[nodiscard]] std::size_t dim() const { return dim_; }
  /// Component `axis` of the direction of every point; then ½ sinh r and exp(-r).
  [[nodiscard]] std::span<const double> column(std::size_t index) const {
    return std::span(values_).subspan(index * n_rows_, n_rows_);
  }

  /// The horosphere_level of every point, to the same bits. O(n dim).
  void levels(std::span<const double> ideal, std::span<double> out) const;

 private:
  std::size_t n_rows_ = 0;
  std::size_t dim_ = 0;
  std::vector<double> values_;
};

}  // namespace bentwood
