#pragma once

#include <algorithm>
#include <cstddef>

#include "bentwood/base/error.hpp"
#include "bentwood/base/matrix.hpp"

namespace bentwood::datasets {

/// A matrix of chunk(first, n_rows) one below the other: what they are made of stays small whatever the number of rows, and
/// wide rows do not make a step long. Errors about a row of a chunk are about the row of the matrix.
template <class Chunk>
[[nodiscard]] Matrix in_chunks(std::size_t n_rows, std::size_t n_cols, const Chunk& chunk) {
  constexpr std::size_t n_numbers = std::size_t{1} << 18;
  constexpr std::size_t fewest_rows = 64;
  const std::size_t chunk_rows = std::max(fewest_rows, n_numbers / n_cols);
  Matrix result = Matrix::uninitialized(n_rows, n_cols);
  for (std::size_t first = 0; first < n_rows; first += chunk_rows) {
    try {
      const Matrix rows = chunk(first, std::min(chunk_rows, n_rows - first));
      std::copy_n(rows.data(), rows.n_rows() * n_cols, result.data() + first * n_cols);
    } catch (const RowError& error) {
      throw RowError(first + error.row(), error.problem());
    }
  }
  return result;
}

}  // namespace bentwood::datasets
