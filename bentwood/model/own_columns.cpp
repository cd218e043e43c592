#include "bentwood/model/own_columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "bentwood/base/error.hpp"

namespace bentwood {
namespace {

[[noreturn]] void fail(std::size_t column, const std::string& problem) {
  throw FormatError(fmt::format("own column {}: {}", column, problem));
}

void check_sizes(const OwnColumns& own) {
  const std::size_t n_begins = own.empty() && own.term_begins.empty() ? 0 : own.size() + 1;
  const std::size_t n_terms = own.term_begins.empty() ? 0 : own.term_begins.back();
  if (own.term_begins.size() != n_begins || own.gains.size() != own.size() ||
      own.places.size() != n_terms || own.coefficients.size() != n_terms ||
      (n_begins > 0 && own.term_begins.front() != 0) || !std::ranges::is_sorted(own.term_begins)) {
    throw FormatError(fmt::format(
        "{} own columns have {} gains and {} begins of {} places and {} coefficients", own.size(),
        own.gains.size(), own.term_begins.size(), own.places.size(), own.coefficients.size()));
  }
}

void check_horosphere(const OwnColumns& own, std::size_t column,
                      std::span<const PolarPlace> polar_places) {
  const std::span<const std::uint32_t> places = own.places_of(column);
  const auto fits = [&](const PolarPlace& polar) {
    return polar.dim == places.size() && polar.place == places.front();
  };
  bool in_a_row = !places.empty() && std::ranges::any_of(polar_places, fits);
  for (std::size_t term = 1; term < places.size(); ++term) {
    in_a_row = in_a_row && places[term] == places.front() + term;
  }
  if (!in_a_row) {
    fail(column, "its places are not those of a hyperbolic factor");
  }
  double squared = 0;
  for (const double component : own.coefficients_of(column)) {
    squared += component * component;
  }
  if (!(std::abs(squared - 1) < 1e-9)) {
    fail(column, fmt::format("its ideal point has length {}, expected 1", std::sqrt(squared)));
  }
}

void check_oblique(const OwnColumns& own, std::size_t column, std::span<const Column> columns) {
  const std::span<const std::uint32_t> places = own.places_of(column);
  const auto is_line = [&](std::uint32_t place) {
    return place < columns.size() && columns[place].kind == ColumnKind::line;
  };
  if (places.empty() || !std::ranges::all_of(places, is_line) ||
      std::ranges::adjacent_find(places, std::ranges::greater_equal()) != places.end()) {
    fail(column, "its places are not columns that are lines, in ascending order");
  }
  if (!std::ranges::all_of(own.coefficients_of(column),
                           [](double weight) { return std::isfinite(weight); })) {
    fail(column, "a coefficient is not finite");
  }
}

}  // namespace

void OwnColumns::add_oblique(std::span<const std::uint32_t> columns,
                             std::span<const double> weights, double gain) {
  if (term_begins.empty()) {
    term_begins.push_back(0);
  }
  kinds.push_back(OwnColumnKind::oblique);
  places.insert(places.end(), columns.begin(), columns.end());
  coefficients.insert(coefficients.end(), weights.begin(), weights.end());
  term_begins.push_back(static_cast<std::uint32_t>(coefficients.size()));
  gains.push_back(gain);
}

void OwnColumns::add_horosphere(const PolarPlace& place, std::span<const double> ideal,
                                double gain) {
  if (term_begins.empty()) {
    term_begins.push_back(0);
  }
  kinds.push_back(OwnColumnKind::horosphere);
  for (std::size_t axis = 0; axis < ideal.size(); ++axis) {
    places.push_back(static_cast<std::uint32_t>(place.place + axis));
  }
  coefficients.insert(coefficients.end(), ideal.begin(), ideal.end());
  term_begins.push_back(static_cast<std::uint32_t>(coefficients.size()));
  gains.push_back(gain);
}

void check_own_columns(const OwnColumns& own, std::span<const Column> columns,
                       std::span<const PolarPlace> polar_places) {
  check_sizes(own);
  for (std::size_t column = 0; column < own.size(); ++column) {
    if (!std::isfinite(own.gains[column])) {
      fail(column, "its gain is not finite");
    }
    switch (own.kinds[column]) {
      case OwnColumnKind::horosphere:
        check_horosphere(own, column, polar_places);
        break;
      case OwnColumnKind::oblique:
        check_oblique(own, column, columns);
        break;
      default:
        fail(column, fmt::format("its kind is {}, which this version does not know",
                                 static_cast<std::uint32_t>(own.kinds[column])));
    }
  }
}

std::size_t polar_place_of(const OwnColumns& own, std::size_t column,
                           std::span<const PolarPlace> polar_places) {
  const std::uint32_t place = own.places_of(column).front();
  return static_cast<std::size_t>(
      std::ranges::find(polar_places, std::size_t{place}, &PolarPlace::place) -
      polar_places.begin());
}

}  // namespace bentwood
