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

/// The rows of one factor, prepared for distances: blocks whose columns are contiguous.
class PreparedFactor {
 public:
  PreparedFactor(const Slot& slot, const Matrix& canonical, std::size_t first_column)
      : slot_(slot),
        width_(kernels::pair_columns(slot.factor)),
        blocks_(width_ * ((canonical.n_rows() + block_rows - 1) / block_rows)) {
    Buffer points(kernels::canonical_columns(slot.factor));
    for (std::size_t first = 0; first < canonical.n_rows(); first += block_rows) {
      kernels::gather(canonical, {first, std::min(block_rows, canonical.n_rows() - first)},
                      first_column, kernels::canonical_columns(slot.factor), points.data());
      slot.kernels->prepare({.dim = slot.factor.dim,
                             .curvature = slot.factor.curvature,
                             .x = points.data(),
                             .out = blocks_.data() + width_ * first});
    }
  }
  [[nodiscard]] const Slot& slot() const { return slot_; }
  [[nodiscard]] std::size_t width() const { return width_; }
  [[nodiscard]] const double* block(std::size_t first_row) const {
    return blocks_.data() + width_ * first_row;
  }
  /// One row, contiguous.
  void copy_row(std::size_t row, double* target) const {
    const double* columns = block(row / block_rows * block_rows);
    for (std::size_t column = 0; column < width_; ++column) {
      target[column] = columns[column * block_rows + row % block_rows];
    }
  }

 private:
  Slot slot_;
  std::size_t width_;
  Buffer blocks_;
};

using PreparedPoints = std::vector<PreparedFactor>;

/// Columns of a tile: a multiple of block_rows, small enough that Ctrl-C is soon heard.
constexpr std::size_t tile_columns = 16 * block_rows;

PreparedPoints prepare(const Signature& signature, Coordinates coordinates, Points points) {
  const Matrix canonical = kernels::RowOperation(signature, coordinates).x(points).canonical();
  PreparedPoints result;
  std::size_t first = 0;
  for (const Slot& slot : kernels::slots(signature, coordinates)) {
    result.emplace_back(slot, canonical, first);
    first += kernels::canonical_columns(slot.factor);
  }
  return result;
}

/// Distances of one row to the block that starts at first_target, over all factors, into `total`.
void distances_to_block(const PreparedPoints& x, std::size_t row, const PreparedPoints& y,
                        std::size_t first_target, std::vector<double>& point, Buffer& total,
                        Buffer& part) {
  const bool product = y.size() > 1;
  if (product) {
    std::fill(total.data(), total.data() + block_rows, 0.0);
  }
  for (std::size_t factor = 0; factor < y.size(); ++factor) {
    const Slot& slot = y[factor].slot();
    point.resize(y[factor].width());
    x[factor].copy_row(row, point.data());
    slot.kernels->distance_from({.dim = slot.factor.dim,
                                 .curvature = slot.factor.curvature,
                                 .x = point.data(),
                                 .y = y[factor].block(first_target),
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
  const bool same = x.rows.data() == y.rows.data() && x.rows.n_rows() == y.rows.n_rows();
  const PreparedPoints sources = prepare(signature_, coordinates_, x);
  const PreparedPoints others = same ? PreparedPoints() : prepare(signature_, coordinates_, y);
  const PreparedPoints& targets = same ? sources : others;
  const std::size_t n_targets = y.rows.n_rows();
  Matrix result = Matrix::uninitialized(x.rows.n_rows(), n_targets);

  // Work is handed out in tiles of block_rows × tile_columns. Between a set and itself only tiles that reach
  // the diagonal or lie above it are computed; what is below is their mirror image, which is exact because
  // distances are symmetric.
  const std::size_t n_sources = x.rows.n_rows();
  const std::size_t tiles_across = (n_targets + tile_columns - 1) / tile_columns;
  const std::size_t tiles_down = (n_sources + block_rows - 1) / block_rows;
  parallel_blocks(tiles_down * tiles_across, 1, [&](std::size_t tile, std::size_t /*end*/) {
    const std::size_t begin = tile / tiles_across * block_rows;
    const std::size_t end = std::min(begin + block_rows, n_sources);
    const std::size_t left = tile % tiles_across * tile_columns;
    const std::size_t right = std::min(left + tile_columns, n_targets);
    Buffer total(1);
    Buffer part(1);
    std::vector<double> point;
    for (std::size_t first = same ? std::max(left, begin) : left; first < right;
         first += block_rows) {
      const std::size_t n_columns = std::min(block_rows, n_targets - first);
      for (std::size_t row = begin; row < end; ++row) {
        distances_to_block(sources, row, targets, first, point, total, part);
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
