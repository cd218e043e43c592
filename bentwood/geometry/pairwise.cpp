#include <algorithm>
#include <cmath>

#include "bentwood/geometry/kernels/blocks.hpp"
#include "bentwood/geometry/manifold.hpp"
#include "bentwood/geometry/row_operation.hpp"

namespace bentwood {
namespace {

using kernels::block_rows;
using kernels::Buffer;
using kernels::Slot;

/// All rows in canonical form, cut into blocks whose columns are contiguous.
class BlockedPoints {
 public:
  BlockedPoints(const Matrix& canonical, std::size_t first_column, std::size_t n_columns)
      : n_blocks_((canonical.n_rows() + block_rows - 1) / block_rows), n_columns_(n_columns),
        values_(n_blocks_ * n_columns) {
    for (std::size_t block = 0; block < n_blocks_; ++block) {
      const std::size_t first = block * block_rows;
      kernels::gather(canonical, {first, std::min(block_rows, canonical.n_rows() - first)},
                      first_column, n_columns, values_.data() + block * n_columns * block_rows);
    }
  }
  [[nodiscard]] const double* block(std::size_t block) const {
    return values_.column(block * n_columns_);
  }

 private:
  std::size_t n_blocks_;
  std::size_t n_columns_;
  Buffer values_;
};

struct FactorPairs {
  Slot slot;
  std::size_t first_column = 0;  ///< of the canonical coordinates
  BlockedPoints columns;
};

std::vector<FactorPairs> prepare(const Signature& signature, const Matrix& canonical) {
  std::vector<FactorPairs> result;
  std::size_t first = 0;
  for (const Slot& slot : kernels::slots(signature, Coordinates::ambient)) {
    const std::size_t width = kernels::canonical_columns(slot.factor);
    result.push_back({slot, first, BlockedPoints(canonical, first, width)});
    first += width;
  }
  return result;
}

/// Distances of one canonical row to one block, over all factors.
void distances_to_block(const std::vector<FactorPairs>& factors, std::span<const double> row,
                        std::size_t block, Buffer& total, Buffer& part) {
  const bool product = factors.size() > 1;
  if (product) {
    std::fill(total.data(), total.data() + block_rows, 0.0);
  }
  for (const FactorPairs& factor : factors) {
    factor.slot.kernels->distance_from({.dim = factor.slot.factor.dim,
                                        .curvature = factor.slot.factor.curvature,
                                        .n_rows = block_rows,
                                        .x = row.data() + factor.first_column,
                                        .y = factor.columns.block(block),
                                        .out = product ? part.data() : total.data()});
    for (std::size_t column = 0; product && column < block_rows; ++column) {
      total.data()[column] += part.data()[column] * part.data()[column];
    }
  }
  for (std::size_t column = 0; product && column < block_rows; ++column) {
    total.data()[column] = std::sqrt(total.data()[column]);
  }
}

}  // namespace

Matrix Manifold::pairwise_distance(Points x, Points y) const {
  const Matrix x_canonical = kernels::RowOperation(signature_, coordinates_).x(x).canonical();
  const bool same = x.rows.data() == y.rows.data() && x.rows.n_rows() == y.rows.n_rows();
  const Matrix y_canonical =
      same ? Matrix() : kernels::RowOperation(signature_, coordinates_).x(y).canonical();
  const Matrix& targets = same ? x_canonical : y_canonical;
  const std::vector<FactorPairs> factors = prepare(signature_, targets);
  Matrix result = Matrix::uninitialized(x_canonical.n_rows(), targets.n_rows());
  const std::size_t n_targets = targets.n_rows();

  // Tiles of block_rows × block_rows. Between a set and itself only tiles on and above the diagonal are
  // computed; the others are their mirror images, which is exact because distances are symmetric.
  parallel_blocks(x_canonical.n_rows(), block_rows, [&](std::size_t begin, std::size_t end) {
    Buffer total(1);
    Buffer part(1);
    for (std::size_t first = same ? begin : 0; first < n_targets; first += block_rows) {
      const std::size_t n_columns = std::min(block_rows, n_targets - first);
      for (std::size_t row = begin; row < end; ++row) {
        distances_to_block(factors, x_canonical.row(row), first / block_rows, total, part);
        std::copy_n(total.data(), n_columns, result.row(row).data() + first);
      }
      for (std::size_t column = first; same && first > begin && column < first + n_columns;
           ++column) {
        for (std::size_t row = begin; row < end; ++row) {
          result(column, row) = result(row, column);
        }
      }
    }
  });
  return result;
}

}  // namespace bentwood
