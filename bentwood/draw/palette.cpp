#include "bentwood/draw/palette.hpp"

#include <array>

namespace bentwood {

std::string_view class_colour(std::size_t label) {
  // The strongest contrasts on white first; yellow, which is weak on white, and black last.
  static constexpr std::array<std::string_view, n_class_colours> colours{
      "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#F0E442", "#000000"};
  return colours[label % colours.size()];
}

}  // namespace bentwood
