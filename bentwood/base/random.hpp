#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace bentwood {

/// A stream of random numbers that is a pure function of (seed, purpose, item).
///
/// Philox-4x64 of the Random123 library (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3",
/// SC 2011) turns a counter into numbers, so there is no state to share between threads: give every
/// row, tree or node a stream of its own and the results cannot depend on who computes what when.
class Random {
 public:
  /// `purpose` tells apart the uses of one seed (labels, noise, bootstrap ...), `item` the rows or
  /// trees within a use.
  explicit Random(std::uint64_t seed, std::uint64_t purpose = 0, std::uint64_t item = 0);

  /// 64 random bits.
  std::uint64_t bits();
  /// Uniform on [0, 1), a multiple of 2^-53.
  double uniform();
  /// Standard normal (Box-Muller).
  double normal();
  /// Uniform on {0, ..., bound - 1}, without bias. Requires bound > 0.
  std::uint64_t below(std::uint64_t bound);

  /// Fisher-Yates.
  template <class T>
  void shuffle(std::span<T> items) {
    for (std::size_t remaining = items.size(); remaining > 1; --remaining) {
      std::swap(items[remaining - 1], items[below(remaining)]);
    }
  }

 private:
  std::array<std::uint64_t, 2> key_;
  std::array<std::uint64_t, 4> counter_;
  std::array<std::uint64_t, 4> block_{};
  std::size_t used_ = 4;
  double spare_normal_ = 0;
  bool has_spare_normal_ = false;
};

}  // namespace bentwood
