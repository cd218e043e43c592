#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "bentwood/base/matrix.hpp"
#include "bentwood/model/forest.hpp"

namespace bentwood {

/// The horospheres that the trees of a forest cut in one hyperbolic factor: what they do, node by node.
struct ForestHorospheres {
  std::vector<std::int64_t> trees;
  std::vector<std::int64_t> nodes;
  /// A unit vector each.
  Matrix ideal_points;
  /// Where the Busemann function is cut, in curvature radii; less goes left.
  std::vector<double> levels;
  /// What each adds to the importance of the factor's horospheres, which is the sum of all.
  std::vector<double> importances;
};

/// `place` counts the hyperbolic factors (Columns::polar_places). Throws InvalidInput where the forest cuts no horospheres there. O(nodes).
[[nodiscard]] ForestHorospheres forest_horospheres(const Forest& forest, std::size_t place);

}  // namespace bentwood
