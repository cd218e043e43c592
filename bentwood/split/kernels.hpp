#pragma once

#include <cstddef>
#include <cstdint>

namespace bentwood::split_kernels {

/// Cuts whose sums are held at a time: three arrays of doubles that stay in the first-level cache.
inline constexpr std::size_t sweep_size = 512;

/// The most rows that `rank_few` takes.
inline constexpr std::size_t most_of_few = 64;

/// Kernels that write rows write up to as many numbers past the last one.
inline constexpr std::size_t overrun = 64;

/// The highest of n scores and where it first stands; `index` is n where none is above a floor.
struct Best {
  double score = 0;
  std::size_t index = 0;
};

/// The loops that are compiled for several instruction sets; the best one is chosen when the program
/// runs. All of them give the same results to the bit.
struct Kernels {
  /// The best of left/weight + right/(total - weight) over n cuts, where it is above `floor`. A cut that leaves no
  /// weight on either side does not count.
  Best (*best_ratio)(const double* left, const double* right, const double* weight, double total,
                     std::size_t n, double floor);
  /// The same with right = right_base + left - 2 cross, all of them whole numbers below 2^31.
  Best (*best_count_ratio)(const std::int32_t* left, const std::int32_t* cross,
                           const std::int32_t* weight, std::int32_t right_base, std::int32_t total,
                           std::size_t n, double floor);
  /// The ranks of n <= most_of_few different keys, each by counting the lower ones: n² comparisons,
  /// but 32 at a time and without a branch. Both arrays have room for most_of_few numbers.
  void (*rank_few)(const std::uint16_t* keys, std::size_t n, std::uint8_t* ranks);
  /// The rows at the places whose bits are set in words [begin, end), in order; clears the words. Reads whole
  /// words' worth of `row_at`.
  std::size_t (*short_rows_at_bits)(std::uint64_t* words, std::size_t begin, std::size_t end,
                                    const std::uint16_t* row_at, std::uint16_t* rows);
  std::size_t (*rows_at_bits)(std::uint64_t* words, std::size_t begin, std::size_t end,
                              const std::uint32_t* row_at, std::uint32_t* rows);
  /// Those of n rows whose bits are set, in their order: bit r % 32 of word r / 32 for row r. Returns their number.
  std::size_t (*rows_among)(const std::uint32_t* rows, std::size_t n, const std::uint32_t* words,
                            std::uint32_t* among);
};

/// The kernels for this machine.
extern const Kernels kernels;

}  // namespace bentwood::split_kernels
