#include <fmt/format.h>
#include <hwy/cache_control.h>

#include <algorithm>
#include <cmath>

#include "bentwood/base/error.hpp"
#include "bentwood/geometry/kernels/blocks.hpp"
#include "bentwood/geometry/manifold.hpp"
#include "bentwood/geometry/product_distance.hpp"
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

/// A multiple of block_rows, small enough that Ctrl-C is soon heard.
constexpr std::size_t strip_columns = 16 * block_rows;

/// Whether distances may be out of range: Euclidean coordinates are so large that their squares are.
bool is_wide(const Signature& signature, MatrixView canonical) {
  constexpr double largest_safe = 1e150;
  std::size_t first = 0;
  for (const Factor& factor : signature.factors()) {
    const std::size_t width = kernels::canonical_columns(factor);
    for (std::size_t row = 0; row < canonical.n_rows() && factor.geometry == Geometry::euclidean;
         ++row) {
      for (const double value : canonical.row(row).subspan(first, width)) {
        if (std::abs(value) > largest_safe) {
          return true;
        }
      }
    }
    first += width;
  }
  return false;
}

struct PreparedPoints {
  std::vector<PreparedFactor> factors;
  bool is_wide = false;
};

PreparedPoints prepare(const Signature& signature, Coordinates coordinates, Points points) {
  const Matrix canonical = kernels::RowOperation(signature, coordinates).x(points).canonical();
  PreparedPoints result{{}, is_wide(signature, canonical)};
  std::size_t first = 0;
  for (const Slot& slot : kernels::slots(signature, coordinates)) {
    result.factors.emplace_back(slot, canonical, first);
    first += kernels::canonical_columns(slot.factor);
  }
  return result;
}

struct Range {
  std::size_t first = 0;
  std::size_t size = 0;
};

/// Writes squares of block_rows × block_rows numbers, row after row, into a matrix.
class SquareWriter {
 public:
  explicit SquareWriter(MutableMatrixView matrix)
      : matrix_(matrix),
        streams_(matrix.n_rows() * matrix.n_cols() * sizeof(double) >= kernels::streamed_bytes) {}
  SquareWriter(const SquareWriter&) = delete;
  SquareWriter& operator=(const SquareWriter&) = delete;
  ~SquareWriter() {
    if (streams_) {
      hwy::FlushStream();
    }
  }

  /// The upper left corner of the square goes to these rows and columns.
  void write(const double* square, Range rows, Range columns) const {
    for (std::size_t row = 0; row < rows.size; ++row) {
      const double* source = square + row * block_rows;
      double* target = matrix_.row(rows.first + row).data() + columns.first;
      if (streams_) {
        kernels::layout_kernels().stream(source, columns.size, target);
      } else {
        std::copy_n(source, columns.size, target);
      }
    }
  }

 private:
  MutableMatrixView matrix_;
  bool streams_;
};

/// Distances of one row to the block that starts at first_target, over all factors, into `total`.
class DistancesToBlock {
 public:
  DistancesToBlock(const PreparedPoints& x, const PreparedPoints& y)
      : x_(x.factors), y_(y.factors), parts_(y_.size()) {}

  void compute(std::size_t row, std::size_t first_target, double* total) {
    const bool product = y_.size() > 1;
    if (product) {
      std::fill(total, total + block_rows, 0.0);
    }
    for (std::size_t factor = 0; factor < y_.size(); ++factor) {
      const Slot& slot = y_[factor].slot();
      double* const part = product ? parts_.data() + factor * block_rows : total;
      point_.resize(y_[factor].width());
      x_[factor].copy_row(row, point_.data());
      slot.kernels->distance_from({.dim = slot.factor.dim,
                                   .curvature = slot.factor.curvature,
                                   .x = point_.data(),
                                   .y = y_[factor].block(first_target),
                                   .out = part});
      for (std::size_t column = 0; product && column < block_rows; ++column) {
        total[column] += part[column] * part[column];
      }
    }
    for (std::size_t column = 0; product && column < block_rows; ++column) {
      total[column] = is_safe_square(total[column]) ? std::sqrt(total[column]) : carefully(column);
    }
  }

 private:
  double carefully(std::size_t column) {
    point_.resize(y_.size());
    for (std::size_t factor = 0; factor < y_.size(); ++factor) {
      point_[factor] = parts_.column(factor)[column];
    }
    return product_distance(point_);
  }

  const std::vector<PreparedFactor>& x_;
  const std::vector<PreparedFactor>& y_;
  /// The distances on each factor of a product.
  Buffer parts_;
  std::vector<double> point_;
};

}  // namespace

Matrix Manifold::pairwise_distance(Points x, Points y) const {
  const bool same = x.rows.data() == y.rows.data() && x.rows.n_rows() == y.rows.n_rows();
  const PreparedPoints sources = prepare(signature_, coordinates_, x);
  const PreparedPoints others = same ? PreparedPoints() : prepare(signature_, coordinates_, y);
  const PreparedPoints& targets = same ? sources : others;
  const std::size_t n_sources = x.rows.n_rows();
  const std::size_t n_targets = y.rows.n_rows();
  const bool is_wide = sources.is_wide || targets.is_wide;
  Matrix result = Matrix::uninitialized(n_sources, n_targets);

  // Work is handed out in strips of block_rows × strip_columns, and done in squares of block_rows. Between a set
  // and itself only squares on the diagonal or above it are computed; what is below is their mirror
  // image, which is exact because distances are symmetric.
  const std::size_t strips_across = (n_targets + strip_columns - 1) / strip_columns;
  const std::size_t strips_down = (n_sources + block_rows - 1) / block_rows;
  parallel_blocks(strips_down * strips_across, 1, [&](std::size_t strip, std::size_t /*end*/) {
    const std::size_t top = strip / strips_across * block_rows;
    const std::size_t height = std::min(block_rows, n_sources - top);
    const std::size_t left = strip % strips_across * strip_columns;
    const std::size_t right = std::min(left + strip_columns, n_targets);
    DistancesToBlock distances(sources, targets);
    const SquareWriter writer(result.view());
    Buffer square(block_rows);
    Buffer mirrored(same ? block_rows : 0);
    for (std::size_t first = same ? std::max(left, top) : left; first < right;
         first += block_rows) {
      throw_if_interrupted();
      const std::size_t width = std::min(block_rows, n_targets - first);
      for (std::size_t row = 0; row < height; ++row) {
        double* const found = square.data() + row * block_rows;
        distances.compute(top + row, first, found);
        if (is_wide && !kernels::layout_kernels().all_finite(found, width)) {
          throw RowError(top + row, fmt::format("a distance is out of the range of float64 on {}",
                                                signature_.text()));
        }
      }
      writer.write(square.data(), {top, height}, {first, width});
      if (same && first > top) {
        kernels::gather({square.data(), block_rows, block_rows}, {0, block_rows}, 0, block_rows,
                        mirrored.data());
        writer.write(mirrored.data(), {first, width}, {top, height});
      }
    }
  });
  return result;
}

}  // namespace bentwood
