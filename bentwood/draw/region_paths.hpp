#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "bentwood/draw/disk_cuts.hpp"
#include "bentwood/draw/tree_regions.hpp"

/// Regions in the language of SVG's path element.
namespace bentwood {

/// Where a plane lies on the canvas: the Poincaré disk of radius 1 or a window of E2, with y
/// upwards.
struct PlaneFrame {
  FlatMap map;
  /// The middle of the square on the canvas, and half its side, in pixels.
  double x = 0;
  double y = 0;
  double half_side = 1;

  /// Where a point of the drawn plane (not of the flat map) is on the canvas.
  [[nodiscard]] PlanePoint on_canvas(PlanePoint point) const;
  /// The point of the drawn plane at a place of the canvas.
  [[nodiscard]] PlanePoint at(PlanePoint canvas) const;
  /// The point of the drawn plane that is `flat` on the flat map.
  [[nodiscard]] PlanePoint drawn(PlanePoint flat) const;
};

/// The outline of a leaf's region: straight lines, arcs of the cuts' circles, arcs of the rim.
[[nodiscard]] std::string region_path(const PlaneFrame& frame, const LeafRegion& region,
                                      std::span<const HalfPlane> lines);

/// The line along which a node's cut divides what reaches the node.
[[nodiscard]] std::string cut_path(const PlaneFrame& frame, const CutLine& cut,
                                   std::span<const HalfPlane> lines);
/// The same of a cut in the disk.
[[nodiscard]] std::string cut_path(const PlaneFrame& frame, const DiskCut& cut);

/// What is drawn at the small squares of a grid, row by row from the top left.
struct RegionGrid {
  /// Squares in a row and in a column, and the side of one in pixels.
  std::size_t n_side = 0;
  double pixel = 1;
  /// The number of a colour, one a square.
  std::vector<std::size_t> colours;
};

/// One path a colour, empty where it is nowhere: the runs of equal squares, those that lie on top of
/// each other as one rectangle.
[[nodiscard]] std::vector<std::string> grid_paths(const PlaneFrame& frame, const RegionGrid& grid,
                                                  std::size_t n_colours);

}  // namespace bentwood
