#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "bentwood/draw/svg.hpp"

/// What all pictures of points share.
namespace bentwood {

inline constexpr std::string_view paper_colour = "#ffffff";
inline constexpr std::string_view rim_colour = "#2b2f36";
inline constexpr std::string_view faint_text_colour = "#747b87";

/// The mark of a class (class_mark) around (x, y).
void draw_mark(SvgCanvas& canvas, double x, double y, double size, std::size_t label,
               const Paint& paint);

/// The same in the colour of the class, with a thin white outline.
void draw_mark(SvgCanvas& canvas, double x, double y, double size, std::size_t label);

/// A dark ring around a mark of this size.
void draw_ring(SvgCanvas& canvas, double x, double y, double size);

/// Few points can be large; many must be small to be told apart.
[[nodiscard]] double mark_size(std::size_t n_points);

/// What a legend shows besides the marks of the classes.
struct LegendStyle {
  /// The opacity of the tile behind each mark, the colour of a region; 0 for none.
  double tile_opacity = 0;
  /// What rings mean; empty where there are none.
  std::string_view ring_name{};
};

/// One line a class, the first at (x, y); beyond 24 classes it says how many more there are.
void draw_legend(SvgCanvas& canvas, double x, double y, const std::vector<std::string>& names,
                 const LegendStyle& style = {});

}  // namespace bentwood
