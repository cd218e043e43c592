#pragma once

#include <array>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bentwood/geometry/coordinates.hpp"
#include "bentwood/geometry/signature.hpp"
#include "cli/guess.hpp"
#include "cli/points_file.hpp"

namespace bentwood::cli {

struct ColumnFacts {
  std::string name;
  bool numeric = false;
  /// Of the finite numbers; meaningless for text.
  double smallest = 0;
  double largest = 0;
  std::size_t n_not_finite = 0;
};

struct LabelFacts {
  std::string column;
  /// Each label with its rows, most frequent first.
  std::vector<std::pair<std::string, std::size_t>> counts;
};

inline constexpr std::array<double, 6> radius_shares{0, 0.25, 0.5, 0.75, 0.95, 1};

struct FactorFacts {
  std::string name;
  FactorMembership membership;
  /// Distances from the origin at `radius_shares` of the rows that are on the manifold; empty if
  /// none is.
  std::vector<double> radii;
};

struct ManifoldFacts {
  std::string signature;
  Coordinates coordinates = Coordinates::ambient;
  std::size_t n_on = 0;
  std::vector<FactorFacts> factors;
  /// What is wrong with the first row off the manifold; empty where there is none.
  std::string problem;
  /// About rows near the limit of precision; empty where there are none.
  std::string warning;
};

/// Everything `bentwood inspect` says about a file.
struct Report {
  std::string source;
  std::size_t n_rows = 0;
  std::vector<ColumnFacts> columns;
  std::optional<LabelFacts> label;
  std::optional<ManifoldFacts> manifold;
  /// Where no signature was given: those that would fit.
  std::vector<Guess> guesses;
};

/// Without a signature the facts of the table and guesses. Throws InvalidInput where the points
/// have another number of columns or are not finite.
[[nodiscard]] Report make_report(const PointsFile& file, const std::optional<Signature>& signature,
                                 Coordinates coordinates);

[[nodiscard]] std::string report_text(const Report& report);
[[nodiscard]] nlohmann::ordered_json report_json(const Report& report);

}  // namespace bentwood::cli
