#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace bentwood {

/// The number of colours before they repeat.
inline constexpr std::size_t n_class_colours = 24;

/// The colour of a class. The first eight are the palette of M. Okabe and K. Ito ("Color Universal
/// Design", 2008), which people with any kind of colour blindness can tell apart. The next sixteen
/// were searched for: in CIELAB no two of all 24 are nearer to each other than 20, or 13 for an eye that
/// lacks one kind of cones (as simulated by G. Machado et al., 2009); their tints of 32 % on white, which
/// regions have, no nearer than 4.3, as two of the first eight are for an eye without green cones.
[[nodiscard]] std::string_view class_colour(std::size_t label);

/// The shape of a class's points.
enum class Mark : std::uint8_t { disk, square, triangle, diamond };

/// Disks for the first eight classes, then the others for eight each: together with the colour no two
/// of 96 classes are the same.
[[nodiscard]] Mark class_mark(std::size_t label);

/// The colour of a number on a scale from 0 to 1, as "#rrggbb": dark blue over green to yellow, ever
/// lighter (viridis of S. van der Walt and N. Smith, 2015), so that people with any kind of colour
/// blindness, and printers without colours, see the same order. Beyond the scale its ends.
[[nodiscard]] std::string scale_colour(double share);

}  // namespace bentwood
