#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "bentwood/grow/node_random.hpp"

namespace bentwood {

/// Which sums of columns the nodes of an unsupervised tree look at.
enum class Projection : std::uint8_t {
  /// The columns themselves are scored first; then a few sums of those that have the most structure, in units of their own spread.
  guided,
  /// Sums of columns at random with coefficients ±1 (Madhyastha et al., KDD 2020; Tomita et al., "Sparse projection oblique randomer forests",
  /// JMLR 2020).
  sparse,
  /// The columns themselves.
  axis,
};

/// Reads "guided", "sparse" or "axis". Throws InvalidInput that lists them.
[[nodiscard]] Projection parse_projection(std::string_view name);
[[nodiscard]] std::string_view name(Projection projection);

/// A sum of columns, those in ascending order; the first coefficient is above 0. One column alone has the coefficient 1.
struct ProjectionTerms {
  std::vector<std::uint32_t> columns;
  std::vector<double> coefficients;

  void clear() {
    columns.clear();
    coefficients.clear();
  }
};

/// Draws a sum of one to four of the columns in `ranking`, the most promising first: each is the r-th with probability 0.4 · 0.6^r,
/// so that the best are in most sums and none is out for ever. Signs are random; `scales` has the spread of every column. Requires a ranking
/// that is not empty.
void draw_guided(std::span<const std::uint32_t> ranking, std::span<const double> scales,
                 NodeRandom& random, ProjectionTerms& terms);

/// Columns past this one are as good as never drawn.
inline constexpr std::size_t longest_ranking = 32;

/// Draws a sum in which every one of n_columns columns is with probability `density`, with coefficient 1 or -1, given that one is.
/// Requires 0 < density <= 1.
void draw_sparse(std::size_t n_columns, double density, NodeRandom& random, ProjectionTerms& terms);

/// Uniform on [0, 1).
[[nodiscard]] inline double uniform(NodeRandom& random) {
  return static_cast<double>(random.bits() >> 11U) * 0x1p-53;
}

}  // namespace bentwood
