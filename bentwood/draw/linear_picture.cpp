#include "bentwood/draw/linear_picture.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <vector>

#include "bentwood/base/error.hpp"
#include "bentwood/base/parallel.hpp"
#include "bentwood/draw/marks.hpp"
#include "bentwood/draw/palette.hpp"
#include "bentwood/draw/region_paths.hpp"
#include "bentwood/draw/svg.hpp"
#include "bentwood/linear/linear_training.hpp"
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

void check(const LinearClassifier& classifier, const RegionPoints& points,
           const RegionPictureOptions& options) {
  const std::vector<Factor>& factors = classifier.manifold.signature().factors();
  if (factors.size() != 1 || factors.front().geometry != Geometry::hyperbolic ||
      factors.front().dim != 2) {
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

double curvature_radius(const LinearClassifier& classifier) {
  return classifier.manifold.signature().factors().front().radius();
}

/// The class in the middle of every square of a grid over the disk.
RegionGrid predicted_grid(const LinearClassifier& classifier, const PlaneFrame& frame,
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
  LinearClassifier on_disk = classifier;
  on_disk.manifold = Manifold(classifier.manifold.signature(), Coordinates::poincare);
  for (const std::int64_t label : winners(on_disk, scores(on_disk, places).values)) {
    grid.colours.push_back(static_cast<std::size_t>(label));
  }
  return grid;
}

void draw_regions(SvgCanvas& canvas, const LinearClassifier& classifier, const PlaneFrame& frame,
                  double pixel) {
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

/// A score that is α x_0 + β·x + b on the hyperboloid of radius 1.
struct AmbientScore {
  double first = 0;              // α
  std::array<double, 2> rest{};  // β
  double constant = 0;
};

AmbientScore ambient_score(const LinearClassifier& classifier, std::size_t index) {
  const double radius = curvature_radius(classifier);
  const std::span<const double> w = classifier.coefficients.row(index);
  const double b = classifier.intercepts[index];
  if (classifier.space == FeatureSpace::lorentz) {
    return {radius * w[0], {radius * w[1], radius * w[2]}, b};
  }
  // The isometry that carries p to the origin, from the left (recentre.hpp).
  const std::span<const double> p = classifier.references.row(index);
  const double along = w[0] * p[1] + w[1] * p[2];
  const double push = along / (radius + p[0]) / radius;
  return {-along, {radius * (w[0] + push * p[1]), radius * (w[1] + push * p[2])}, b};
}

std::string polyline(const PlaneFrame& frame, const std::vector<PlanePoint>& points) {
  std::string path;
  for (const PlanePoint& point : points) {
    const PlanePoint at = frame.on_canvas(point);
    path += fmt::format("{}{:.2f} {:.2f}", path.empty() ? "M" : "L", at.x, at.y);
  }
  return path;
}

/// Circle or straight line; none where the disk is all on one side of it.
void draw_circle(SvgCanvas& canvas, const AmbientScore& score, const PlaneFrame& frame,
                 const Paint& style) {
  const double bend = score.first - score.constant;
  const double level = score.first + score.constant;
  const double steepness = std::hypot(score.rest[0], score.rest[1]);
  constexpr double straight = 1e-4;  // circles of 10,000 disks do not show
  if (std::abs(bend) <= straight * steepness) {
    const double away = -level / (2 * steepness);
    const PlanePoint normal{score.rest[0] / steepness, score.rest[1] / steepness};
    if (steepness > 0) {
      canvas.path(
          polyline(frame, {{away * normal.x - 2 * normal.y, away * normal.y + 2 * normal.x},
                           {away * normal.x + 2 * normal.y, away * normal.y - 2 * normal.x}}),
          style);
    }
    return;
  }
  const double squared = (steepness * steepness) / (bend * bend) - level / bend;
  if (squared > 0) {
    const PlanePoint centre = frame.on_canvas({-score.rest[0] / bend, -score.rest[1] / bend});
    canvas.circle(centre.x, centre.y, std::sqrt(squared) * frame.half_side, style);
  }
}

/// The straight line w·v + b = 0 of the tangent space of a reference point, through the exponential map.
std::vector<PlanePoint> tangent_line(const LinearClassifier& classifier, std::size_t index) {
  constexpr int n_steps = 200;
  constexpr double farthest = 12;  // curvature radii: a pixel from the rim
  const Manifold disk(classifier.manifold.signature(), Coordinates::poincare);
  const double radius = curvature_radius(classifier);
  const std::span<const double> w = classifier.coefficients.row(index);
  const double squared = w[0] * w[0] + w[1] * w[1];
  if (squared == 0) {
    return {};
  }
  const double length = std::sqrt(squared);
  const double foot = -classifier.intercepts[index] / length;
  const std::span<const double> reference = classifier.references.row(index);
  const Matrix p = disk.convert(Matrix(1, 3, {reference.begin(), reference.end()}),
                                Coordinates::ambient, Coordinates::poincare);
  // A vector of this length in Poincaré coordinates is as long as the curvature radius.
  const double unit = radius / (1 + reference[0] / radius);
  std::vector<PlanePoint> result;
  for (int step = -n_steps; step <= n_steps; ++step) {
    const double t = unit * farthest * step / n_steps;
    const std::array<double, 2> v{(foot * w[0] - t * w[1]) / length,
                                  (foot * w[1] + t * w[0]) / length};
    if (std::hypot(v[0], v[1]) <= unit * farthest) {
      const Matrix at = disk.exp(p, Matrix(1, 2, {v[0], v[1]}));
      result.push_back({at(0, 0) / radius, at(0, 1) / radius});
    }
  }
  return result;
}

void draw_boundaries(SvgCanvas& canvas, const LinearClassifier& classifier,
                     const PlaneFrame& frame) {
  const bool one = classifier.size() == 1;
  for (std::size_t index = 0; index < classifier.size(); ++index) {
    const Paint style{.stroke = one ? rim_colour : class_colour(index), .stroke_width = 2};
    if (classifier.space == FeatureSpace::tangent && classifier.intercepts[index] != 0) {
      const std::vector<PlanePoint> line = tangent_line(classifier, index);
      if (line.size() > 1) {
        canvas.path(polyline(frame, line), style);
      }
    } else {
      draw_circle(canvas, ambient_score(classifier, index), frame, style);
    }
  }
}

void draw_points(SvgCanvas& canvas, const LinearClassifier& classifier, const RegionPoints& given,
                 const PlaneFrame& frame) {
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

std::string linear_picture(const LinearClassifier& classifier, const RegionPoints& points,
                           const RegionPictureOptions& options) {
  check(classifier, points, options);
  const std::string words =
      fmt::format("{} linear boundar{} on {}", classifier.size(),
                  classifier.size() == 1 ? "y" : "ies", classifier.manifold.signature().text());
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
  draw_boundaries(canvas, classifier, frame);
  canvas.end_group();
  draw_points(canvas, classifier, points, frame);
  canvas.circle(frame.x, frame.y, frame.half_side, {.stroke = rim_colour, .stroke_width = 1.6});
  draw_legend(canvas, options.size + 12, header + margin + 20, label_texts(classifier.classes),
              {.tile_opacity = class_opacity});
  return canvas.document();
}

}  // namespace bentwood
