#include "bentwood/draw/colouring.hpp"

#include <algorithm>
#include <cmath>

namespace bentwood {

void Colouring::include(double value) {
  if (least_ > most_) {
    least_ = most_ = value;
  } else {
    least_ = std::min(least_, value);
    most_ = std::max(most_, value);
  }
}

std::size_t Colouring::number(std::span<const double> leaf) const {
  return classification_ ? static_cast<std::size_t>(std::ranges::max_element(leaf) - leaf.begin())
                         : number_of_value(leaf[output_]);
}

std::size_t Colouring::number_of_value(double value) const {
  // Half of each end first: the difference of two finite numbers need not be finite.
  const double range = most_ / 2 - least_ / 2;
  const double share = range > 0 ? (value / 2 - least_ / 2) / range : 0.5;
  return static_cast<std::size_t>(std::lround(std::clamp(share, 0.0, 1.0) * (n_steps - 1)));
}

std::string Colouring::colour(std::size_t number) const {
  return classification_ ? std::string(class_colour(number))
                         : scale_colour(static_cast<double>(number) / (n_steps - 1));
}

}  // namespace bentwood
