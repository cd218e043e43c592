#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

namespace bentwood {

/// a·b in four partial sums, which compilers make vector instructions of; the same bits for all of them.
[[nodiscard]] inline double dot(std::span<const double> a, std::span<const double> b) {
  constexpr std::size_t n_lanes = 4;
  std::array<double, n_lanes> parts{};
  const std::size_t n_whole = a.size() / n_lanes * n_lanes;
  for (std::size_t place = 0; place < n_whole; place += n_lanes) {
    for (std::size_t lane = 0; lane < n_lanes; ++lane) {
      parts[lane] += a[place + lane] * b[place + lane];
    }
  }
  double sum = (parts[0] + parts[1]) + (parts[2] + parts[3]);
  for (std::size_t place = n_whole; place < a.size(); ++place) {
    sum += a[place] * b[place];
  }
  return sum;
}

/// y += factor · x.
inline void add_scaled(double factor, std::span<const double> x, std::span<double> y) {
  for (std::size_t place = 0; place < x.size(); ++place) {
    y[place] += factor * x[place];
  }
}

/// |a - b|².
[[nodiscard]] inline double squared_distance(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t axis = 0; axis < a.size(); ++axis) {
    sum += (a[axis] - b[axis]) * (a[axis] - b[axis]);
  }
  return sum;
}

/// |x|, of numbers whose squares may overflow, too.
[[nodiscard]] inline double length(std::span<const double> x) {
  double largest = 0;
  for (const double value : x) {
    largest = std::max(largest, std::abs(value));
  }
  if (largest == 0) {
    return 0;
  }
  double sum = 0;
  for (const double value : x) {
    sum += (value / largest) * (value / largest);
  }
  return largest * std::sqrt(sum);
}

/// Solves A x = b for a symmetric positive definite A, whose lower triangle is given row after row (1 + 2 + … numbers) and is overwritten by its
/// Cholesky factor; b by x. Returns false where A is not positive definite. O(d³).
[[nodiscard]] bool solve_cholesky(std::span<double> triangle, std::span<double> b);

}  // namespace bentwood
