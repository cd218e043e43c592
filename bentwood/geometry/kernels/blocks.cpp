#include "bentwood/geometry/kernels/blocks.hpp"

#include <hwy/cache_control.h>

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

namespace {

/// Starts loading numbers that will be needed after the computation at hand.
void prefetch(const double* numbers, std::size_t size) {
  for (std::size_t position = 0; position < size; position += 64 / sizeof(double)) {
    hwy::Prefetch(numbers + position);
  }
}

}  // namespace

void gather(MatrixView matrix, RowRange rows, std::size_t column, std::size_t n_columns,
            double* block) {
  const std::size_t stride = matrix.n_cols();
  const double* first = matrix.data() + rows.first * stride + column;
  if (rows.n_rows == block_rows) {
    layout_kernels().gather(first, stride, n_columns, block);
    if (column == 0 && rows.first + 2 * block_rows <= matrix.n_rows()) {
      prefetch(first + block_rows * stride, block_rows * stride);
    }
    return;
  }
  for (std::size_t j = 0; j < n_columns; ++j) {
    double* target = block + j * block_rows;
    for (std::size_t row = 0; row < rows.n_rows; ++row) {
      target[row] = first[row * stride + j];
    }
    std::fill(target + rows.n_rows, target + block_rows, target[rows.n_rows - 1]);
  }
}

void scatter(const double* block, RowRange rows, std::size_t column, std::size_t n_columns,
             MutableMatrixView matrix) {
  const std::size_t stride = matrix.n_cols();
  double* first = matrix.data() + rows.first * stride + column;
  if (rows.n_rows == block_rows) {
    layout_kernels().scatter(block, stride, n_columns, first);
    return;
  }
  for (std::size_t j = 0; j < n_columns; ++j) {
    for (std::size_t row = 0; row < rows.n_rows; ++row) {
      first[row * stride + j] = block[j * block_rows + row];
    }
  }
}

RowWriter::RowWriter(MutableMatrixView matrix)
    : matrix_(matrix),
      streams_(matrix.n_rows() * matrix.n_cols() * sizeof(double) >= streamed_bytes),
      rows_(streams_ ? matrix.n_cols() : 0) {}

RowWriter::~RowWriter() {
  if (streams_) {
    hwy::FlushStream();
  }
}

void RowWriter::put(const double* block, RowRange rows, std::size_t column, std::size_t n_columns) {
  if (streams_) {
    const MutableMatrixView whole(rows_.data(), block_rows, matrix_.n_cols());
    scatter(block, {0, block_rows}, column, n_columns, whole);
  } else {
    scatter(block, rows, column, n_columns, matrix_);
  }
}

void RowWriter::finish(RowRange rows) {
  if (streams_) {
    const std::size_t width = matrix_.n_cols();
    layout_kernels().stream(rows_.data(), rows.n_rows * width, matrix_.data() + rows.first * width);
  }
}

}  // namespace bentwood::kernels
