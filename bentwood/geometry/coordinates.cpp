#include "bentwood/geometry/coordinates.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "bentwood/base/error.hpp"

namespace bentwood {
namespace {

constexpr std::array<std::pair<std::string_view, Coordinates>, 5> names{{
    {"ambient", Coordinates::ambient},
    {"poincare", Coordinates::poincare},
    {"klein", Coordinates::klein},
    {"tangent", Coordinates::tangent},
    {"stereographic", Coordinates::poincare},
}};

}  // namespace

Coordinates parse_coordinates(std::string_view name) {
  for (const auto& [known, coordinates] : names) {
    if (name == known) {
      return coordinates;
    }
  }
  throw InvalidInput(fmt::format(
      "unknown coordinates \"{}\", expected \"ambient\", \"poincare\" (or \"stereographic\"), "
      "\"klein\" or \"tangent\"",
      name));
}

std::string_view name(Coordinates coordinates) {
  for (const auto& [known, candidate] : names) {
    if (candidate == coordinates) {
      return known;
    }
  }
  return "";
}

std::size_t n_columns(const Factor& factor, Coordinates coordinates) {
  return coordinates == Coordinates::ambient ? factor.ambient_dim() : factor.dim;
}

std::size_t n_columns(const Signature& signature, Coordinates coordinates) {
  return coordinates == Coordinates::ambient ? signature.ambient_dim() : signature.dim();
}

}  // namespace bentwood
