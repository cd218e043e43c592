#include "bentwood/geometry/row_operation.hpp"

#include <fmt/format.h>

#include <atomic>
#include <cmath>
#include <limits>

#include "bentwood/base/error.hpp"

namespace bentwood::kernels {
namespace {

std::size_t index(Coordinates coordinates) { return static_cast<std::size_t>(coordinates); }

bool is_ball(const Factor& factor, Coordinates coordinates) {
  return factor.geometry == Geometry::hyperbolic &&
         (coordinates == Coordinates::poincare || coordinates == Coordinates::klein);
}

std::size_t widest(const Signature& signature) {
  std::size_t width = 1;
  for (const Factor& factor : signature.factors()) {
    width = std::max(width, factor.dim + 1);
  }
  return width;
}

}  // namespace

std::string no_coordinates(const Factor& factor, Coordinates coordinates) {
  if (factor.geometry == Geometry::spherical) {
    return fmt::format(
        "a point of {} {} has no {} coordinates", factor.name(),
        coordinates == Coordinates::klein ? "on or below the equator" : "opposite the origin",
        name(coordinates));
  }
  if (is_ball(factor, coordinates)) {
    return fmt::format(
        "a point of {} is too far out for {} coordinates in float64, which end at {} "
        "curvature radii; use \"ambient\" or \"tangent\"",
        factor.name(), name(coordinates), coordinates == Coordinates::klein ? 19 : 37);
  }
  return fmt::format("the result is out of the range of float64 on {}", factor.name());
}

/// The first failing (row, factor) of each kind; which thread meets it first does not matter.
struct RowOperation::Failures {
  class First {
   public:
    void report(std::size_t row, std::size_t factor) {
      const std::size_t key = row * max_factors + factor;
      std::size_t known = key_.load();
      while (key < known && !key_.compare_exchange_weak(known, key)) {
      }
    }
    [[nodiscard]] bool any() const { return key_ != none; }
    [[nodiscard]] std::size_t row() const { return key_ / max_factors; }
    [[nodiscard]] std::size_t factor() const { return key_ % max_factors; }

   private:
    static constexpr std::size_t max_factors = std::size_t{1} << 20U;  // dimensions stay below 10⁶
    static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
    std::atomic<std::size_t> key_ = none;
  };
  std::atomic<bool> off_manifold = false;
  First not_tangent;
  First no_result;
};

/// The work on one block of rows of one factor, and the buffers it needs.
struct RowOperation::Task {
  Task(std::size_t width, MutableMatrixView result_rows, Failures& found)
      : writer(result_rows),
        raw(width),
        x(width),
        y(width),
        v(width),
        out(width),
        final(width),
        check(1),
        failures(found) {}

  [[nodiscard]] Block block() {
    return {.dim = slot.factor.dim,
            .curvature = slot.factor.curvature,
            .n_rows = block_rows,
            .x = x.data(),
            .y = y.data(),
            .v = v.data(),
            .out = out.data()};
  }

