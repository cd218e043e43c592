#include "bentwood/geometry/columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <span>
#include <utility>

#include "bentwood/base/error.hpp"
#include "bentwood/base/parallel.hpp"
#include "bentwood/geometry/row_operation.hpp"

namespace bentwood {
namespace {

constexpr std::size_t rows_a_block = 4096;

/// The natural coordinates of all factors but those of one geometry, if any is left out.
void add_axis_columns(const Manifold& manifold, std::optional<Geometry> left_out,
                      std::vector<Column>& columns) {
  const auto& factors = manifold.signature().factors();
  for (std::size_t factor = 0; factor < factors.size(); ++factor) {
    const Geometry geometry = factors[factor].geometry;
    if (geometry == left_out) {
      continue;
    }
    const ColumnKind kind = geometry == Geometry::spherical ? ColumnKind::circle : ColumnKind::line;
    for (std::size_t axis = 1; axis <= factors[factor].dim; ++axis) {
      columns.push_back({kind, ColumnFamily::geodesic, factor, axis, 0});
    }
  }
}

void add_pair_columns(const Manifold& manifold, std::vector<Column>& columns) {
  const auto& factors = manifold.signature().factors();
  for (std::size_t factor = 0; factor < factors.size(); ++factor) {
    for (std::size_t first = 1; first <= factors[factor].dim; ++first) {
      for (std::size_t second = first + 1; second <= factors[factor].dim; ++second) {
        columns.push_back({ColumnKind::circle, ColumnFamily::pairs, factor, first, second});
      }
    }
  }
}

void add_chordal_columns(const Manifold& manifold, std::vector<Column>& columns) {
  const auto& factors = manifold.signature().factors();
  for (std::size_t factor = 0; factor < factors.size(); ++factor) {
    for (std::size_t axis = 0;
         factors[factor].geometry == Geometry::spherical && axis <= factors[factor].dim; ++axis) {
      columns.push_back({ColumnKind::line, ColumnFamily::chordal, factor, axis, 0});
    }
  }
}

/// The natural coordinates that families of columns leave out.
std::optional<Geometry> left_out_by(const std::vector<ColumnFamily>& families) {
  switch (families.front()) {
    case ColumnFamily::horosphere:
      return Geometry::hyperbolic;
    case ColumnFamily::chordal:
      return Geometry::spherical;
    default:
      return std::nullopt;
  }
}

/// What a family of columns needs to have something to cut.
struct Need {
  std::string_view factor;
  std::string_view for_what;
  std::string_view example;
};

Need need_of(ColumnFamily family) {
  switch (family) {
    case ColumnFamily::pairs:
      return {"factor of two dimensions", "pairs of axes", "H2"};
    case ColumnFamily::horosphere:
      return {"hyperbolic factor", "horospheres", "H2"};
    case ColumnFamily::chordal:
      return {"spherical factor", "chordal columns", "S2"};
    case ColumnFamily::geodesic:
      break;
  }
  return {"factor", "axes", "E1"};
}

bool has_use_for(const Factor& factor, ColumnFamily family) {
  switch (family) {
    case ColumnFamily::pairs:
      return factor.dim >= 2;
    case ColumnFamily::horosphere:
      return factor.geometry == Geometry::hyperbolic;
    case ColumnFamily::chordal:
      return factor.geometry == Geometry::spherical;
    case ColumnFamily::geodesic:
      break;
  }
  return true;
}

/// Where every factor begins in rows that have `width(factor)` numbers of each.
template <class Width>
std::vector<std::size_t> factor_begins(const Signature& signature, Width width) {
  std::vector<std::size_t> result{0};
  for (const Factor& factor : signature.factors()) {
    result.push_back(result.back() + width(factor));
  }
  return result;
}

}  // namespace

ColumnFamily parse_column_family(std::string_view name) {
  for (const ColumnFamily family : {ColumnFamily::geodesic, ColumnFamily::pairs,
                                    ColumnFamily::horosphere, ColumnFamily::chordal}) {
    if (name == bentwood::name(family)) {
      return family;
    }
  }
  throw InvalidInput(fmt::format(
      "splits has \"{}\", expected \"geodesic\", \"pairs\", \"horosphere\" or \"chordal\"", name));
}

std::string_view name(ColumnFamily family) {
  constexpr std::array<std::string_view, 4> names{"geodesic", "pairs", "horosphere", "chordal"};
  return names.at(static_cast<std::size_t>(family));
}

std::size_t Columns::n_importances(const Signature& signature,
                                   std::span<const ColumnFamily> families) {
  const auto has = [&](ColumnFamily family) {
    return std::ranges::find(families, family) != families.end();
  };
  const bool has_axes = has(ColumnFamily::geodesic) || has(ColumnFamily::pairs);
  const bool only_horospheres = !has_axes && has(ColumnFamily::horosphere);
  const bool only_chordal = !has_axes && !has(ColumnFamily::horosphere);
  std::size_t result = 0;
  for (const Factor& factor : signature.factors()) {
    const bool is_hyperbolic = factor.geometry == Geometry::hyperbolic;
    const bool is_spherical = factor.geometry == Geometry::spherical;
    const bool is_left_out = (is_hyperbolic && only_horospheres) || (is_spherical && only_chordal);
    result += is_left_out ? 0 : factor.dim;
    result += is_spherical && has(ColumnFamily::chordal) ? factor.dim + 1 : 0;
    result += has(ColumnFamily::pairs) ? factor.dim * (factor.dim - 1) / 2 : 0;
    result += is_hyperbolic && has(ColumnFamily::horosphere) ? std::size_t{1} : 0;
  }
  return result;
}

Columns::Columns(Manifold manifold, std::vector<ColumnFamily> families)
    : manifold_(std::move(manifold)), families_(std::move(families)) {
  if (families_.empty()) {
    throw InvalidInput(
        "splits is empty, expected \"geodesic\", \"pairs\", \"horosphere\" or \"chordal\"");
  }
  std::ranges::sort(families_);
  if (const auto twice = std::ranges::adjacent_find(families_); twice != families_.end()) {
    throw InvalidInput(fmt::format("splits has \"{}\" twice", bentwood::name(*twice)));
  }
  columns_.reserve(n_importances(manifold_.signature(), families_));
  add_axis_columns(manifold_, left_out_by(families_), columns_);
  if (has(ColumnFamily::pairs)) {
    add_pair_columns(manifold_, columns_);
  }
  if (has(ColumnFamily::chordal)) {
    add_chordal_columns(manifold_, columns_);
  }
  row_width_ = columns_.size();
  const auto& factors = manifold_.signature().factors();
  for (std::size_t factor = 0; has(ColumnFamily::horosphere) && factor < factors.size(); ++factor) {
    if (factors[factor].geometry == Geometry::hyperbolic) {
      polar_places_.push_back({factor, row_width_, factors[factor].dim});
      row_width_ += polar_places_.back().size();
    }
  }
}

bool Columns::has(ColumnFamily family) const {
  return std::ranges::find(families_, family) != families_.end();
}

std::string Columns::name(const Column& column) const {
  const std::string prefix = manifold_.signature().prefix(column.factor);
  switch (column.family) {
    case ColumnFamily::pairs:
      return fmt::format("{}.angle{}-{}", prefix, column.axis, column.second_axis);
    case ColumnFamily::chordal:
      return fmt::format("{}.x{}", prefix, column.axis);
    case ColumnFamily::geodesic:
    case ColumnFamily::horosphere:
      break;
  }
  const Geometry geometry = manifold_.signature().factors()[column.factor].geometry;
  return fmt::format("{}.{}{}", prefix, natural_coordinate(geometry), column.axis);
}

std::string Columns::horosphere_name(const PolarPlace& place) const {
  return manifold_.signature().prefix(place.factor) + ".horosphere";
}

Matrix Columns::values(Points points) const {
  const auto n_axes = static_cast<std::size_t>(
      std::ranges::count(columns_, ColumnFamily::geodesic, &Column::family));
  if (n_axes == manifold_.dim() && row_width_ == n_axes) {
    return manifold_.natural_coordinates(points);
  }
  Matrix result = Matrix::uninitialized(points.rows.n_rows(), row_width_);
  if (n_axes > 0) {
    write_axes(points, n_axes, result);
  }
  if (n_axes < size()) {
    write_ambient(points, n_axes, result);
  }
  if (!polar_places_.empty()) {
    write_polar_forms(points, result);
  }
  return result;
}

void Columns::write_axes(Points points, std::size_t n_axes, Matrix& result) const {
  const Matrix natural = manifold_.natural_coordinates(points);
  const std::vector<std::size_t> begins =
      factor_begins(manifold_.signature(), [](const Factor& factor) { return factor.dim; });
  parallel_blocks(result.n_rows(), rows_a_block, [&](std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row) {
      for (std::size_t column = 0; column < n_axes; ++column) {
        const Column& axis = columns_[column];
        result(row, column) = natural(row, begins[axis.factor] + axis.axis - 1);
      }
    }
  });
}

