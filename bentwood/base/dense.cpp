#include "bentwood/base/dense.hpp"

#include <cmath>

namespace bentwood {

bool solve_cholesky(std::span<double> triangle, std::span<double> b) {
  const std::size_t n = b.size();
  const auto row = [&](std::size_t index) {
    return triangle.subspan(index * (index + 1) / 2, index + 1);
  };
  for (std::size_t down = 0; down < n; ++down) {
    const std::span<double> current = row(down);
    for (std::size_t across = 0; across <= down; ++across) {
      const std::span<const double> other = row(across);
      const double rest = current[across] - dot(current.first(across), other.first(across));
      if (across < down) {
        current[across] = rest / other[across];
      } else if (rest > 0) {
        current[across] = std::sqrt(rest);
      } else {
        return false;
      }
    }
    b[down] = (b[down] - dot(current.first(down), b.first(down))) / current[down];
  }
  for (std::size_t down = n; down-- > 0;) {
    const std::span<const double> current = row(down);
    b[down] /= current[down];
    for (std::size_t above = 0; above < down; ++above) {
      b[above] -= current[above] * b[down];
    }
  }
  return true;
}

}  // namespace bentwood