  RowWriter writer;
  Buffer raw, x, y, v, out, final, check;
  Failures& failures;
  Slot slot;
  std::size_t factor = 0;
  RowRange rows;
  const double* result = nullptr;
};

RowOperation& RowOperation::x(Points points) {
  x_ = points;
  return *this;
}
RowOperation& RowOperation::y(Points points) {
  y_ = points;
  return *this;
}
RowOperation& RowOperation::vectors(MatrixView vectors) {
  vectors_ = vectors;
  return *this;
}
RowOperation& RowOperation::other_vectors(MatrixView vectors) {
  other_vectors_ = vectors;
  return *this;
}
RowOperation& RowOperation::directions(std::span<const double> direction) {
  direction_ = direction;
  return *this;
}
RowOperation& RowOperation::times(std::span<const double> times) {
  times_ = times;
  return *this;
}
RowOperation& RowOperation::times_from(Operation operation) {
  times_from_ = operation;
  return *this;
}

Matrix RowOperation::points(Operation operation, Coordinates target) {
  return run({Kind::points, operation, target});
}
Matrix RowOperation::vectors_at(Base base, Operation operation) {
  return run({Kind::vectors, operation, coordinates_, base});
}
Matrix RowOperation::column(Operation operation) { return run({Kind::column, operation}); }
Matrix RowOperation::natural() { return run({Kind::natural, &FactorKernels::natural}); }
Matrix RowOperation::canonical() { return run({Kind::canonical}); }

std::size_t RowOperation::output_width(const Output& output, const Factor& factor) const {
  switch (output.kind) {
    case Kind::points:
    case Kind::vectors:
      return n_columns(factor, output.coordinates);
    case Kind::column:
      return 1;
    case Kind::natural:
      return factor.dim;
    case Kind::canonical:
      break;
  }
  return canonical_columns(factor);
}

Matrix RowOperation::run(const Output& output) const {
  check_widths();
  const std::vector<Slot> inputs = slots(signature_, coordinates_);
  std::vector<std::size_t> ends;
  ends.reserve(inputs.size());
  for (const Slot& slot : inputs) {
    ends.push_back((ends.empty() ? 0 : ends.back()) + output_width(output, slot.factor));
  }
  const std::size_t n_rows = x_->rows.n_rows();
  Matrix result = Matrix::uninitialized(n_rows, ends.back());
  Failures failures;
  for_each_block(
      n_rows, [&] { return Task(widest(signature_), result.view(), failures); },
      [&](Task& task, RowRange rows) {
        task.rows = rows;
        for (task.factor = 0; task.factor < inputs.size(); ++task.factor) {
          task.slot = inputs[task.factor];
          const std::size_t width = output_width(output, task.slot.factor);
          load_inputs(task);
          compute(output, task);
          check_result(output, width, task);
          task.writer.put(task.result, rows, ends[task.factor] - width, width);
        }
        task.writer.finish(rows);
      });
  throw_failures(failures, output);
  return result;
}

void RowOperation::check_widths() const {
  const std::size_t expected = n_columns(signature_, coordinates_);
  const auto check = [&](std::size_t found, std::string_view what) {
    if (found != expected) {
      throw InvalidInput(fmt::format("{} have {} columns, but {} in {} coordinates has {}", what,
                                     found, signature_.text(), name(coordinates_), expected));
    }
  };
  for (const auto& given : {x_, y_}) {
    if (given) {
      check(given->rows.n_cols(), "points");
    }
  }
  for (const auto& vectors : {vectors_, other_vectors_}) {
    if (vectors) {
      check(vectors->n_cols(), "vectors");
    }
  }
}

void RowOperation::throw_failures(const Failures& failures, const Output& output) const {
  if (failures.off_manifold) {
    require_on_manifold(signature_, coordinates_, *x_, "row");
    if (y_) {
      require_on_manifold(signature_, coordinates_, *y_, "row of y");
    }
  }
  if (failures.not_tangent.any()) {
    throw RowError(failures.not_tangent.row(),
                   fmt::format("the vector is not tangent to {} at its point",
                               signature_.factors()[failures.not_tangent.factor()].name()));
  }
  if (failures.no_result.any()) {
    throw RowError(
        failures.no_result.row(),
        no_coordinates(signature_.factors()[failures.no_result.factor()], output.coordinates));
  }
}

void RowOperation::load_inputs(Task& task) const {
  load_points(*x_, task.x.data(), task);
  if (y_) {
    load_points(*y_, task.y.data(), task);
  }
  if (vectors_) {
    load_vectors(*vectors_, task.v.data(), task);
  }
  if (other_vectors_) {
    load_vectors(*other_vectors_, task.y.data(), task);
  }
  if (!direction_.empty()) {
    load_direction(task);
  }
  if (!times_.empty() || times_from_ != nullptr) {
    load_times(task);
  }
}

void RowOperation::load_points(Points points, double* canonical, Task& task) const {
  const Slot& slot = task.slot;
  gather(points.rows, task.rows, slot.column, slot.n_columns, task.raw.data());
  Block block = task.block();
  block.x = task.raw.data();
  block.out = canonical;
  block.residual = task.check.data();
  block.allowed = residual_tolerance(slot.factor, coordinates_, points.precision);
  slot.kernels->from.at(index(coordinates_))(block);
  if (!layout_kernels().all_at_most(task.check.data(), block_rows, block.allowed)) {
    task.failures.off_manifold = true;
  }
}

void RowOperation::load_vectors(MatrixView vectors, double* canonical, Task& task) const {
  const Slot& slot = task.slot;
  gather(vectors, task.rows, slot.column, slot.n_columns, task.raw.data());
  Block block = task.block();
  block.v = task.raw.data();
  if (coordinates_ == Coordinates::ambient) {
    block.out = task.check.data();
    slot.kernels->vector_residual(block);
    const double allowed = residual_tolerance(slot.factor, coordinates_, x_->precision);
    for (std::size_t row = 0; row < task.rows.n_rows; ++row) {
      if (!(task.check.data()[row] <= allowed)) {
        task.failures.not_tangent.report(task.rows.first + row, task.factor);
      }
    }
  }
  block.out = canonical;
  slot.kernels->vector_from.at(index(coordinates_))(block);
}

void RowOperation::load_direction(Task& task) const {
  std::size_t first = 0;
  for (std::size_t factor = 0; factor < task.factor; ++factor) {
    first += signature_.factors()[factor].dim;
  }
  for (std::size_t j = 0; j < task.slot.factor.dim; ++j) {
    double* column = task.v.data() + j * block_rows;
    std::fill(column, column + block_rows, direction_[first + j]);
  }
}

void RowOperation::load_times(Task& task) const {
  if (times_from_ != nullptr) {
    Block block = task.block();
    block.out = task.v.data();
    (task.slot.kernels->*times_from_)(block);
    return;
  }
  for (std::size_t row = 0; row < block_rows; ++row) {
    const std::size_t source = task.rows.first + std::min(row, task.rows.n_rows - 1);
    task.v.data()[row] = times_.size() == 1 ? times_[0] : times_[source];
  }
}

void RowOperation::compute(const Output& output, Task& task) const {
  const FactorKernels& kernels = *task.slot.kernels;
  Block block = task.block();
  task.result = task.x.data();
  if (output.operation != nullptr) {
    const Kernel kernel = kernels.*output.operation;
    if (kernel == nullptr) {
      std::fill(block.out, block.out + block_rows, 0.0);
    } else {
      kernel(block);
    }
    task.result = task.out.data();
  }
  if (output.kind == Kind::points) {
    block.x = task.result;
    block.out = task.final.data();
    kernels.to.at(index(output.coordinates))(block);
    task.result = task.final.data();
  } else if (output.kind == Kind::vectors) {
    block.x = output.base == Base::x ? task.x.data() : task.y.data();
    block.v = task.result;
    block.out = task.final.data();
    kernels.vector_to.at(index(output.coordinates))(block);
    task.result = task.final.data();
  }
}

void RowOperation::check_result(const Output& output, std::size_t width, Task& task) const {
  if (output.kind != Kind::points && output.kind != Kind::vectors) {
    return;
  }
  // exp and geodesics can leave the range in which squares of coordinates are finite.
  const bool can_leave_range = output.operation != nullptr && output.kind == Kind::points &&
                               task.slot.factor.geometry == Geometry::hyperbolic;
  if (!can_leave_range && layout_kernels().all_finite(task.result, width * block_rows)) {
    return;
  }
  double* bad = task.check.data();
  std::fill(bad, bad + block_rows, 0.0);
  for (std::size_t j = 0; j < width; ++j) {
    for (std::size_t row = 0; row < block_rows; ++row) {
      bad[row] += 0 * task.result[j * block_rows + row];  // NaN where the result is not finite
    }
  }
  if (can_leave_range) {
    const double limit = task.slot.factor.radius() * std::cosh(350.0);
    for (std::size_t j = 0; j < task.slot.factor.dim; ++j) {  // exp and geodesics have scale 1
      for (std::size_t row = 0; row < block_rows; ++row) {
        bad[row] += std::abs(task.out.column(j)[row]) > limit ? 1 : 0;
      }
    }
  }
  for (std::size_t row = 0; row < task.rows.n_rows; ++row) {
    if (bad[row] != 0) {
      task.failures.no_result.report(task.rows.first + row, task.factor);
    }
  }
}

void require_on_manifold(const Signature& signature, Coordinates coordinates, Points points,
                         std::string_view what) {
  MessageStyle style = default_message_style();
  style.row_name = [name = std::string(what)](std::size_t row) {
    return fmt::format("{} {}", name, row);
  };
  const Membership found = check_membership(signature, coordinates, points, style);
  const std::string problem =
      offence(signature, coordinates, points, found, OffManifold::error, style);
  if (!problem.empty()) {
    throw InvalidInput(problem);
  }
}

}  // namespace bentwood::kernels
