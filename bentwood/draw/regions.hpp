#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bentwood/geometry/membership.hpp"
#include "bentwood/model/forest.hpp"

namespace bentwood {

/// Points to draw over the regions of a model, in the coordinates that the model takes.
struct RegionPoints {
  Points rows;
  /// The class of each row, by its number in the model; empty where it is not known.
  std::span<const std::int64_t> classes{};
  /// The true value of each row for a regression; empty where it is not known.
  std::span<const double> values{};
  /// Empty, or one number a point: those that are not 0 have a ring around them.
  std::span<const std::uint8_t> ringed{};
};

struct RegionPictureOptions {
  /// Empty: what the model is.
  std::string title{};
  /// The names of the classes in the legend, by their number in the model; empty: the model's own.
  std::vector<std::string> class_names{};
  /// What a ring means, in the legend of the classes: "wrong".
  std::string ring_name{};
  /// Only this tree of a forest, by its number from 0.
  std::optional<std::size_t> tree{};
  /// Which output of a regression, from 0.
  std::size_t output = 0;
  /// Whether a forest shows the cuts of all its trees. A single tree always shows its own.
  bool forest_cuts = false;
  /// The side of the squares in which the regions of a forest are found, in pixels.
  double pixel = 2;
  /// Width and height of the picture's square in pixels; the legend stands to its right.
  double size = 900;
};

/// What a model predicts, everywhere: its regions on the Poincaré disk (H2) or the plane (E2) as an
/// SVG document, with points above them and a legend.
///
/// The regions of one tree are exact: the outline of every leaf, and every cut as the curve it is
/// (a geodesic of H2 is an arc that meets the rim at right angles, or a diameter), drawn only where
/// it divides what reaches its node. Those of a forest, and of a tree that cuts horospheres (circles
/// that touch the rim), are what it predicts in the middle of the small squares of a grid; the cuts
/// are exact all the same. Classes have the colours of class_colour, values those of scale_colour.
/// This is figure 2 of Chlenski et al., "Fast Hyperboloid Decision Tree Algorithms", ICLR 2024, for
/// any curvature, family of cuts and number of trees.
///
/// Throws InvalidInput where the model is on another manifold than H2 or E2 or has no such tree or
/// output, and where points, classes, values, names or rings do not fit it.
[[nodiscard]] std::string region_picture(const Forest& forest, const RegionPoints& points,
                                         const RegionPictureOptions& options = {});

}  // namespace bentwood