void Columns::write_ambient(Points points, std::size_t n_axes, Matrix& result) const {
  const Matrix ambient = manifold_.convert(points, manifold_.coordinates(), Coordinates::ambient);
  const std::vector<std::size_t> begins =
      factor_begins(manifold_.signature(),
                    [](const Factor& factor) { return n_columns(factor, Coordinates::ambient); });
  parallel_blocks(result.n_rows(), rows_a_block, [&](std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row) {
      const std::span<const double> point = ambient.row(row);
      for (std::size_t column = n_axes; column < size(); ++column) {
        const Column& wanted = columns_[column];
        const Factor& factor = manifold_.signature().factors()[wanted.factor];
        if (wanted.family == ColumnFamily::chordal) {
          result(row, column) = point[begins[wanted.factor] + wanted.axis] / factor.radius();
          continue;
        }
        const std::size_t axis_one = begins[wanted.factor + 1] - factor.dim;
        result(row, column) =
            std::atan2(point[axis_one + wanted.second_axis - 1], point[axis_one + wanted.axis - 1]);
      }
    }
  });
}

void Columns::write_polar_forms(Points points, Matrix& result) const {
  const Signature& signature = manifold_.signature();
  const Matrix canonical =
      kernels::RowOperation(signature, manifold_.coordinates()).x(points).canonical();
  const std::vector<std::size_t> begins = factor_begins(signature, kernels::canonical_columns);
  parallel_blocks(result.n_rows(), rows_a_block, [&](std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row) {
      for (const PolarPlace& place : polar_places_) {
        write_polar(canonical.row(row).subspan(begins[place.factor], place.dim + 1),
                    1 / signature.factors()[place.factor].radius(),
                    result.row(row).subspan(place.place, place.size()));
      }
    }
  });
}

std::string idle_splits(const Columns& columns) {
  const Signature& signature = columns.manifold().signature();
  std::string result;
  std::optional<ColumnFamily> first;
  std::size_t n_idle = 0;
  for (const ColumnFamily family : columns.families()) {
    if (std::ranges::any_of(signature.factors(), [family](const Factor& factor) {
          return has_use_for(factor, family);
        })) {
      continue;
    }
    const Need need = need_of(family);
    result += fmt::format("{}{} has no {}, and so no {}: \"{}\" among the splits does nothing",
                          n_idle == 0 ? "" : "; ", signature.text(), need.factor, need.for_what,
                          name(family));
    first = first.value_or(family);
    ++n_idle;
  }
  if (first && n_idle == columns.families().size()) {
    const Need need = need_of(*first);
    throw InvalidInput(fmt::format(
        "{} has no {}, and so no {}: expected one such as {}, or splits of another kind besides",
        signature.text(), need.factor, need.for_what, need.example));
  }
  return result;
}

}  // namespace bentwood
