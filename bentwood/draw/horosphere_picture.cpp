#include "bentwood/draw/horosphere_picture.hpp"

#include <fmt/format.h>

#include <cmath>
#include <vector>

#include "bentwood/base/error.hpp"
#include "bentwood/base/parallel.hpp"
#include "bentwood/draw/marks.hpp"
#include "bentwood/draw/palette.hpp"
#include "bentwood/draw/region_paths.hpp"
#include "bentwood/draw/svg.hpp"
#include "bentwood/linear/horosphere_training.hpp"
#include "bentwood/model/check_forest.hpp"
#include "bentwood/model/describe.hpp"

namespace bentwood {
namespace {

constexpr double header = 64;
constexpr double margin = 28;
constexpr double legend_width = 200;
constexpr double smallest_size = 100;
/// Points must stand out from the region of their class.
constexpr double class_opacity = 0.32;

void check(const HorosphereClassifier& classifier, const RegionPoints& points,
           const RegionPictureOptions& options) {
  if (classifier.manifold.dim() != 2) {
    throw InvalidInput(fmt::format("the model is on {}, expected H2: only planes can be drawn",
                                   classifier.manifold.signature().text()));
  }
  if (!(options.pixel > 0) || !(options.size >= smallest_size)) {
    throw InvalidInput(
        fmt::format("size is {} and pixel {}, expected at least {} and a positive number",
                    options.size, options.pixel, smallest_size));
  }
  const std::size_t n_rows = points.rows.rows.n_rows();
  if (!points.classes.empty() && points.classes.size() != n_rows) {
    throw InvalidInput(fmt::format("expected one label for each of the {} points, found {}", n_rows,
                                   points.classes.size()));
  }
  const std::size_t n_classes = n_labels(classifier.classes);
  for (std::size_t row = 0; row < points.classes.size(); ++row) {
    if (points.classes[row] < 0 || static_cast<std::size_t>(points.classes[row]) >= n_classes) {
      throw InvalidInput(fmt::format("row {} has class {}, expected 0 to {}", row,
                                     points.classes[row], n_classes - 1));
    }
  }
}

double curvature_radius(const HorosphereClassifier& classifier) {
  return classifier.manifold.signature().factors().front().radius();
}

/// The class in the middle of every square of a grid over the disk.
RegionGrid predicted_grid(const HorosphereClassifier& classifier, const PlaneFrame& frame,
                          double pixel) {
  // Squares beyond the rim, of which a corner may show, go on with what is at the rim.
  constexpr double farthest = 1 - 1e-6;
  RegionGrid grid;
  grid.pixel = pixel;
  grid.n_side = static_cast<std::size_t>(std::ceil(2 * frame.half_side / pixel));
  Matrix places(grid.n_side * grid.n_side, 2);
  for (std::size_t square = 0; square < places.n_rows(); ++square) {
    const std::size_t down = square / grid.n_side;
    const std::size_t right = square % grid.n_side;
    const PlanePoint point =
        frame.at({frame.x - frame.half_side + pixel * (static_cast<double>(right) + 0.5),
                  frame.y - frame.half_side + pixel * (static_cast<double>(down) + 0.5)});
    const double norm = std::hypot(point.x, point.y);
    const double scale = curvature_radius(classifier) * (norm > farthest ? farthest / norm : 1);
    places(square, 0) = scale * point.x;
    places(square, 1) = scale * point.y;
  }
  HorosphereClassifier on_disk = classifier;
  on_disk.manifold = Manifold(classifier.manifold.signature(), Coordinates::poincare);
  for (const std::int64_t label : winners(on_disk, scores(on_disk, places).values)) {
    grid.colours.push_back(static_cast<std::size_t>(label));
  }
  return grid;
}

void draw_regions(SvgCanvas& canvas, const HorosphereClassifier& classifier,
                  const PlaneFrame& frame, double pixel) {
  const RegionGrid grid = predicted_grid(classifier, frame, pixel);
  const std::vector<std::string> paths = grid_paths(frame, grid, n_labels(classifier.classes));
  canvas.begin_group(class_opacity);
  for (std::size_t label = 0; label < paths.size(); ++label) {
    if (!paths[label].empty()) {
      canvas.path(
          paths[label],
          {.fill = class_colour(label), .stroke = class_colour(label), .stroke_width = 0.3});
    }
  }
  canvas.end_group();
}

void draw_horocycles(SvgCanvas& canvas, const HorosphereClassifier& classifier,
                     const PlaneFrame& frame) {
  const bool one = classifier.size() == 1;
  for (std::size_t index = 0; index < classifier.size(); ++index) {
    const double level = -classifier.offsets[index] / classifier.slopes[index];
    if (!std::isfinite(level)) {
      continue;  // a slope of 0 has no horosphere
    }
    const double size = 1 / (1 + std::exp(-level));
    const std::span<const double> ideal = classifier.ideal_points.row(index);
    const PlanePoint centre = frame.on_canvas({(1 - size) * ideal[0], (1 - size) * ideal[1]});
    canvas.circle(centre.x, centre.y, size * frame.half_side,
                  {.stroke = one ? rim_colour : class_colour(index),
                   .stroke_width = 2,
                   .dashes = one || classifier.slopes[index] > 0 ? "" : "8 6"});
  }
}

void draw_points(SvgCanvas& canvas, const HorosphereClassifier& classifier,
                 const RegionPoints& given, const PlaneFrame& frame) {
  Points points = given.rows;
  if (points.rows.n_rows() == 0) {
    return;
  }
  const Manifold& manifold = classifier.manifold;
  Manifold::Projection projection;
  if (classifier.off_manifold == OffManifold::project) {
    projection = manifold.project(points);
    points = projection.points;
  }
  const Matrix disk = manifold.convert(points, manifold.coordinates(), Coordinates::poincare);
  const double radius = curvature_radius(classifier);
  const double size = mark_size(disk.n_rows());
  for (std::size_t row = 0; row < disk.n_rows(); ++row) {
    throw_if_interrupted();
    const PlanePoint at = frame.on_canvas({disk(row, 0) / radius, disk(row, 1) / radius});
    if (given.classes.empty()) {
      canvas.circle(at.x, at.y, size,
                    {.fill = rim_colour, .stroke = paper_colour, .stroke_width = 0.8});
    } else {
      draw_mark(canvas, at.x, at.y, size, static_cast<std::size_t>(given.classes[row]));
    }
  }
}

}  // namespace

std::string horosphere_picture(const HorosphereClassifier& classifier, const RegionPoints& points,
                               const RegionPictureOptions& options) {
  check(classifier, points, options);
  const std::string words =
      fmt::format("{} horosphere{} on {}", classifier.size(), classifier.size() == 1 ? "" : "s",
                  classifier.manifold.signature().text());
  const std::string title = options.title.empty() ? words : options.title;
  const PlaneFrame frame{
      {.hyperbolic = true}, options.size / 2, header + options.size / 2, options.size / 2 - margin};
  const double width = options.size + legend_width;
  SvgCanvas canvas(
      width, options.size + header, title,
      fmt::format("The regions of {} in the Poincaré disk, coloured by predicted class.", words));
  canvas.rectangle(0, 0, width, options.size + header, {.fill = paper_colour});
  canvas.text(margin, 46, title, {.size = 24, .bold = true});
  canvas.begin_clipped_to_circle(frame.x, frame.y, frame.half_side);
  draw_regions(canvas, classifier, frame, options.pixel);
  draw_horocycles(canvas, classifier, frame);
  canvas.end_group();
  draw_points(canvas, classifier, points, frame);
  canvas.circle(frame.x, frame.y, frame.half_side, {.stroke = rim_colour, .stroke_width = 1.6});
  draw_legend(canvas, options.size + 12, header + margin + 20, label_texts(classifier.classes),
              {.tile_opacity = class_opacity});
  return canvas.document();
}

}  // namespace bentwood
