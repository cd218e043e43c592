#include "bentwood/draw/axes.hpp"

#include <fmt/format.h>

#include <cmath>

#include "bentwood/draw/marks.hpp"

namespace bentwood {

std::vector<double> tick_values(double low, double high) {
  if (!(high > low) || !std::isfinite(high - low)) {
    return {low};
  }
  constexpr double most_ticks = 7;
  const double least_step = (high - low) / most_ticks;
  double step = std::pow(10, std::floor(std::log10(least_step)));
  for (const double factor : {2.0, 2.5, 2.0}) {
    // 1, 2, 5, 10: each is the last one times one of the factors.
    if (step < least_step) {
      step *= factor;
    }
  }
  std::vector<double> ticks;
  // Counted, because far from 0 adding 1 to a number need not change it.
  const double first = std::ceil(low / step);
  for (int number = 0; number <= most_ticks && (first + number) * step <= high; ++number) {
    ticks.push_back((first + number) * step);
  }
  return ticks;
}

void draw_axes(SvgCanvas& canvas, const PlaneFrame& frame, const std::vector<std::string>& names) {
  constexpr double tick = 5;
  const double left = frame.x - frame.half_side;
  const double top = frame.y - frame.half_side;
  const double bottom = frame.y + frame.half_side;
  const Paint line{.stroke = rim_colour, .stroke_width = 1.2};
  canvas.rectangle(left, top, 2 * frame.half_side, 2 * frame.half_side, line);
  const TextStyle below{.size = 13, .colour = faint_text_colour, .anchor = "middle"};
  const TextStyle beside{.size = 13, .colour = faint_text_colour, .anchor = "end"};
  for (const double value : tick_values(frame.map.low.x, frame.map.high.x)) {
    const double x = frame.on_canvas({value, 0}).x;
    canvas.path(fmt::format("M{0} {1} L{0} {2}", pixels(x), pixels(bottom), pixels(bottom + tick)),
                line);
    canvas.text(x, bottom + 20, fmt::format("{:g}", value), below);
  }
  for (const double value : tick_values(frame.map.low.y, frame.map.high.y)) {
    const double y = frame.on_canvas({0, value}).y;
    canvas.path(fmt::format("M{0} {2} L{1} {2}", pixels(left), pixels(left - tick), pixels(y)),
                line);
    canvas.text(left - 9, y + 4.5, fmt::format("{:g}", value), beside);
  }
  const bool named = names.size() == 2;
  canvas.text(frame.x, bottom + 42, named ? names[0] : "x1", {.anchor = "middle"});
  canvas.text(left, top - 9, named ? names[1] : "x2", {});
}

void draw_scale(SvgCanvas& canvas, double x, double y, const Colouring& colouring,
                const std::string& name) {
  constexpr double width = 22;
  constexpr double height = 300;
  canvas.text(x, y - 12, name.empty() ? "predicted value" : name, {});
  // Each step a little taller than its share, so that no line shows between two.
  const std::size_t n_steps = colouring.size();
  const double step = height / static_cast<double>(n_steps);
  for (std::size_t number = n_steps; number-- > 0;) {
    canvas.rectangle(x, y + height - step * static_cast<double>(number + 1), width,
                     step * (number == 0 ? 1.0 : 1.5), {.fill = colouring.colour(number)});
  }
  canvas.rectangle(x, y, width, height, {.stroke = rim_colour});
  const double range = colouring.most() - colouring.least();
  for (const double value : tick_values(colouring.least(), colouring.most())) {
    const double share = range > 0 ? (value - colouring.least()) / range : 0.5;
    canvas.text(x + width + 8, y + height * (1 - share) + 4.5, fmt::format("{:g}", value),
                {.size = 13, .colour = faint_text_colour});
  }
}

}  // namespace bentwood
