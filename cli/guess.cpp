#include "cli/guess.hpp"

#include <fmt/format.h>

#include <cmath>
#include <optional>

#include "bentwood/base/error.hpp"
#include "bentwood/geometry/signature.hpp"

namespace bentwood::cli {
namespace {

bool holds_all(const Signature& signature, Coordinates coordinates, Points points) {
  const Membership membership = check_membership(signature, coordinates, points);
  return membership.all_on();
}

/// The signature of curvature 1/square, if all points lie on it. Files hold rounded numbers, so the
/// curvature is tried with few digits first: -0.5 rather than -0.49999999.
std::optional<Guess> guess_ambient(char letter, std::size_t dim, double square, Points points) {
  if (!std::isfinite(square) || square == 0) {
    return std::nullopt;
  }
  for (const int digits : {2, 6, 17}) {
    const std::string curvature = fmt::format("{:.{}g}", 1 / square, digits);
    try {
      const Signature signature(fmt::format("{}{}({})", letter, dim, curvature));
      if (holds_all(signature, Coordinates::ambient, points)) {
        return Guess{signature.text(), Coordinates::ambient};
      }
    } catch (const InvalidInput&) {
      return std::nullopt;
    }
  }
  return std::nullopt;
}

}  // namespace

std::vector<Guess> guess_signatures(Points points) {
  std::vector<Guess> guesses;
  const std::size_t n_cols = points.rows.n_cols();
  // Few points lie on some sphere by accident.
  if (n_cols == 0 || points.rows.n_rows() <= n_cols + 1) {
    return guesses;
  }
  double spatial_square = 0;
  for (std::size_t col = 1; col < n_cols; ++col) {
    spatial_square += points.rows(0, col) * points.rows(0, col);
  }
  const double first_square = points.rows(0, 0) * points.rows(0, 0);
  if (n_cols >= 2) {
    if (auto guess = guess_ambient('H', n_cols - 1, spatial_square - first_square, points)) {
      guesses.push_back(*guess);
    }
    if (auto guess = guess_ambient('S', n_cols - 1, spatial_square + first_square, points)) {
      guesses.push_back(*guess);
    }
  }
  const Signature ball(fmt::format("H{}", n_cols));
  if (guesses.empty() && holds_all(ball, Coordinates::poincare, points)) {
    guesses.push_back({ball.text(), Coordinates::poincare});
  }
  return guesses;
}

}  // namespace bentwood::cli
