#include "bentwood/grow/projection.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>

#include "bentwood/base/error.hpp"

namespace bentwood {
namespace {

constexpr std::array<std::string_view, 3> projection_names{"guided", "sparse", "axis"};

double sign(NodeRandom& random) { return random.below(2) == 0 ? 1 : -1; }

/// A rank below `n_ranks`, of the geometric distribution.
std::size_t draw_rank(std::size_t n_ranks, NodeRandom& random) {
  constexpr double ratio = 0.6;
  for (;;) {
    // 1 - uniform is never 0.
    const double rank = std::floor(std::log(1 - uniform(random)) / std::log(ratio));
    if (rank < static_cast<double>(n_ranks)) {
      return static_cast<std::size_t>(rank);
    }
  }
}

/// A sum and its mirror image have the same clusters. Both among a node's candidates, rounding would choose between them.
void begin_above_zero(ProjectionTerms& terms) {
  if (terms.coefficients.front() < 0) {
    std::ranges::transform(terms.coefficients, terms.coefficients.begin(), std::negate());
  }
}

}  // namespace

Projection parse_projection(std::string_view name) {
  const auto* const found = std::ranges::find(projection_names, name);
  if (found == projection_names.end()) {
    throw InvalidInput(
        fmt::format("projection is \"{}\", expected \"guided\", \"sparse\" or \"axis\"", name));
  }
  return static_cast<Projection>(found - projection_names.begin());
}

std::string_view name(Projection projection) {
  return projection_names.at(static_cast<std::size_t>(projection));
}

void draw_guided(std::span<const std::uint32_t> ranking, std::span<const double> scales,
                 NodeRandom& random, ProjectionTerms& terms) {
  terms.clear();
  const std::size_t n_ranks = std::min(ranking.size(), longest_ranking);
  const double share = uniform(random);
  const std::size_t n_terms = std::min<std::size_t>(n_ranks, share < 0.2   ? 1
                                                             : share < 0.5 ? 2
                                                             : share < 0.8 ? 3
                                                                           : 4);
  while (terms.columns.size() < n_terms) {
    const std::uint32_t column = ranking[draw_rank(n_ranks, random)];
    const auto place = std::ranges::lower_bound(terms.columns, column);
    if (place == terms.columns.end() || *place != column) {
      terms.columns.insert(place, column);
    }
  }
  for (const std::uint32_t column : terms.columns) {
    // The reciprocals of the smallest numbers are beyond the largest.
    constexpr double most = std::numeric_limits<double>::max();
    terms.coefficients.push_back(n_terms == 1 ? 1
                                              : sign(random) * std::min(1 / scales[column], most));
  }
  begin_above_zero(terms);
}

void draw_sparse(std::size_t n_columns, double density, NodeRandom& random,
                 ProjectionTerms& terms) {
  terms.clear();
  const auto n = static_cast<double>(n_columns);
  const double log_out = std::log1p(-density);
  // The columns that are passed over until the next one that is in: a geometric number. The first one is drawn given that there is one:
  // drawn anew until there is, sums of low density would never come to an end.
  const auto passed = [&](double share) {
    return density < 1 ? std::floor(std::log1p(-uniform(random) * share) / log_out) : 0;
  };
  for (double column = std::min(passed(-std::expm1(n * log_out)), n - 1); column < n;
       column += 1 + passed(1)) {
    terms.columns.push_back(static_cast<std::uint32_t>(column));
    terms.coefficients.push_back(sign(random));
  }
  begin_above_zero(terms);
}

}  // namespace bentwood
