#include "bentwood/draw/poincare_disk.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "bentwood/base/error.hpp"
#include "bentwood/base/parallel.hpp"
#include "bentwood/draw/disk_geodesic.hpp"
#include "bentwood/draw/marks.hpp"
#include "bentwood/draw/palette.hpp"
#include "bentwood/draw/svg.hpp"

namespace bentwood {
namespace {

constexpr std::string_view disk_fill = "#f7f8fa";
constexpr std::string_view geodesic_line = "#dfe3ea";
constexpr std::string_view ring_line = "#b9c0cc";
constexpr std::string_view edge_line = "#8b93a1";

constexpr double header = 64;
constexpr double margin = 28;
constexpr double legend_width = 200;

void check(MatrixView points, std::span<const std::int64_t> labels,
           const DiskPictureOptions& options) {
  if (points.n_cols() != 2) {
    throw InvalidInput(fmt::format("a picture of the disk needs points with 2 columns, found {}",
                                   points.n_cols()));
  }
  if (!labels.empty() && labels.size() != points.n_rows()) {
    throw InvalidInput(fmt::format("expected one label for each of the {} points, found {}",
                                   points.n_rows(), labels.size()));
  }
  if (!options.ringed.empty() && options.ringed.size() != points.n_rows()) {
    throw InvalidInput(
        fmt::format("expected for each of the {} points whether it is ringed, found {}",
                    points.n_rows(), options.ringed.size()));
  }
  for (std::size_t row = 0; row < points.n_rows(); ++row) {
    const double norm = std::hypot(points(row, 0), points(row, 1));
    if (!(norm < options.disk_radius)) {
      throw InvalidInput(
          fmt::format("row {} lies outside the Poincaré disk: norm {}, expected less than {}", row,
                      norm, options.disk_radius));
    }
  }
  for (std::size_t row = 0; row < labels.size(); ++row) {
    if (labels[row] < 0) {
      throw InvalidInput(fmt::format("row {} has label {}, expected 0 or more", row, labels[row]));
    }
  }
  for (const auto& [from, to] : options.edges) {
    if (std::max(from, to) >= points.n_rows()) {
      throw InvalidInput(fmt::format("edge ({}, {}) needs {} rows, found {}", from, to,
                                     std::max(from, to) + 1, points.n_rows()));
    }
  }
}

/// Where the unit disk lies on the canvas, with y upwards.
struct Frame {
  double x = 0;
  double y = 0;
  double radius = 1;

