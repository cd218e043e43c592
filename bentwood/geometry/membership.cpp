#include "bentwood/geometry/membership.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "bentwood/base/error.hpp"
#include "bentwood/geometry/kernels/blocks.hpp"

namespace bentwood {
namespace {

using kernels::Block;
using kernels::Buffer;
using kernels::RowRange;
using kernels::Slot;

void check_columns(const Signature& signature, Coordinates coordinates, MatrixView rows) {
  const std::size_t expected = n_columns(signature, coordinates);
  if (rows.n_cols() != expected) {
    throw InvalidInput(fmt::format("points have {} columns, but {} in {} coordinates has {}",
                                   rows.n_cols(), signature.text(), name(coordinates), expected));
  }
}

[[noreturn]] void throw_not_finite(MatrixView rows, const MessageStyle& style) {
  std::size_t count = 0;
  std::string first;
  for (std::size_t row = 0; row < rows.n_rows(); ++row) {
    for (std::size_t column = 0; column < rows.n_cols(); ++column) {
      const double value = rows(row, column);
      if (std::isfinite(value)) {
        continue;
      }
      if (count++ == 0) {
        first = fmt::format("{}, {}: found {}, expected a finite number", style.row_name(row),
                            style.column_name(column), value);
      }
    }
  }
  throw InvalidInput(count == 1 ? first
                                : fmt::format("{}; {} values are not finite", first, count));
}

/// The verdict on one row, folded into the counts of its factor.
void count_row(FactorMembership& factor, std::size_t row, double residual, double tolerance,
               bool imprecise) {
  if (std::isinf(residual)) {
    if (factor.n_hopeless++ == 0) {
      factor.first_hopeless = row;
    }
    return;
  }
  if (residual > tolerance) {
    if (factor.n_off++ == 0) {
      factor.first_off = row;
    }
    if (residual > factor.worst_residual) {
      factor.worst_residual = residual;
      factor.worst_row = row;
    }
    return;
  }
  factor.n_imprecise += imprecise ? 1 : 0;
}

/// How every row of every factor stands: one column a factor.
struct Standing {
  Matrix residuals;
  Matrix radii;
};

Standing standing(const Signature& signature, Coordinates coordinates, MatrixView points) {
  check_columns(signature, coordinates, points);
  const std::vector<Slot> slots = kernels::slots(signature, coordinates);
  Standing result{Matrix::uninitialized(points.n_rows(), slots.size()),
                  Matrix::uninitialized(points.n_rows(), slots.size())};
  kernels::for_each_block(
      points.n_rows(), [] { return 0; },
      [&](int, RowRange rows) {
        for (std::size_t factor = 0; factor < slots.size(); ++factor) {
          const Slot& slot = slots[factor];
          Buffer raw(slot.n_columns);
          Buffer canonical(slot.factor.dim + 1);
          Buffer residual(1);
          Buffer radius(1);
          kernels::gather(points, rows, slot.column, slot.n_columns, raw.data());
          Block block{.dim = slot.factor.dim, .curvature = slot.factor.curvature};
          block.x = raw.data();
          block.out = canonical.data();
          block.residual = residual.data();
          slot.kernels->from.at(static_cast<std::size_t>(coordinates))(block);
          block.x = canonical.data();
          block.out = radius.data();
          slot.kernels->radius(block);
          kernels::scatter(residual.data(), rows, factor, 1, result.residuals.view());
          kernels::scatter(radius.data(), rows, factor, 1, result.radii.view());
        }
      });
  return result;
}

std::span<const double> factor_part(const Slot& slot, MatrixView rows, std::size_t row) {
  return rows.row(row).subspan(slot.column, slot.n_columns);
}

double norm(std::span<const double> values) {
  double sum = 0;
  for (const double value : values) {
    sum += value * value;
  }
  return std::sqrt(sum);
}

std::string_view plural(std::size_t count) { return count == 1 ? "row is" : "rows are"; }

std::string describe_hopeless(const Slot& slot, Coordinates coordinates,
                              std::span<const double> point) {
  const std::string factor = slot.factor.name();
  if (slot.factor.geometry == Geometry::spherical) {
    if (coordinates == Coordinates::ambient && norm(point) == 0) {
      return fmt::format("the zero vector has no place on the sphere {}", factor);
    }
    return fmt::format("longer than 1.8e308 curvature radii of {}, more than float64 can hold",
                       factor);
  }
  if (coordinates == Coordinates::ambient && point[0] <= 0) {
    return fmt::format("not on the upper sheet of the hyperboloid {}: x_0 = {}, expected x_0 > 0",
                       factor, point[0]);
  }
  return fmt::format(
      "farther than 350 curvature radii from the origin of {}, more than float64 can hold", factor);
}

std::string describe_off(const Slot& slot, Coordinates coordinates, Precision precision,
                         std::span<const double> point) {
  const std::string factor = slot.factor.name();
  const double radius = slot.factor.radius();
  const double tolerance = residual_tolerance(slot.factor, coordinates, precision);
  if (slot.factor.geometry == Geometry::spherical) {
    return fmt::format("off the sphere {}: |x| = {:.6g}, expected {:.6g} within {:.1e} of it",
                       factor, norm(point), radius, tolerance);
  }
  if (coordinates == Coordinates::ambient) {
    const double spatial = norm(point.subspan(1));
    const double form = spatial * spatial - point[0] * point[0];
    return fmt::format(
        "off the hyperboloid {}: <x,x> = {:.12g}, expected {:.6g} (x_0 = {:.6g}, expected {:.6g} "
        "within {:.1e} of it)",
        factor, form, -radius * radius, point[0], std::hypot(radius, spatial), tolerance);
  }
  return fmt::format("outside the {} ball of {}: norm {:.6g}, expected below {:.6g}",
                     coordinates == Coordinates::klein ? "Klein" : "Poincare", factor, norm(point),
                     radius);
}

}  // namespace

double epsilon(Precision precision) {
  switch (precision) {
    case Precision::float64:
      return 0x1p-52;
    case Precision::float32:
      return 0x1p-23;
    case Precision::float16:
      break;
  }
  return 0x1p-10;
}

std::string_view name(Precision precision) {
  switch (precision) {
    case Precision::float64:
      return "float64";
    case Precision::float32:
      return "float32";
    case Precision::float16:
      break;
  }
  return "float16";
}

OffManifold parse_off_manifold(std::string_view name) {
  if (name == "error") {
    return OffManifold::error;
  }
  if (name == "project") {
    return OffManifold::project;
  }
  throw InvalidInput(
      fmt::format("unknown off_manifold \"{}\", expected \"error\" or \"project\"", name));
}

bool Membership::all_on() const {
  return std::ranges::all_of(factors, [](const FactorMembership& factor) {
    return factor.n_off == 0 && factor.n_hopeless == 0;
  });
}

MessageStyle default_message_style() {
  return {[](std::size_t row) { return fmt::format("row {}", row); },
          [](std::size_t column) { return fmt::format("column {}", column); },
          "project the points first"};
}

double residual_tolerance(const Factor& factor, Coordinates coordinates, Precision precision) {
  const bool ball = factor.geometry == Geometry::hyperbolic &&
                    (coordinates == Coordinates::poincare || coordinates == Coordinates::klein);
  return ball ? 0 : 64 * epsilon(precision) * static_cast<double>(factor.ambient_dim());
}

Matrix residuals(const Signature& signature, Coordinates coordinates, MatrixView points) {
  return standing(signature, coordinates, points).residuals;
}

double useful_radius(Coordinates coordinates, Precision precision) {
  switch (coordinates) {
    case Coordinates::poincare:
      return std::log(0.08 / epsilon(precision));
    case Coordinates::klein:
      return 0.5 * std::log(0.16 / epsilon(precision));
    case Coordinates::ambient:
    case Coordinates::tangent:
      break;
  }
  return std::log(0.04 / epsilon(precision));
}

Membership check_membership(const Signature& signature, Coordinates coordinates, Points points,
                            const MessageStyle& style) {
  const auto [off, radii] = standing(signature, coordinates, points.rows);
  const std::vector<Factor>& factors = signature.factors();
  Membership result{std::vector<FactorMembership>(factors.size())};
  for (std::size_t index = 0; index < factors.size(); ++index) {
    const Factor& factor = factors[index];
    const double tolerance = residual_tolerance(factor, coordinates, points.precision);
    const double useful = factor.geometry == Geometry::hyperbolic
                              ? useful_radius(coordinates, points.precision) * factor.radius()
                              : std::numeric_limits<double>::infinity();
    for (std::size_t row = 0; row < off.n_rows(); ++row) {
      if (std::isnan(off(row, index))) {
        throw_not_finite(points.rows, style);
      }
      count_row(result.factors[index], row, off(row, index), tolerance, radii(row, index) > useful);
    }
  }
  return result;
}

std::string offence(const Signature& signature, Coordinates coordinates, Points points,
                    const Membership& membership, OffManifold policy, const MessageStyle& style) {
  const std::vector<Slot> slots = kernels::slots(signature, coordinates);
  for (std::size_t index = 0; index < slots.size(); ++index) {
    const FactorMembership& factor = membership.factors[index];
    const Slot& slot = slots[index];
    if (factor.n_hopeless > 0) {
      const auto point = factor_part(slot, points.rows, factor.first_hopeless);
      return fmt::format("{}: {}; {} {} like this", style.row_name(factor.first_hopeless),
                         describe_hopeless(slot, coordinates, point), factor.n_hopeless,
                         plural(factor.n_hopeless));
    }
    if (factor.n_off > 0 && policy == OffManifold::error) {
      const auto point = factor_part(slot, points.rows, factor.first_off);
      std::string worst;
      if (factor.n_off > 1) {
        worst = fmt::format(", {} by {:.2g} of the radius the farthest",
                            style.row_name(factor.worst_row), factor.worst_residual);
      }
      return fmt::format("{}: {}; {} {} off{}; {}", style.row_name(factor.first_off),
                         describe_off(slot, coordinates, points.precision, point), factor.n_off,
                         plural(factor.n_off), worst, style.projection_hint);
    }
  }
  return "";
}

std::string precision_warning(const Signature& signature, Coordinates coordinates, Points points,
                              const Membership& membership) {
  for (std::size_t index = 0; index < membership.factors.size(); ++index) {
    const std::size_t count = membership.factors[index].n_imprecise;
    if (count > 0) {
      const double share =
          100.0 * static_cast<double>(count) / static_cast<double>(points.rows.n_rows());
      return fmt::format(
          "{:.3g} % of the rows lie farther than {:.1f} curvature radii from the origin of {}, "
          "where "
          "{} {} coordinates cannot tell points 0.01 radii apart",
          share, useful_radius(coordinates, points.precision), signature.factors()[index].name(),
          name(points.precision), name(coordinates));
    }
  }
  return "";
}

}  // namespace bentwood
