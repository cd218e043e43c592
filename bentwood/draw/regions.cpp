#include "bentwood/draw/regions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "bentwood/base/error.hpp"
#include "bentwood/base/parallel.hpp"
#include "bentwood/draw/axes.hpp"
#include "bentwood/draw/colouring.hpp"
#include "bentwood/draw/disk_cuts.hpp"
#include "bentwood/draw/marks.hpp"
#include "bentwood/draw/region_paths.hpp"
#include "bentwood/draw/svg.hpp"
#include "bentwood/infer/engine.hpp"
#include "bentwood/model/describe.hpp"

namespace bentwood {
namespace {

constexpr double header = 64;
constexpr double margin = 28;
/// Left of and below the plane, where its axes have their numbers.
constexpr double axis_margin = 34;
constexpr double legend_width = 200;
constexpr double smallest_size = 100;
/// Points must stand out from the region of their class.
constexpr double class_opacity = 0.32;

void check(const Forest& forest, const RegionPoints& points, const RegionPictureOptions& options) {
  const std::size_t n_trees = forest.trees.size();
  if (n_trees == 0) {
    throw InvalidInput("the forest has no trees");
  }
  if (options.tree && *options.tree >= n_trees) {
    throw InvalidInput(fmt::format("there is no tree {}: the model has {}, counted from 0",
                                   *options.tree, n_trees));
  }
  if (forest.task == Task::regression && options.output >= forest.width()) {
    throw InvalidInput(fmt::format("there is no output {}: the model has {}, counted from 0",
                                   options.output, forest.width()));
  }
  if (!(options.pixel > 0) || !(options.size >= smallest_size)) {
    throw InvalidInput(
        fmt::format("size is {} and pixel {}, expected at least {} and a positive number",
                    options.size, options.pixel, smallest_size));
  }
  if (forest.task == Task::classification && !options.class_names.empty() &&
      options.class_names.size() != forest.width()) {
    throw InvalidInput(fmt::format("expected one name for each of the {} classes, found {}",
                                   forest.width(), options.class_names.size()));
  }
  const std::size_t n_rows = points.rows.rows.n_rows();
  for (const std::size_t n_given : {points.classes.size(), points.values.size()}) {
    if (n_given != 0 && n_given != n_rows) {
      throw InvalidInput(
          fmt::format("expected one label for each of the {} points, found {}", n_rows, n_given));
    }
  }
  if (!points.ringed.empty() && points.ringed.size() != n_rows) {
    throw InvalidInput(
        fmt::format("expected for each of the {} points whether it is ringed, found {}", n_rows,
                    points.ringed.size()));
  }
  for (std::size_t row = 0; row < points.classes.size(); ++row) {
    if (points.classes[row] < 0 ||
        static_cast<std::size_t>(points.classes[row]) >= forest.width()) {
      throw InvalidInput(fmt::format("row {} has class {}, expected 0 to {}", row,
                                     points.classes[row], forest.width() - 1));
    }
  }
}

/// The points where they are drawn: in the Poincaré disk of radius 1, or on the plane.
std::vector<PlanePoint> drawn_points(const Forest& forest, Points points, bool hyperbolic) {
  std::vector<PlanePoint> result;
  if (points.rows.n_rows() == 0) {
    return result;
  }
  const Manifold& manifold = forest.columns.manifold();
  Manifold::Projection projection;
  if (forest.off_manifold == OffManifold::project) {
    projection = manifold.project(points);
    points = projection.points;
  }
  const Matrix plane = manifold.convert(points, manifold.coordinates(),
                                        hyperbolic ? Coordinates::poincare : Coordinates::ambient);
  const double radius = manifold.signature().factors().front().radius();
  for (std::size_t row = 0; row < plane.n_rows(); ++row) {
    result.push_back({plane(row, 0) / radius, plane(row, 1) / radius});
  }
  return result;
}

/// A square around all points, or around all cuts where there are none.
FlatMap window(const Forest& forest, const std::vector<PlanePoint>& points) {
  std::vector<PlanePoint> seen = points;
  if (points.empty()) {
    seen.push_back({0, 0});
    for (const Tree& tree : forest.trees) {
      for (const TreeNode& node : tree.nodes) {
        if (!node.is_leaf() && tree.own.empty() &&
            forest.columns.columns()[static_cast<std::size_t>(node.column)].kind ==
                ColumnKind::line) {
          seen.push_back({node.threshold, node.threshold});
        }
      }
    }
  }
  PlanePoint low = seen.front();
  PlanePoint high = seen.front();
  for (const PlanePoint point : seen) {
    low = {std::min(low.x, point.x), std::min(low.y, point.y)};
    high = {std::max(high.x, point.x), std::max(high.y, point.y)};
  }
  constexpr double air = 1.08;
  const double range = std::max(high.x - low.x, high.y - low.y);
  if (!std::isfinite(range)) {
    throw InvalidInput("the points lie farther apart than a number can say; scale them down");
  }
  // Far from the origin a window must be wide enough for its corners to differ.
  const double largest =
      std::max({std::abs(low.x), std::abs(low.y), std::abs(high.x), std::abs(high.y)});
  const double half = std::max(range > 0 ? air * range / 2 : 1, 1e-9 * largest);
  const PlanePoint centre{low.x / 2 + high.x / 2, low.y / 2 + high.y / 2};
  return {false, {centre.x - half, centre.y - half}, {centre.x + half, centre.y + half}};
}

PlaneFrame make_frame(const FlatMap& map, double size) {
  if (map.hyperbolic) {
    return {map, size / 2, header + size / 2, size / 2 - margin};
  }
  const double half_side = (size - 2 * margin - axis_margin) / 2;
  return {map, size - margin - half_side, header + margin / 2 + half_side, half_side};
}

/// What the forest says in the middle of the squares of a grid.
Matrix grid_values(const Forest& forest, const PlaneFrame& frame, std::size_t n_side,
                   double pixel) {
  // Squares beyond the rim, of which a corner may show, go on with what is at the rim.
  constexpr double farthest = 1 - 1e-6;
  const Manifold& manifold = forest.columns.manifold();
  const double radius = manifold.signature().factors().front().radius();
  Matrix places(n_side * n_side, 2);
  for (std::size_t square = 0; square < places.n_rows(); ++square) {
    const std::size_t down = square / n_side;
    const std::size_t right = square % n_side;
    const PlanePoint point =
        frame.at({frame.x - frame.half_side + pixel * (static_cast<double>(right) + 0.5),
                  frame.y - frame.half_side + pixel * (static_cast<double>(down) + 0.5)});
    const double norm = std::hypot(point.x, point.y);
    const double scale = frame.map.hyperbolic && norm > farthest ? farthest / norm : 1;
    places(square, 0) = radius * scale * point.x;
    places(square, 1) = radius * scale * point.y;
  }
  const Columns columns(Manifold(manifold.signature(), frame.map.hyperbolic ? Coordinates::poincare
                                                                            : Coordinates::ambient),
                        forest.columns.families());
  // The predictor only looks at the forest, which outlives it.
  const Predictor predictor(std::shared_ptr<const Forest>(std::shared_ptr<void>(), &forest));
  return predictor.values_of_columns(columns.values(places));
}

/// The cuts of a tree; of one alone those nearer the root are thicker.
void draw_cuts(SvgCanvas& canvas, const PlaneFrame& frame, const Forest& forest, const Tree& tree,
               bool alone, double opacity) {
  const auto draw = [&](const std::string& path, std::size_t depth) {
    const double width = alone ? std::max(0.8, 1.8 - 0.25 * static_cast<double>(depth)) : 0.8;
    canvas.path(path, {.stroke = rim_colour, .stroke_width = width, .opacity = opacity});
  };
  if (!tree.own.empty()) {
    for (const DiskCut& cut : disk_cuts(tree, forest.columns)) {
      draw(cut_path(frame, cut), cut.depth);
    }
    return;
  }
  const TreeRegions regions = tree_regions(tree, forest.columns, frame.map);
  for (const CutLine& cut : regions.cuts) {
    draw(cut_path(frame, cut, regions.lines), cut.depth);
  }
}

/// The outline of every leaf of a tree that cuts straight lines of the flat map.
void draw_leaves(SvgCanvas& canvas, const PlaneFrame& frame, const Forest& forest, const Tree& tree,
                 Colouring& colouring) {
  const TreeRegions regions = tree_regions(tree, forest.columns, frame.map);
  std::vector<double> said(tree.width);
  const auto says = [&](std::uint32_t node) -> std::span<const double> {
    tree.copy_value(tree.nodes[node].child, said);
    return said;
  };
  for (const LeafRegion& leaf : regions.leaves) {
    colouring.include(colouring.value(says(leaf.node)));
  }
  canvas.begin_group(colouring.classification() ? class_opacity : 1);
  for (const LeafRegion& leaf : regions.leaves) {
    const std::string colour = colouring.colour(colouring.number(says(leaf.node)));
    // The outline in the same colour closes the hairlines between neighbours.
    canvas.path(region_path(frame, leaf, regions.lines),
                {.fill = colour, .stroke = colour, .stroke_width = 0.7});
  }
  canvas.end_group();
}

/// What a forest says in the squares of a grid.
void draw_grid(SvgCanvas& canvas, const PlaneFrame& frame, const Forest& forest, double pixel,
               Colouring& colouring) {
  RegionGrid grid;
  grid.pixel = pixel;
  grid.n_side = static_cast<std::size_t>(std::ceil(2 * frame.half_side / pixel));
  const Matrix values = grid_values(forest, frame, grid.n_side, grid.pixel);
  for (std::size_t square = 0; square < values.n_rows(); ++square) {
    colouring.include(colouring.value(values.row(square)));
  }
  for (std::size_t square = 0; square < values.n_rows(); ++square) {
    grid.colours.push_back(colouring.number(values.row(square)));
  }
  const std::vector<std::string> paths = grid_paths(frame, grid, colouring.size());
  canvas.begin_group(colouring.classification() ? class_opacity : 1);
  for (std::size_t number = 0; number < paths.size(); ++number) {
    if (!paths[number].empty()) {
      const std::string colour = colouring.colour(number);
      canvas.path(paths[number], {.fill = colour, .stroke = colour, .stroke_width = 0.3});
    }
  }
  canvas.end_group();
}

void draw_tree(SvgCanvas& canvas, const PlaneFrame& frame, const Forest& forest, const Tree& tree,
               const RegionPictureOptions& options, Colouring& colouring) {
  if (tree.own.empty()) {
    draw_leaves(canvas, frame, forest, tree, colouring);
  } else {
    // Regions between horospheres are not convex on any map: they are looked up, their boundaries drawn.
    Forest alone = forest;
    alone.trees = {tree};
    draw_grid(canvas, frame, alone, options.pixel, colouring);
  }
  draw_cuts(canvas, frame, forest, tree, true, 0.85);
}

void draw_forest(SvgCanvas& canvas, const PlaneFrame& frame, const Forest& forest,
                 const RegionPictureOptions& options, Colouring& colouring) {
  draw_grid(canvas, frame, forest, options.pixel, colouring);
  if (options.forest_cuts) {
    const double opacity =
        std::max(0.08, 0.5 / std::sqrt(static_cast<double>(forest.trees.size())));
    for (const Tree& tree : forest.trees) {
      draw_cuts(canvas, frame, forest, tree, false, opacity);
    }
  }
}

void draw_points(SvgCanvas& canvas, const PlaneFrame& frame, const std::vector<PlanePoint>& points,
                 const RegionPoints& given, const Colouring& colouring) {
  const double size = mark_size(points.size());
  for (std::size_t row = 0; row < points.size(); ++row) {
    throw_if_interrupted();
    const PlanePoint at = frame.on_canvas(points[row]);
    if (colouring.classification() && !given.classes.empty()) {
      draw_mark(canvas, at.x, at.y, size, static_cast<std::size_t>(given.classes[row]));
    } else {
      const std::string colour =
          colouring.classification() || given.values.empty()
              ? std::string(rim_colour)
              : colouring.colour(colouring.number_of_value(given.values[row]));
      canvas.circle(at.x, at.y, size,
                    {.fill = colour, .stroke = paper_colour, .stroke_width = 0.8});
    }
    if (!given.ringed.empty() && given.ringed[row] != 0) {
      draw_ring(canvas, at.x, at.y, size);
    }
  }
}

std::string counted(std::size_t number, std::string_view word, std::string_view many) {
  return fmt::format("{} {}", number, number == 1 ? word : many);
}

/// "a tree with 8 leaves", "tree 3 of 100", "a forest of 100 trees".
std::string model_words(const Forest& forest, const RegionPictureOptions& options) {
  if (forest.trees.size() == 1) {
    return "a tree with " + counted(n_leaves(forest.trees.front()), "leaf", "leaves");
  }
  return options.tree
             ? fmt::format("tree {} of {}, with {}", *options.tree, forest.trees.size(),
                           counted(n_leaves(forest.trees[*options.tree]), "leaf", "leaves"))
             : fmt::format("a forest of {} trees", forest.trees.size());
}

std::string title(const Forest& forest, const RegionPictureOptions& options) {
  if (!options.title.empty()) {
    return options.title;
  }
  std::string words = fmt::format("{} on {}", model_words(forest, options),
                                  forest.columns.manifold().signature().text());
  words.front() = words.front() == 'a' ? 'A' : 'T';
  return words;
}

std::string description(const Forest& forest, const RegionPoints& points,
                        const RegionPictureOptions& options, bool hyperbolic) {
  const auto n_ringed =
      std::ranges::count_if(points.ringed, [](std::uint8_t ring) { return ring != 0; });
  return fmt::format("The regions of {} on {}, coloured by {}, with {}{}.",
                     model_words(forest, options), hyperbolic ? "the Poincaré disk" : "the plane",
                     forest.task == Task::classification ? "predicted class" : "predicted value",
                     counted(points.rows.rows.n_rows(), "point", "points"),
                     points.ringed.empty() ? "" : fmt::format(", {} of them ringed", n_ringed));
}

/// Runs what draws within the disk or the window.
template <class Draw>
void draw_clipped(SvgCanvas& canvas, const PlaneFrame& frame, Draw&& draw) {
  const double side = 2 * frame.half_side;
  if (frame.map.hyperbolic) {
    canvas.begin_clipped_to_circle(frame.x, frame.y, frame.half_side);
  } else {
    canvas.begin_clipped_to_rectangle(frame.x - frame.half_side, frame.y - frame.half_side, side,
                                      side);
  }
  std::forward<Draw>(draw)();
  canvas.end_group();
}

}  // namespace

std::string region_picture(const Forest& forest, const RegionPoints& points,
                           const RegionPictureOptions& options) {
  const bool hyperbolic = is_hyperbolic_plane(forest.columns.manifold().signature());
  check(forest, points, options);
  const std::vector<PlanePoint> places = drawn_points(forest, points.rows, hyperbolic);
  const PlaneFrame frame =
      make_frame(hyperbolic ? FlatMap{.hyperbolic = true} : window(forest, places), options.size);
  Colouring colouring(forest, options.output);
  for (const double value : points.values) {
    colouring.include(value);
  }

  const double width = options.size + legend_width;
  SvgCanvas canvas(width, options.size + header, title(forest, options),
                   description(forest, points, options, hyperbolic));
  canvas.rectangle(0, 0, width, options.size + header, {.fill = paper_colour});
  canvas.text(margin, 46, title(forest, options), {.size = 24, .bold = true});
  draw_clipped(canvas, frame, [&] {
    const bool one_tree = options.tree || forest.trees.size() == 1;
    if (one_tree) {
      draw_tree(canvas, frame, forest, forest.trees[options.tree.value_or(0)], options, colouring);
    } else {
      draw_forest(canvas, frame, forest, options, colouring);
    }
  });
  draw_points(canvas, frame, places, points, colouring);
  if (hyperbolic) {
    canvas.circle(frame.x, frame.y, frame.half_side, {.stroke = rim_colour, .stroke_width = 1.6});
  } else {
    draw_axes(canvas, frame, forest.feature_names);
  }
  const double legend_x = options.size + 12;
  if (colouring.classification()) {
    draw_legend(canvas, legend_x, header + margin + 20,
                options.class_names.empty() ? label_texts(forest.classes) : options.class_names,
                {.tile_opacity = class_opacity, .ring_name = options.ring_name});
  } else {
    const bool named = options.output < forest.output_names.size();
    draw_scale(canvas, legend_x, header + margin + 20, colouring,
               named ? forest.output_names[options.output] : "");
  }
  return canvas.document();
}

}  // namespace bentwood
