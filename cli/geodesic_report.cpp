#include "cli/geodesic_report.hpp"

#include <fmt/format.h>

#include "bentwood/data/text.hpp"

namespace bentwood::cli {

std::string model_text(const std::string& source, const GeodesicForest& forest, std::size_t n_bytes,
                       const ShownTree& shown) {
  constexpr std::size_t longest_name = 40;
  std::string out =
      fmt::format("{}: {}, {}\n  task         neighbors\n", source,
                  printable(forest.forest.estimator, longest_name), bytes_text(n_bytes));
  out += space_text(forest.forest);
  out += fmt::format("  rows         {}\n", forest.n_rows);
  out += growth_text(forest.forest, model_size(forest.forest, n_bytes));
  return out + importances_text(forest.forest) + shown_tree_text(forest.forest, shown);
}

nlohmann::ordered_json model_json(const std::string& source, const GeodesicForest& forest,
                                  std::size_t n_bytes, const ShownTree& shown) {
  nlohmann::ordered_json json{
      {"source", source}, {"estimator", forest.forest.estimator}, {"task", "neighbors"}};
  add_space(json, forest.forest);
  json["rows"] = forest.n_rows;
  json["counted"] = name(forest.counted);
  json["size"] = size_json(model_size(forest.forest, n_bytes));
  json["parameters"] = parameters_json(forest.forest);
  add_importances(json, forest.forest);
  add_shown_tree(json, forest.forest, shown);
  return json;
}

}  // namespace bentwood::cli
