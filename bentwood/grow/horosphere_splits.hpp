#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "bentwood/geometry/polar.hpp"

namespace bentwood {

/// Where a node looks for ideal points.
enum class IdealPoints : std::uint8_t {
  /// Classification: the horosphere SVMs of its classes and hyperclasses; a search where none of them can be cut. Regression: a search.
  svm,
  /// Directions at random and of the rows, and steps from the best of them.
  search,
  /// Both.
  both,
  /// The axes, there and back.
  axes,
};

/// Where a horosphere that an SVM found is cut.
enum class HorosphereThreshold : std::uint8_t {
  /// Where the impurity decreases most: the exact best cut along the Busemann function.
  gain,
  /// Where the SVM has its boundary.
  margin,
};

/// Reads "svm", "search", "both" or "axes"; "gain" or "margin". Throws InvalidInput that lists them.
[[nodiscard]] IdealPoints parse_ideal_points(std::string_view name);
[[nodiscard]] HorosphereThreshold parse_horosphere_threshold(std::string_view name);

/// How nodes make horospheres (Doorenbos, Márquez-Neila, Sznitman, Mettes, "Hyperbolic Random Forests", TMLR 2024, section 3).
struct HorosphereSplits {
  /// The hyperbolic factors, as rows carry them; none: no horospheres.
  std::vector<PolarPlace> places{};
  IdealPoints ideal_points = IdealPoints::svm;
  HorosphereThreshold threshold = HorosphereThreshold::gain;
  /// Whether classes that belong together are also told from the others at once.
  bool hyperclasses = true;
  /// β of the SVMs' class balance, from 0 (none) to 1; see balanced_weight.
  double balance = 0;
  /// Directions that a search begins with, and steps that follow.
  std::size_t n_candidates = 60;
  std::size_t n_steps = 40;
};

}  // namespace bentwood
