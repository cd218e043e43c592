#include "bentwood/split/target.hpp"

#include <fmt/format.h>

namespace bentwood {

std::string doubt_of_classes(std::size_t n_classes, std::size_t n_rows, std::string_view label,
                             std::string_view regression) {
  constexpr std::size_t few_rows = 20;
  if (n_rows <= few_rows || n_classes <= n_rows / 2) {
    return {};
  }
  return fmt::format("{} has {} different values in {} rows: is it an identifier{}?", label,
                     n_classes, n_rows,
                     regression.empty() ? std::string()
                                        : fmt::format(", or a number to predict ({})", regression));
}

}  // namespace bentwood
