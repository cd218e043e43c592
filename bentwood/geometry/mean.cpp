#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "bentwood/base/error.hpp"
#include "bentwood/base/parallel.hpp"
#include "bentwood/base/weights.hpp"
#include "bentwood/geometry/kernels/blocks.hpp"
#include "bentwood/geometry/manifold.hpp"
#include "bentwood/geometry/row_operation.hpp"

namespace bentwood {
namespace {

using kernels::Block;
using kernels::block_rows;
using kernels::Buffer;
using kernels::Slot;

double norm(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) {
    sum += value * value;
  }
  return std::sqrt(sum);
}

void fill(Buffer& buffer, const std::vector<double>& point) {
  for (std::size_t column = 0; column < point.size(); ++column) {
    std::fill_n(buffer.data() + column * block_rows, block_rows, point[column]);
  }
}

/// The mean of one factor of canonical points; weights add up to 1.
class FactorMean {
 public:
  FactorMean(const Slot& slot, const Matrix& canonical, std::size_t first_column,
             std::span<const double> weights)
      : slot_(slot),
        canonical_(canonical),
        first_column_(first_column),
        width_(kernels::canonical_columns(slot.factor)),
        vector_width_(kernels::vector_columns(slot.factor)),
        weights_(weights) {}

  [[nodiscard]] std::vector<double> einstein() const {
    if (slot_.factor.geometry == Geometry::hyperbolic) {
      return lorentz_centroid();
    }
    std::vector<double> sum = weighted_sum(width_, [&](const double* points, double* values) {
      std::copy_n(points, width_ * block_rows, values);
    });
    if (slot_.factor.geometry == Geometry::spherical) {
      const double length = norm(sum);
      if (length < 1e-12) {
        throw InvalidInput(fmt::format(
            "the points of {} have no mean: they balance around the sphere", slot_.factor.name()));
      }
      for (double& value : sum) {
        value /= length;
      }
    }
    return sum;
  }

  /// Riemannian gradient descent from the Einstein mean: m ← exp_m(Σ w log_m x / L).
  ///
  /// On H the Hessian of ½ Σ w d² has eigenvalues between 1 and L = Σ w D coth D, D = d/R (1 in one
  /// dimension), so 1/L is a step that never overshoots; on S it has none above 1.
  [[nodiscard]] std::vector<double> frechet() const {
    constexpr int max_steps = 20'000;
    constexpr int patience = 5;
    std::vector<double> mean = einstein();
    if (slot_.factor.geometry == Geometry::euclidean) {
      return mean;
    }
    double least = std::numeric_limits<double>::infinity();
    std::vector<double> best = mean;
    int stalled = 0;
    for (int step = 0; step < max_steps; ++step) {
      throw_if_interrupted();
      auto [pull, steepness] = pull_at(mean);
      const double length = norm(pull);
      if (length < least) {
        stalled = length > 0.99 * least ? stalled + 1 : 0;
        least = length;
        best = mean;
      } else {
        ++stalled;
      }
      // At rounding steps no longer shrink, and are far below the curvature radius.
      if (length == 0 || (stalled >= patience && least < 1e-8 * slot_.factor.radius())) {
        return best;
      }
      for (double& value : pull) {
        value /= steepness;
      }
      mean = moved(mean, pull);
    }
    throw InvalidInput(fmt::format(
        "the Frechet mean on {} has not settled after {} steps; the points may be too far apart",
        slot_.factor.name(), max_steps));
  }

 private:
  /// The point Σ w x / |Σ w x|_L of the hyperboloid, which is the Einstein midpoint in Klein coordinates.
  /// The Lorentz norm cancels far from the origin, so it is taken in the frame of a point amid the others:
  /// first of a rough centroid seen from the origin, then of that one.
  [[nodiscard]] std::vector<double> lorentz_centroid() const {
    std::vector<double> centre(width_, 0.0);
    centre.back() = 1;  // the scale
    for (int pass = 0; pass < 3; ++pass) {
      centre = moved(centre, centroid_seen_from(centre));
    }
    return centre;
  }

  /// The canonical vector at `base` that leads to the Lorentz centroid.
  [[nodiscard]] std::vector<double> centroid_seen_from(const std::vector<double>& base) const {
    Buffer filled(width_);
    fill(filled, base);
    const double root = std::sqrt(std::abs(slot_.factor.curvature));
    // Spatial coordinates in the frame of the base, then cosh − 1, as columns to be added.
    std::vector<double> sum =
        weighted_sum(vector_width_ + 1, [&](const double* points, double* values) {
          slot_.kernels->frame(block(filled.data(), points, nullptr, values));
        });
    const double factor = 1 + sum.back();
    sum.pop_back();
    const double spatial = root * norm(sum);
    // Rounding may leave nothing of the norm on the first pass; a bound keeps the point finite.
    const double squared = std::max((factor - spatial) * (factor + spatial),
                                    std::numeric_limits<double>::epsilon() * factor * factor);
    const double sinh_distance = spatial / std::sqrt(squared);
    const double shrink = spatial == 0 ? 0 : std::asinh(sinh_distance) / spatial;
    for (double& value : sum) {
      value *= shrink;
    }
    return sum;
  }

