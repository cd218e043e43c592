#include "bentwood/geometry/columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "bentwood/base/error.hpp"
#include "bentwood/base/parallel.hpp"

namespace bentwood {
namespace {

constexpr std::size_t rows_a_block = 4096;

std::vector<Column> axis_columns(const Manifold& manifold) {
  std::vector<Column> columns;
  std::vector<std::string> names = manifold.natural_names();
  const auto& factors = manifold.signature().factors();
  for (std::size_t factor = 0; factor < factors.size(); ++factor) {
    const ColumnKind kind =
        factors[factor].geometry == Geometry::spherical ? ColumnKind::circle : ColumnKind::line;
    for (std::size_t axis = 1; axis <= factors[factor].dim; ++axis) {
      columns.push_back(
          {kind, ColumnFamily::geodesic, factor, axis, 0, std::move(names[columns.size()])});
    }
  }
  return columns;
}

void add_pair_columns(const Manifold& manifold, std::vector<Column>& columns) {
  const auto& factors = manifold.signature().factors();
  for (std::size_t factor = 0; factor < factors.size(); ++factor) {
    const std::string prefix = manifold.signature().prefix(factor);
    for (std::size_t first = 1; first <= factors[factor].dim; ++first) {
      for (std::size_t second = first + 1; second <= factors[factor].dim; ++second) {
        columns.push_back({ColumnKind::circle, ColumnFamily::pairs, factor, first, second,
                           fmt::format("{}.angle{}-{}", prefix, first, second)});
      }
    }
  }
}

/// The ambient column that holds axis 1 of each factor.
std::vector<std::size_t> first_axes(const Signature& signature) {
  std::vector<std::size_t> result;
  std::size_t column = 0;
  for (const Factor& factor : signature.factors()) {
    const std::size_t width = n_columns(factor, Coordinates::ambient);
    result.push_back(column + width - factor.dim);
    column += width;
  }
  return result;
}

}  // namespace

ColumnFamily parse_column_family(std::string_view name) {
  if (name == "geodesic") {
    return ColumnFamily::geodesic;
  }
  if (name == "pairs") {
    return ColumnFamily::pairs;
  }
  throw InvalidInput(fmt::format("splits has \"{}\", expected \"geodesic\" or \"pairs\"", name));
}

std::string_view name(ColumnFamily family) {
  return family == ColumnFamily::geodesic ? "geodesic" : "pairs";
}

Columns::Columns(Manifold manifold, std::vector<ColumnFamily> families)
    : manifold_(std::move(manifold)), families_(std::move(families)) {
  if (families_.empty()) {
    throw InvalidInput("splits is empty, expected \"geodesic\", \"pairs\" or both");
  }
  std::ranges::sort(families_);
  if (const auto twice = std::ranges::adjacent_find(families_); twice != families_.end()) {
    throw InvalidInput(fmt::format("splits has \"{}\" twice", name(*twice)));
  }
  columns_ = axis_columns(manifold_);
  if (families_.back() == ColumnFamily::pairs) {
    add_pair_columns(manifold_, columns_);
  }
}

Matrix Columns::values(Points points) const {
  Matrix natural = manifold_.natural_coordinates(points);
  const std::size_t n_axes = natural.n_cols();
  if (n_axes == size()) {
    return natural;
  }
  const Matrix ambient = manifold_.convert(points, manifold_.coordinates(), Coordinates::ambient);
  const std::vector<std::size_t> first = first_axes(manifold_.signature());
  Matrix result = Matrix::uninitialized(natural.n_rows(), size());
  parallel_blocks(result.n_rows(), rows_a_block, [&](std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row) {
      const std::span<double> target = result.row(row);
      std::ranges::copy(std::as_const(natural).row(row), target.begin());
      const std::span<const double> point = ambient.row(row);
      for (std::size_t column = n_axes; column < size(); ++column) {
        const Column& pair = columns_[column];
        const std::size_t axis_one = first[pair.factor];
        target[column] =
            std::atan2(point[axis_one + pair.second_axis - 1], point[axis_one + pair.axis - 1]);
      }
    }
  });
  return result;
}

}  // namespace bentwood
