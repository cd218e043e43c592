#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "bentwood/base/matrix.hpp"

namespace bentwood {

struct DiskPictureOptions {
  std::string title = "Points on the Poincaré disk";
  /// The names of the classes 0, 1, ... in the legend; empty for no legend.
  std::vector<std::string> class_names;
  /// Pairs of rows to join by geodesics, drawn as the circular arcs they are: in the colour of their
  /// class where both rows have the same, else grey.
  std::span<const std::array<std::size_t, 2>> edges;
  /// Empty, or one number a point: those that are not 0 have a ring around them.
  std::span<const std::uint8_t> ringed;
  /// What a ring means, in the legend: "wrong".
  std::string ring_name;
  /// The radius R of the disk the points are given in.
  double disk_radius = 1;
  /// Light circles at distances 1, 2, 3 R from the origin, and the geodesics of whole rapidities.
  bool grid = true;
  /// Width and height of the disk's square in pixels; the legend stands to its right.
  double size = 900;
};

/// The points of the hyperbolic plane in the Poincaré disk as an SVG document.
///
/// `points` has two columns; `labels` is empty or has the class of each row, which sets its colour
/// and its shape. Throws InvalidInput for a point outside the disk, a label or
/// edge out of range, or a wrong number of columns, labels or rings.
[[nodiscard]] std::string poincare_disk_picture(MatrixView points,
                                                std::span<const std::int64_t> labels,
                                                const DiskPictureOptions& options = {});

}  // namespace bentwood
