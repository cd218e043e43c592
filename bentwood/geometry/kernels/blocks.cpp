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
  const std::size_t stride = matrix.n_cols();
  for (std::size_t j = 0; j < n_columns; ++j) {
    const double* source = matrix.data() + rows.first * stride + column + j;
    double* target = block + j * block_rows;
    for (std::size_t row = 0; row < rows.n_rows; ++row) {
      target[row] = source[row * stride];
    }
    std::fill(target + rows.n_rows, target + block_rows, target[rows.n_rows - 1]);
  }
}

void scatter(const double* block, RowRange rows, std::size_t column, std::size_t n_columns,
             MutableMatrixView matrix) {
  const std::size_t stride = matrix.n_cols();
  for (std::size_t j = 0; j < n_columns; ++j) {
    const double* source = block + j * block_rows;
    double* target = matrix.data() + rows.first * stride + column + j;
    for (std::size_t row = 0; row < rows.n_rows; ++row) {
      target[row * stride] = source[row];
    }
  }
}

}  // namespace bentwood::kernels
