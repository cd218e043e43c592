#include "bentwood/draw/palette.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace bentwood {

std::string_view class_colour(std::size_t label) {
  // The strongest contrasts on white first; yellow, which is weak on white, and black last.
  static constexpr std::array<std::string_view, n_class_colours> colours{
      "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#F0E442", "#000000"};
  return colours[label % colours.size()];
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
