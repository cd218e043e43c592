#include "bentwood/draw/marks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bentwood/draw/palette.hpp"

namespace bentwood {
namespace {

constexpr std::size_t longest_legend = 24;
constexpr std::string_view ring_colour = "#1a1a1a";

}  // namespace

void draw_mark(SvgCanvas& canvas, double x, double y, double size, std::size_t label,
               const Paint& paint) {
  switch (class_mark(label)) {
    case Mark::disk:
      canvas.circle(x, y, size, paint);
      break;
    case Mark::square:
      canvas.rectangle(x - 0.9 * size, y - 0.9 * size, 1.8 * size, 1.8 * size, paint);
      break;
    case Mark::triangle:
      canvas.path(fmt::format("M{} {} L{} {} L{} {} Z", pixels(x), pixels(y - 1.2 * size),
                              pixels(x + 1.1 * size), pixels(y + 0.8 * size),
                              pixels(x - 1.1 * size), pixels(y + 0.8 * size)),
                  paint);
      break;
    case Mark::diamond:
      canvas.path(fmt::format("M{} {} L{} {} L{} {} L{} {} Z", pixels(x), pixels(y - 1.3 * size),
                              pixels(x + 1.3 * size), pixels(y), pixels(x), pixels(y + 1.3 * size),
                              pixels(x - 1.3 * size), pixels(y)),
                  paint);
      break;
  }
}

void draw_mark(SvgCanvas& canvas, double x, double y, double size, std::size_t label) {
  draw_mark(
      canvas, x, y, size, label,
      {.fill = class_colour(label), .stroke = paper_colour, .stroke_width = 0.6, .opacity = 0.85});
}

void draw_ring(SvgCanvas& canvas, double x, double y, double size) {
  canvas.circle(x, y, size + 2.5, {.stroke = ring_colour, .stroke_width = 1.4});
}

double mark_size(std::size_t n_points) {
  return std::clamp(120 / std::sqrt(static_cast<double>(n_points) + 1), 1.8, 6.0);
}

void draw_legend(SvgCanvas& canvas, double x, double y, const std::vector<std::string>& names,
                 const LegendStyle& style) {
  constexpr double line_height = 26;
  const double text_x = x + (style.tile_opacity > 0 ? 20 : 16);
  const std::size_t n_shown = std::min(names.size(), longest_legend);
  for (std::size_t label = 0; label < n_shown; ++label, y += line_height) {
    if (style.tile_opacity > 0) {
      canvas.rectangle(x - 11, y - 16, 22, 22,
                       {.fill = class_colour(label), .opacity = style.tile_opacity});
    }
    draw_mark(canvas, x, y - 5, 6, label);
    canvas.text(text_x, y, names[label], {});
  }
  if (names.size() > n_shown) {
    canvas.text(text_x, y, fmt::format("and {} more", names.size() - n_shown),
                {.colour = faint_text_colour});
    y += line_height;
  }
  if (!style.ring_name.empty()) {
    draw_ring(canvas, x, y - 5, 4);
    canvas.text(text_x, y, style.ring_name, {});
  }
}

}  // namespace bentwood
