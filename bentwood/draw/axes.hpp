#pragma once

#include <string>
#include <vector>

#include "bentwood/draw/colouring.hpp"
#include "bentwood/draw/region_paths.hpp"
#include "bentwood/draw/svg.hpp"

namespace bentwood {

/// Round numbers, some five of them, from `low` to `high`.
[[nodiscard]] std::vector<double> tick_values(double low, double high);

/// The frame of a window of E2, with numbers at its axes and their names ("x1" and "x2" where they
/// have none).
void draw_axes(SvgCanvas& canvas, const PlaneFrame& frame, const std::vector<std::string>& names);

/// The scale of values as a bar, its top left corner at (x, y), with a name above it.
void draw_scale(SvgCanvas& canvas, double x, double y, const Colouring& colouring,
                const std::string& name);

}  // namespace bentwood
