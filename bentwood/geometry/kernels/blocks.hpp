#pragma once

#include <hwy/aligned_allocator.h>

#include <algorithm>
#include <cstddef>
#include <new>
#include <vector>

#include "bentwood/base/matrix.hpp"
#include "bentwood/base/parallel.hpp"
#include "bentwood/geometry/coordinates.hpp"
#include "bentwood/geometry/kernels/kernels.hpp"

namespace bentwood::kernels {

/// Where a factor's numbers stand in a row, and what computes with them.
struct Slot {
  Factor factor;
  const FactorKernels* kernels = nullptr;
  std::size_t column = 0;
  std::size_t n_columns = 0;
};

/// The slots of rows in some coordinates.
[[nodiscard]] std::vector<Slot> slots(const Signature& signature, Coordinates coordinates);

/// Aligned storage for the columns of one block.
class Buffer {
 public:
  explicit Buffer(std::size_t n_columns)
      : values_(hwy::AllocateAligned<double>((n_columns > 0 ? n_columns : 1) * block_rows)) {
    if (!values_) {
      throw std::bad_alloc();
    }
  }
  [[nodiscard]] double* data() { return values_.get(); }
  [[nodiscard]] const double* data() const { return values_.get(); }
  [[nodiscard]] const double* column(std::size_t column) const {
    return values_.get() + column * block_rows;
  }

 private:
  hwy::AlignedFreeUniquePtr<double[]> values_;
};

/// Rows [first, first + n_rows) of a matrix that a block holds.
struct RowRange {
  std::size_t first = 0;
  std::size_t n_rows = 0;
};

/// Copies columns [column, column + n_columns) of the rows into a block, and fills it up with copies of the
/// last row.
void gather(MatrixView matrix, RowRange rows, std::size_t column, std::size_t n_columns,
            double* block);
/// The reverse, without the filling.
void scatter(const double* block, RowRange rows, std::size_t column, std::size_t n_columns,
             MutableMatrixView matrix);

/// Results of this size and more are written past the caches, which would read every line before it is
/// overwritten and not keep it until somebody looks (measured: half the time of a conversion of 64 MB).
inline constexpr std::size_t streamed_bytes = std::size_t{4} << 20U;

/// Writes a matrix in blocks of rows: `put` every factor's columns, then `finish` the block. One a thread.
class RowWriter {
 public:
  explicit RowWriter(MutableMatrixView matrix);
  RowWriter(const RowWriter&) = delete;
  RowWriter& operator=(const RowWriter&) = delete;
  ~RowWriter();

  void put(const double* block, RowRange rows, std::size_t column, std::size_t n_columns);
  void finish(RowRange rows);

 private:
  MutableMatrixView matrix_;
  bool streams_;
  Buffer rows_;  ///< one block, row after row, on its way past the caches
};

/// Rows that one thread takes at a time: some milliseconds of the slowest kernel.
inline constexpr std::size_t task_rows = 64 * block_rows;

/// Calls body(state, RowRange) for blocks of rows on several threads, with a state (buffers) that
/// make_state() builds once a task.
template <class MakeState, class Body>
void for_each_block(std::size_t n_rows, MakeState make_state, Body body) {
  parallel_blocks(n_rows, task_rows, [&](std::size_t begin, std::size_t end) {
    auto state = make_state();
    for (std::size_t first = begin; first < end; first += block_rows) {
      body(state, RowRange{first, std::min(block_rows, end - first)});
    }
  });
}

}  // namespace bentwood::kernels
