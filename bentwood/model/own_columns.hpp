#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "bentwood/geometry/columns.hpp"

namespace bentwood {

/// The kinds of columns that a node can make for itself. All of them are lines. The numbers are those of the model file.
enum class OwnColumnKind : std::uint32_t {
  /// exp(B_w), B_w the Busemann function of an ideal point w of one hyperbolic factor in curvature radii (geometry/polar.hpp). Its
  /// coefficients are w, its places those of the factor's direction in a row; what else it needs lies behind them.
  horosphere = 0,
  /// A sum of the forest's columns, all of them lines: its places are theirs, in ascending order.
  oblique = 1,
};

/// Σ coefficient · number, the number of a place being number(place). In the order of the terms: training and prediction
/// must round alike.
template <class Number>
[[nodiscard]] double oblique_value(std::span<const std::uint32_t> places,
                                   std::span<const double> coefficients, Number number) {
  double sum = 0;
  for (std::size_t term = 0; term < places.size(); ++term) {
    sum += coefficients[term] * number(places[term]);
  }
  return sum;
}

/// The columns that the nodes of one tree have made for themselves, one after the other. A column is a kind and a list of terms: a
/// place in a row as `Columns::values` has it, and a coefficient.
struct OwnColumns {
  std::vector<OwnColumnKind> kinds;
  /// Where the terms of each column begin, and where those of the last end; empty where there is none.
  std::vector<std::uint32_t> term_begins;
  std::vector<std::uint32_t> places;
  std::vector<double> coefficients;
  /// What each did for its tree: its share of the decrease in impurity, counted as importances are.
  std::vector<double> gains;

  [[nodiscard]] std::size_t size() const { return kinds.size(); }
  [[nodiscard]] bool empty() const { return kinds.empty(); }
  /// The terms of a column.
  [[nodiscard]] std::span<const std::uint32_t> places_of(std::size_t column) const {
    return std::span(places).subspan(term_begins[column],
                                     term_begins[column + 1] - term_begins[column]);
  }
  [[nodiscard]] std::span<const double> coefficients_of(std::size_t column) const {
    return std::span(coefficients)
        .subspan(term_begins[column], term_begins[column + 1] - term_begins[column]);
  }

  /// The number of a row in a column.
  [[nodiscard]] double value(std::size_t column, const double* row) const {
    return kinds[column] == OwnColumnKind::horosphere
               ? horosphere_level(row + places[term_begins[column]], coefficients_of(column))
               : oblique_value(places_of(column), coefficients_of(column),
                               [row](std::uint32_t place) { return row[place]; });
  }

  /// Adds the horosphere column of a unit vector.
  void add_horosphere(const PolarPlace& place, std::span<const double> ideal, double gain);
  /// Adds a sum of columns.
  void add_oblique(std::span<const std::uint32_t> columns, std::span<const double> weights,
                   double gain);

  friend bool operator==(const OwnColumns&, const OwnColumns&) = default;
};

/// Throws FormatError unless every column can be computed: kinds that exist, as many of everything as there must be, terms where a row
/// has what they ask for, unit vectors, all numbers finite. `columns` are the forest's.
void check_own_columns(const OwnColumns& own, std::span<const Column> columns,
                       std::span<const PolarPlace> polar_places);

/// The factor whose points a horosphere column measures, as a place in `polar_places`. Requires a column that has been checked.
[[nodiscard]] std::size_t polar_place_of(const OwnColumns& own, std::size_t column,
                                         std::span<const PolarPlace> polar_places);

}  // namespace bentwood
