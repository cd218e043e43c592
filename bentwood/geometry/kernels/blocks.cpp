#include "bentwood/geometry/kernels/blocks.hpp"

namespace bentwood::kernels {

std::vector<Slot> slots(const Signature& signature, Coordinates coordinates) {
  std::vector<Slot> result;
  std::size_t column = 0;
  for (const Factor& factor : signature.factors()) {
    const std::size_t width = n_columns(factor, coordinates);
    result.push_back({factor, &factor_kernels(factor.geometry), column, width});
    column += width;
  }
  return result;
}

void gather(MatrixView matrix, RowRange rows, std::size_t column, std::size_t n_columns,
            double* block) {
  for (std::size_t row = 0; row < rows.n_rows; ++row) {
    const double* source = matrix.data() + (rows.first + row) * matrix.n_cols() + column;
    for (std::size_t j = 0; j < n_columns; ++j) {
      block[j * block_rows + row] = source[j];
    }
  }
  for (std::size_t j = 0; j < n_columns; ++j) {
    double* values = block + j * block_rows;
    std::fill(values + rows.n_rows, values + block_rows, values[rows.n_rows - 1]);
  }
}

void scatter(const double* block, RowRange rows, std::size_t column, std::size_t n_columns,
             MutableMatrixView matrix) {
  for (std::size_t row = 0; row < rows.n_rows; ++row) {
    double* target = matrix.data() + (rows.first + row) * matrix.n_cols() + column;
    for (std::size_t j = 0; j < n_columns; ++j) {
      target[j] = block[j * block_rows + row];
    }
  }
}

}  // namespace bentwood::kernels
