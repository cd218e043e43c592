#pragma once

#include <array>
#include <cstddef>

#include "bentwood/linear/polar_points.hpp"

namespace bentwood {

/// Sums are kept in this many parts, row i in part i mod n_sum_lanes: compilers make vector instructions of that, and
/// the result is the same for all of them.
inline constexpr std::size_t n_sum_lanes = PolarPoints::block;

/// A sum in parts.
class LaneSum {
 public:
  [[nodiscard]] double& operator[](std::size_t lane) { return parts_[lane]; }
  [[nodiscard]] double sum() const {
    double total = 0;
    for (const double part : parts_) {
      total += part;
    }
    return total;
  }

 private:
  std::array<double, n_sum_lanes> parts_{};
};

}  // namespace bentwood
