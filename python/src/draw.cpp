#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

#include "bentwood/draw/disk_cuts.hpp"
#include "bentwood/draw/palette.hpp"
#include "bentwood/draw/tree_regions.hpp"
#include "bentwood/geometry/signature.hpp"
#include "python/src/arrays.hpp"
#include "python/src/bindings.hpp"
#include "python/src/runtime.hpp"
#include "python/src/trained_forest.hpp"

namespace bentwood::python {
namespace {

using nb::literals::operator""_a;
using Corner = std::pair<double, double>;

/// Whether a manifold is drawn as a disk, and its curvature radius.
std::pair<bool, double> plane_of(std::string_view signature) {
  const Signature parsed(signature);
  const bool hyperbolic = is_hyperbolic_plane(parsed);
  return {hyperbolic, parsed.factors().front().radius()};
}

constexpr std::size_t n_cut_numbers = 9;

void write_cut(std::uint32_t node, std::size_t depth, PlanePoint from, PlanePoint to,
               const PlaneCircle& circle, std::span<double> numbers) {
  const std::array<double, n_cut_numbers> all{static_cast<double>(node),
                                              static_cast<double>(depth),
                                              from.x,
                                              from.y,
                                              to.x,
                                              to.y,
                                              circle.centre.x,
                                              circle.centre.y,
                                              circle.radius};
  std::ranges::copy(all, numbers.begin());
}

/// The cuts of a tree where they divide what reaches their nodes, one a row: node, depth, ends (x, y, x, y) on the
/// Poincaré disk of radius 1 or the plane, centre and radius of the circle, NaN for a straight line.
OutputMatrix tree_cuts(const TrainedForest& self, std::size_t number, Corner low, Corner high) {
  const Columns& columns = self.forest->columns;
  const FlatMap map{is_hyperbolic_plane(columns.manifold().signature()),
                    {low.first, low.second},
                    {high.first, high.second}};
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  constexpr PlaneCircle no_circle{{none, none}, none};
  const Tree& tree = self.forest->trees.at(number);
  if (!tree.own.empty()) {
    const std::vector<DiskCut> cuts = compute([&] { return disk_cuts(tree, columns); });
    Matrix result(cuts.size(), n_cut_numbers);
    for (std::size_t row = 0; row < cuts.size(); ++row) {
      write_cut(cuts[row].node, cuts[row].depth, cuts[row].from, cuts[row].to,
                cuts[row].circle.value_or(no_circle), result.row(row));
    }
    return to_numpy(std::move(result));
  }
  const TreeRegions regions = compute([&] { return tree_regions(tree, columns, map); });
  Matrix result(regions.cuts.size(), n_cut_numbers);
  for (std::size_t row = 0; row < regions.cuts.size(); ++row) {
    const CutLine& cut = regions.cuts[row];
    PlaneCircle circle = no_circle;
    if (map.hyperbolic) {
      circle = poincare_circle(regions.lines[cut.node]).value_or(no_circle);
    }
    write_cut(cut.node, cut.depth, map.hyperbolic ? poincare_from_klein(cut.from) : cut.from,
              map.hyperbolic ? poincare_from_klein(cut.to) : cut.to, circle, result.row(row));
  }
  return to_numpy(std::move(result));
}

}  // namespace

void bind_draw(nb::module_& module) {
  module.def("plane_of", &plane_of, "signature"_a);
  module.def("tree_cuts", &tree_cuts, "forest"_a, "tree"_a, "low"_a, "high"_a);
  module.def(
      "class_colour", [](std::size_t label) { return std::string(class_colour(label)); },
      "label"_a);
  module.def(
      "class_mark", [](std::size_t label) { return static_cast<std::size_t>(class_mark(label)); },
      "label"_a);
}

}  // namespace bentwood::python
