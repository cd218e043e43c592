#pragma once

#include <cstddef>
#include <string_view>

namespace bentwood {

/// The number of colours before they repeat.
inline constexpr std::size_t n_class_colours = 8;

/// The colour of a class, from the palette of M. Okabe and K. Ito ("Color Universal Design", 2008),
/// which people with any kind of colour blindness can tell apart. Repeats after eight classes;
/// whoever draws more should change the shape as well.
[[nodiscard]] std::string_view class_colour(std::size_t label);

}  // namespace bentwood
