#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>

#include "bentwood/base/error.hpp"
#include "bentwood/base/matrix.hpp"

/// What the checks of all models ask of numbers. They throw FormatError.
namespace bentwood {

inline void require_count(std::size_t found, std::size_t expected, std::string_view what) {
  if (found != expected) {
    throw FormatError(fmt::format("there are {} {}, expected {}", found, what, expected));
  }
}

inline void require_finite(std::span<const double> values, std::string_view what) {
  if (!std::ranges::all_of(values, [](double value) { return std::isfinite(value); })) {
    throw FormatError(fmt::format("one of the {} is not finite", what));
  }
}

/// Counts, and numbers of rows, are below 2^63: others have no word for more.
inline void check_counts(std::span<const std::uint64_t> counts, std::string_view what) {
  constexpr std::uint64_t most = std::numeric_limits<std::int64_t>::max();
  const auto wrong = std::ranges::find_if(counts, [](std::uint64_t count) { return count > most; });
  if (wrong != counts.end()) {
    throw FormatError(fmt::format("one of the {} is {}, expected less than 2^63", what, *wrong));
  }
}

/// The numbers of a matrix, row after row.
[[nodiscard]] inline std::span<const double> numbers(const Matrix& matrix) {
  return {matrix.data(), matrix.n_rows() * matrix.n_cols()};
}

}  // namespace bentwood