  [[nodiscard]] std::string text(PlanePoint point) const {
    return fmt::format("{} {}", pixels(x + radius * point.x), pixels(y - radius * point.y));
  }
};

/// The path along the geodesic from a to b.
std::string geodesic_path(const Frame& frame, PlanePoint a, PlanePoint b) {
  const auto circle = geodesic_circle(a, b);
  if (!circle) {
    return fmt::format("M{} L{}", frame.text(a), frame.text(b));
  }
  // The arc inside the disk is the short one. It bulges towards the origin, so its sense is that of
  // the turn from a to b around the circle's centre; y points down on the canvas, which mirrors it.
  const double turn = (a.x - circle->centre.x) * (b.y - circle->centre.y) -
                      (a.y - circle->centre.y) * (b.x - circle->centre.x);
  return fmt::format("M{} A{} {} 0 0 {} {}", frame.text(a), pixels(frame.radius * circle->radius),
                     pixels(frame.radius * circle->radius), turn > 0 ? 0 : 1, frame.text(b));
}

void draw_grid(SvgCanvas& canvas, const Frame& frame) {
  constexpr int farthest_line = 3;
  const Paint line{.stroke = geodesic_line};
  canvas.begin_clipped_to_circle(frame.x, frame.y, frame.radius);
  canvas.path(fmt::format("M{} L{} M{} L{}", frame.text({-1, 0}), frame.text({1, 0}),
                          frame.text({0, -1}), frame.text({0, 1})),
              line);
  for (int rapidity = 1; rapidity <= farthest_line; ++rapidity) {
    const PlaneCircle circle = rapidity_circle(rapidity);
    const double far = frame.radius * circle.centre.x;
    const double radius = frame.radius * circle.radius;
    canvas.circle(frame.x + far, frame.y, radius, line);
    canvas.circle(frame.x - far, frame.y, radius, line);
    canvas.circle(frame.x, frame.y + far, radius, line);
    canvas.circle(frame.x, frame.y - far, radius, line);
  }
  canvas.end_group();
  for (int distance = 1; distance <= farthest_line; ++distance) {
    canvas.circle(frame.x, frame.y, frame.radius * std::tanh(distance / 2.0),
                  {.stroke = ring_line, .dashes = "2 5"});
  }
}

/// The distances on the rings, drawn over the points so that they stay legible.
void draw_ring_names(SvgCanvas& canvas, const Frame& frame) {
  const double angle = -std::numbers::pi / 4;
  for (int distance = 1; distance <= 3; ++distance) {
    const double radius = frame.radius * std::tanh(distance / 2.0);
    const double x = frame.x + radius * std::cos(angle);
    const double y = frame.y - radius * std::sin(angle);
    canvas.circle(x, y, 9, {.fill = disk_fill, .opacity = 0.9});
    canvas.text(x, y + 4, std::to_string(distance),
                {.size = 12, .colour = faint_text_colour, .anchor = "middle"});
  }
}

/// How small a short way is drawn here, 1 at the origin. Nodes and the width of edges shrink with it
/// towards the rim, or they would cover what is there.
double scale_at(PlanePoint point) { return 1 - point.x * point.x - point.y * point.y; }

std::string description(MatrixView points, const DiskPictureOptions& options) {
  std::string text =
      fmt::format("{} points of the hyperbolic plane in the Poincaré disk", points.n_rows());
  if (!options.class_names.empty()) {
    text += fmt::format(", coloured by {} classes", options.class_names.size());
  }
  if (!options.edges.empty()) {
    text += fmt::format(", with {} edges drawn as geodesics", options.edges.size());
  }
  if (!options.ringed.empty()) {
    text += fmt::format(", {} of them ringed",
                        std::ranges::count_if(options.ringed, [](auto ring) { return ring != 0; }));
  }
  return text + ".";
}

}  // namespace

std::string poincare_disk_picture(MatrixView points, std::span<const std::int64_t> labels,
                                  const DiskPictureOptions& options) {
  check(points, labels, options);
  const double width = options.size + (options.class_names.empty() ? 0 : legend_width);
  SvgCanvas canvas(width, options.size + header, options.title, description(points, options));
  const Frame frame{options.size / 2, header + options.size / 2, options.size / 2 - margin};
  const auto at = [&](std::size_t row) {
    return PlanePoint{points(row, 0) / options.disk_radius, points(row, 1) / options.disk_radius};
  };

  canvas.rectangle(0, 0, width, options.size + header, {.fill = paper_colour});
  canvas.text(margin, 46, options.title, {.size = 24, .bold = true});
  canvas.circle(frame.x, frame.y, frame.radius, {.fill = disk_fill});
  if (options.grid) {
    draw_grid(canvas, frame);
  }
  for (const auto& [from, to] : options.edges) {
    const bool within = !labels.empty() && labels[from] == labels[to];
    canvas.path(
        geodesic_path(frame, at(from), at(to)),
        {.stroke = within ? class_colour(static_cast<std::size_t>(labels[from])) : edge_line,
         .stroke_width = 0.9 + 1.3 * scale_at(at(from))});
  }
  const double size = mark_size(points.n_rows());
  for (std::size_t row = 0; row < points.n_rows(); ++row) {
    throw_if_interrupted();
    const PlanePoint point = at(row);
    const double x = frame.x + frame.radius * point.x;
    const double y = frame.y - frame.radius * point.y;
    const double own_size =
        options.edges.empty() ? size : std::lerp(0.35 * size, mark_size(0), scale_at(point));
    draw_mark(canvas, x, y, own_size, labels.empty() ? 0 : static_cast<std::size_t>(labels[row]));
    if (!options.ringed.empty() && options.ringed[row] != 0) {
      draw_ring(canvas, x, y, own_size);
    }
  }
  if (options.grid) {
    draw_ring_names(canvas, frame);
  }
  canvas.circle(frame.x, frame.y, frame.radius, {.stroke = rim_colour, .stroke_width = 1.6});
  draw_legend(canvas, options.size + 4, header + margin + 20, options.class_names,
              {.ring_name = options.ring_name});
  return canvas.document();
}

}  // namespace bentwood
