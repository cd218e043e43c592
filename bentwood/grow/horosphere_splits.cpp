#include "bentwood/grow/horosphere_splits.hpp"

#include <fmt/format.h>

#include <array>

#include "bentwood/base/error.hpp"

namespace bentwood {

IdealPoints parse_ideal_points(std::string_view name) {
  constexpr std::array<std::string_view, 4> names{"svm", "search", "both", "axes"};
  for (std::size_t index = 0; index < names.size(); ++index) {
    if (name == names[index]) {
      return static_cast<IdealPoints>(index);
    }
  }
  throw InvalidInput(fmt::format(
      "ideal_points is \"{}\", expected \"svm\", \"search\", \"both\" or \"axes\"", name));
}

HorosphereThreshold parse_horosphere_threshold(std::string_view name) {
  if (name == "gain") {
    return HorosphereThreshold::gain;
  }
  if (name == "margin") {
    return HorosphereThreshold::margin;
  }
  throw InvalidInput(fmt::format("threshold is \"{}\", expected \"gain\" or \"margin\"", name));
}

}  // namespace bentwood
