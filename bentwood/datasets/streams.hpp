#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "bentwood/base/error.hpp"
#include "bentwood/base/random.hpp"

namespace bentwood::datasets {

/// What a random number of a generator is for. Each use has a stream of its own, so that a change
/// in one (twice as many rows, more label noise) leaves the numbers of all others as they were.
enum class Stream : std::uint64_t {
  mixture_means = 1000,
  mixture_covariances,
  mixture_weights,
  mixture_labels,
  mixture_points,
  mixture_label_noise,
  linear_position,
  linear_noise,
  uniform_points,
  helix_position,
  helix_noise,
  sphere_position,
  sphere_noise,
  gaussians_position,
  gaussians_noise,
  separable_hyperplane,
  separable_points,
};

[[nodiscard]] inline Random stream(std::uint64_t seed, Stream use, std::size_t item = 0) {
  return Random(seed, static_cast<std::uint64_t>(use), item);
}

/// Rows that a parallel block computes: some tens of microseconds of work for a few columns, and fewer where there are many,
/// so that blocks stay short.
[[nodiscard]] inline std::size_t rows_per_block(std::size_t n_cols) {
  constexpr std::size_t n_numbers = 4096;
  return std::clamp<std::size_t>(n_numbers / std::max<std::size_t>(1, n_cols), 1, 256);
}

/// Throws InvalidInput where a data set of no rows is asked for.
inline void require_rows(std::size_t n_rows) {
  if (n_rows == 0) {
    throw InvalidInput("the number of rows must be at least 1, found 0");
  }
}

}  // namespace bentwood::datasets
