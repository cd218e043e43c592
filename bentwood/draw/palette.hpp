#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace bentwood {

/// The number of colours before they repeat.
inline constexpr std::size_t n_class_colours = 8;

/// The colour of a class, from the palette of M. Okabe and K. Ito ("Color Universal Design", 2008),
/// which people with any kind of colour blindness can tell apart. Repeats after eight classes;
/// whoever draws more should change the shape as well.
[[nodiscard]] std::string_view class_colour(std::size_t label);

/// The colour of a number on a scale from 0 to 1, as "#rrggbb": dark blue over green to yellow, ever
/// lighter (viridis of S. van der Walt and N. Smith, 2015), so that people with any kind of colour
/// blindness, and printers without colours, see the same order. Beyond the scale its ends.
[[nodiscard]] std::string scale_colour(double share);

}  // namespace bentwood
