#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "bentwood/split/kernels.hpp"

namespace bentwood {

/// The sums after each of the rows that are swept together. Cuts whose weight is 0 do not count.
template <class Number>
struct SweepSums {
  std::array<Number, split_kernels::sweep_size> left;
  std::array<Number, split_kernels::sweep_size> right;
  std::array<Number, split_kernels::sweep_size> weight;
};

/// Which parts of a cut are known to be of one class.
struct PureParts {
  bool left = false;
  bool right = false;
};

/// Room for the sums of one thread.
struct SweepBuffer {
  SweepSums<double> sums;
  SweepSums<std::int32_t> small_sums;

  [[nodiscard]] SweepSums<double>& of(double /*number*/) { return sums; }
  [[nodiscard]] SweepSums<std::int32_t>& of(std::int32_t /*number*/) { return small_sums; }
};

/// The best of left/weight + right/(total - weight) over cuts [begin, end), counted from `begin`, where it is above
/// `floor`.
[[nodiscard]] inline split_kernels::Best best_ratio(const SweepSums<double>& sums, double total,
                                                    std::size_t begin, std::size_t end,
                                                    double floor) {
  return split_kernels::kernels.best_ratio(&sums.left[begin], &sums.right[begin],
                                           &sums.weight[begin], total, end - begin, floor);
}

}  // namespace bentwood
