#include "cli/max_features.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bentwood/base/error.hpp"
#include "bentwood/data/text.hpp"
#include "bentwood/ensemble/train.hpp"

namespace bentwood::cli {

nlohmann::json parse_max_features(const std::string& text) {
  if (text == "all") {
    return nullptr;
  }
  if (text == "sqrt" || text == "log2") {
    return text;
  }
  if (const auto whole = parse_integer(text); whole && *whole >= 1) {
    return *whole;
  }
  double fraction = 0;
  if (!looks_like_integer(text) && parse_number(text, fraction) == NumberKind::number &&
      fraction > 0 && fraction <= 1) {
    return fraction;
  }
  throw InvalidInput(fmt::format(
      "expected a number of columns from 1 on, a fraction in (0, 1], sqrt, log2 or all, "
      "found {}",
      shown(text)));
}

CLI::Validator max_features_text() {
  return {[](const std::string& text) -> std::string {
            try {
              (void)parse_max_features(text);
              return "";
            } catch (const InvalidInput& problem) {
              return problem.what();
            }
          },
          ""};
}

std::size_t max_features(const nlohmann::json& json, std::size_t n_columns) {
  if (json.is_string()) {
    return json == "sqrt" ? square_root_features(n_columns) : logarithm_features(n_columns);
  }
  if (json.is_number_integer()) {
    return std::min(json.get<std::size_t>(), n_columns);
  }
  if (json.is_number()) {
    const double share = json.get<double>() * static_cast<double>(n_columns);
    return std::max<std::size_t>(1, static_cast<std::size_t>(share));
  }
  return n_columns;
}

}  // namespace bentwood::cli
