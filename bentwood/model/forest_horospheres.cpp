#include "bentwood/model/forest_horospheres.hpp"

#include <fmt/format.h>

#include <cmath>

#include "bentwood/base/error.hpp"

namespace bentwood {

ForestHorospheres forest_horospheres(const Forest& forest, std::size_t place) {
  const std::vector<PolarPlace>& places = forest.columns.polar_places();
  if (place >= places.size()) {
    throw InvalidInput(fmt::format("the model cuts horospheres of {} hyperbolic factors, not of {}",
                                   places.size(), place + 1));
  }
  ForestHorospheres result;
  const auto n_trees = static_cast<double>(forest.n_cutting_trees());
  std::vector<double> components;
  for (std::size_t number = 0; number < forest.trees.size(); ++number) {
    const Tree& tree = forest.trees[number];
    for (std::size_t node = 0; node < tree.nodes.size(); ++node) {
      const TreeNode& at = tree.nodes[node];
      if (at.is_leaf() || static_cast<std::size_t>(at.column) < forest.columns.size()) {
        continue;
      }
      const std::size_t own = static_cast<std::size_t>(at.column) - forest.columns.size();
      if (polar_place_of(tree.own, own, places) != place) {
        continue;
      }
      result.trees.push_back(static_cast<std::int64_t>(number));
      result.nodes.push_back(static_cast<std::int64_t>(node));
      const std::span<const double> ideal = tree.own.coefficients_of(own);
      components.insert(components.end(), ideal.begin(), ideal.end());
      result.levels.push_back(std::log(at.threshold));
      result.importances.push_back(tree.own.gains[own] / n_trees);
    }
  }
  result.ideal_points = Matrix(result.trees.size(), places[place].dim, components);
  return result;
}

}  // namespace bentwood
