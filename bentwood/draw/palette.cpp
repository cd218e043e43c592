#include "bentwood/draw/palette.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace bentwood {

std::string_view class_colour(std::size_t label) {
  // Of Okabe and Ito the strongest contrasts on white first; yellow, which is weak on white, and black
  // last.
  static constexpr std::array<std::string_view, n_class_colours> colours{
      "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#F0E442", "#000000",
      "#550055", "#114400", "#AACC77", "#000088", "#9977FF", "#EE2244", "#99DDBB", "#991144",
      "#555577", "#0044AA", "#CCBBDD", "#666622", "#EEBB55", "#669955", "#553388", "#EE7788"};
  return colours[label % colours.size()];
}

Mark class_mark(std::size_t label) {
  constexpr std::size_t classes_a_mark = 8;
  constexpr std::size_t n_marks = 4;
  return static_cast<Mark>(label / classes_a_mark % n_marks);
}

std::string scale_colour(double share) {
  // Between nine of its colours viridis is straight up to what the eye can tell.
  using Colour = std::array<double, 3>;
  static constexpr std::array<Colour, 9> stops{{{0x44, 0x01, 0x54},
                                                {0x47, 0x2d, 0x7b},
                                                {0x3b, 0x52, 0x8b},
                                                {0x2c, 0x72, 0x8e},
                                                {0x21, 0x91, 0x8c},
                                                {0x28, 0xae, 0x80},
                                                {0x5e, 0xc9, 0x62},
                                                {0xad, 0xdc, 0x30},
                                                {0xfd, 0xe7, 0x25}}};
  const double place = std::clamp(share, 0.0, 1.0) * (stops.size() - 1);
  const auto stop = std::min(static_cast<std::size_t>(place), stops.size() - 2);
  const auto mixed = [&](std::size_t channel) {
    return std::lround(std::lerp(stops[stop][channel], stops[stop + 1][channel],
                                 place - static_cast<double>(stop)));
  };
  return fmt::format("#{:02x}{:02x}{:02x}", mixed(0), mixed(1), mixed(2));
}

}  // namespace bentwood
