#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "bentwood/base/matrix.hpp"
#include "bentwood/geometry/kernels/blocks.hpp"
#include "bentwood/geometry/membership.hpp"

namespace bentwood::kernels {

/// One of the operations of FactorKernels; null stands for "the points themselves".
using Operation = Kernel FactorKernels::*;

/// Runs a kernel over all rows and factors: name the inputs, then ask for the kind of output.
///
///   RowOperation(signature, coordinates).x(points).y(others).column(&FactorKernels::distance)
///
/// Brings points and vectors to canonical form block by block, checks them on the way, and throws
/// InvalidInput for the first row that is off the manifold, has a vector that is not tangent, or has a
/// result that the output coordinates cannot hold.
class RowOperation {
 public:
  RowOperation(const Signature& signature, Coordinates coordinates)
      : signature_(signature), coordinates_(coordinates) {}

  RowOperation& x(Points points);
  RowOperation& y(Points points);
  /// Vectors at x, in the coordinates.
  RowOperation& vectors(MatrixView vectors);
  /// More vectors at x, which the kernel finds in y.
  RowOperation& other_vectors(MatrixView vectors);
  /// One direction in the tangent space at the origin, the same for all rows.
  RowOperation& directions(std::span<const double> direction);
  /// One time for all rows, or one a row.
  RowOperation& times(std::span<const double> times);
  /// Times that another kernel computes from x and y.
  RowOperation& times_from(Operation operation);

  /// Points in some coordinates.
  [[nodiscard]] Matrix points(Operation operation, Coordinates target);
  enum class Base { x, y };
  /// Vectors at x or y, in the coordinates.
  [[nodiscard]] Matrix vectors_at(Base base, Operation operation);
  /// One column a factor.
  [[nodiscard]] Matrix column(Operation operation);
  /// dim() natural coordinates.
  [[nodiscard]] Matrix natural();
  /// Canonical points, factor after factor.
  [[nodiscard]] Matrix canonical();

 private:
  enum class Kind { points, vectors, column, natural, canonical };
  struct Output {
    Kind kind = Kind::column;
    Operation operation = nullptr;
    Coordinates coordinates = Coordinates::ambient;
    Base base = Base::x;
  };
  struct Failures;
  struct Task;

  [[nodiscard]] Matrix run(const Output& output) const;
  [[nodiscard]] std::size_t output_width(const Output& output, const Factor& factor) const;
  void check_widths() const;
  void throw_failures(const Failures& failures, const Output& output) const;
  void load_inputs(Task& task) const;
  void load_points(Points points, double* canonical, Task& task) const;
  void load_vectors(MatrixView vectors, double* canonical, Task& task) const;
  void load_direction(Task& task) const;
  void load_times(Task& task) const;
  /// Leaves the result of one factor in task.result.
  void compute(const Output& output, Task& task) const;
  void check_result(const Output& output, std::size_t width, Task& task) const;

  const Signature& signature_;
  Coordinates coordinates_;
  std::optional<Points> x_;
  std::optional<Points> y_;
  std::optional<MatrixView> vectors_;
  std::optional<MatrixView> other_vectors_;
  std::span<const double> direction_;
  std::span<const double> times_;
  Operation times_from_ = nullptr;
};

/// Why a point of a factor has no such coordinates.
[[nodiscard]] std::string no_coordinates(const Factor& factor, Coordinates coordinates);

/// Throws InvalidInput for points off the manifold; `what` starts the name of a row ("row", "row of y").
void require_on_manifold(const Signature& signature, Coordinates coordinates, Points points,
                         std::string_view what);

}  // namespace bentwood::kernels