  struct Pull {
    std::vector<double> vector;
    double steepness = 1;
  };
  /// Σ w log_m x and the bound L at a canonical point.
  [[nodiscard]] Pull pull_at(const std::vector<double>& mean) const {
    Buffer base(width_);
    fill(base, mean);
    const double root = std::sqrt(std::abs(slot_.factor.curvature));
    const bool curved_across =
        slot_.factor.geometry == Geometry::hyperbolic && slot_.factor.dim > 1;
    std::vector<double> sum =
        weighted_sum(vector_width_ + 1, [&](const double* points, double* values) {
          slot_.kernels->log(block(base.data(), points, nullptr, values));
          for (std::size_t row = 0; row < block_rows; ++row) {
            const double length = root * length_of_row(values, row);
            values[vector_width_ * block_rows + row] =
                curved_across && length > 0 ? length / std::tanh(length) : 1;
          }
        });
    const double steepness = sum.back();
    sum.pop_back();
    return {sum, steepness};
  }

  [[nodiscard]] double length_of_row(const double* vectors, std::size_t row) const {
    double squared = 0;
    for (std::size_t column = 0; column < vector_width_; ++column) {
      squared += vectors[column * block_rows + row] * vectors[column * block_rows + row];
    }
    return std::sqrt(squared);
  }

  /// exp of a canonical vector at a canonical point.
  [[nodiscard]] std::vector<double> moved(const std::vector<double>& point,
                                          const std::vector<double>& vector) const {
    Buffer base(width_);
    Buffer step(vector_width_);
    Buffer end(width_);
    fill(base, point);
    fill(step, vector);
    slot_.kernels->exp(block(base.data(), nullptr, step.data(), end.data()));
    std::vector<double> result;
    for (std::size_t column = 0; column < width_; ++column) {
      result.push_back(end.column(column)[0]);
    }
    return result;
  }

  /// Σ w_i term_i over all rows, added in a fixed order whatever the number of threads. `terms` writes
  /// n_terms columns for a block of canonical points.
  template <class Terms>
  [[nodiscard]] std::vector<double> weighted_sum(std::size_t n_terms, Terms terms) const {
    const std::size_t n_rows = canonical_.n_rows();
    const std::size_t n_tasks = (n_rows + kernels::task_rows - 1) / kernels::task_rows;
    std::vector<std::vector<double>> parts(n_tasks, std::vector<double>(n_terms, 0.0));
    kernels::for_each_block(
        n_rows, [&] { return std::pair(Buffer(width_), Buffer(n_terms)); },
        [&](std::pair<Buffer, Buffer>& buffers, kernels::RowRange rows) {
          auto& [points, values] = buffers;
          kernels::gather(canonical_, rows, first_column_, width_, points.data());
          terms(points.data(), values.data());
          std::vector<double>& sum = parts[rows.first / kernels::task_rows];
          for (std::size_t column = 0; column < n_terms; ++column) {
            for (std::size_t row = 0; row < rows.n_rows; ++row) {
              sum[column] += weights_[rows.first + row] * values.column(column)[row];
            }
          }
        });
    std::vector<double> total(n_terms, 0.0);
    for (const auto& part : parts) {
      for (std::size_t column = 0; column < n_terms; ++column) {
        total[column] += part[column];
      }
    }
    return total;
  }

  [[nodiscard]] Block block(const double* x, const double* y, const double* v, double* out) const {
    return {.dim = slot_.factor.dim,
            .curvature = slot_.factor.curvature,
            .n_rows = block_rows,
            .x = x,
            .y = y,
            .v = v,
            .out = out};
  }

  const Slot& slot_;
  const Matrix& canonical_;
  std::size_t first_column_;
  std::size_t width_;
  std::size_t vector_width_;
  std::span<const double> weights_;
};

std::vector<double> normalised(std::span<const double> weights, std::size_t n_rows) {
  if (weights.empty()) {
    return std::vector<double>(n_rows, 1.0 / static_cast<double>(n_rows));
  }
  check_weights(weights, n_rows);
  const double largest = std::ranges::max(weights);
  std::vector<double> result(weights.begin(), weights.end());
  double sum = 0;
  for (double& weight : result) {
    weight /= largest;  // the sum of large weights could overflow
    sum += weight;
  }
  for (double& weight : result) {
    weight /= sum;
  }
  return result;
}

}  // namespace

Matrix Manifold::mean(Points points, std::span<const double> weights, MeanKind kind) const {
  if (points.rows.n_rows() == 0) {
    throw InvalidInput("the mean of no points is undefined");
  }
  const std::vector<double> shares = normalised(weights, points.rows.n_rows());
  const Matrix canonical = kernels::RowOperation(signature_, coordinates_).x(points).canonical();
  Matrix result(1, n_columns());
  std::size_t first_column = 0;
  for (const Slot& slot : kernels::slots(signature_, coordinates_)) {
    const FactorMean factor(slot, canonical, first_column, shares);
    const std::vector<double> mean =
        kind == MeanKind::frechet ? factor.frechet() : factor.einstein();
    Buffer filled(mean.size());
    Buffer out(slot.n_columns);
    fill(filled, mean);
    slot.kernels->to.at(static_cast<std::size_t>(coordinates_))({.dim = slot.factor.dim,
                                                                 .curvature = slot.factor.curvature,
                                                                 .n_rows = 1,
                                                                 .x = filled.data(),
                                                                 .out = out.data()});
    kernels::scatter(out.data(), {0, 1}, slot.column, slot.n_columns, result.view());
    for (const double value : result.row(0).subspan(slot.column, slot.n_columns)) {
      if (!std::isfinite(value)) {
        throw InvalidInput(
            fmt::format("the mean: {}", kernels::no_coordinates(slot.factor, coordinates_)));
      }
    }
    first_column += kernels::canonical_columns(slot.factor);
  }
  return result;
}

}  // namespace bentwood
