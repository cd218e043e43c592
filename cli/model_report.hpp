#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "bentwood/model/forest.hpp"

namespace bentwood::cli {

/// The size of a model.
struct ModelSize {
  std::size_t n_trees = 0;
  std::size_t n_nodes = 0;
  std::size_t n_leaves = 0;
  /// Of the deepest tree, and of the average one.
  std::size_t depth = 0;
  double mean_depth = 0;
  std::size_t n_bytes = 0;
};
[[nodiscard]] ModelSize model_size(const Forest& forest, std::size_t n_bytes);

/// "100 trees, 5400 nodes, depth 12, 133 kB".
[[nodiscard]] std::string size_text(const ModelSize& size);
[[nodiscard]] nlohmann::ordered_json size_json(const ModelSize& size);

/// The settings that shaped a model.
[[nodiscard]] nlohmann::ordered_json parameters_json(const Forest& forest);

/// "133.0 kB".
[[nodiscard]] std::string bytes_text(std::size_t n_bytes);

/// Which tree of a model to show, and how deep: 3 levels in a report unless it says otherwise.
struct ShownTree {
  std::size_t tree = 0;
  std::optional<std::size_t> depth{};
};

// The parts of a report that forests of all kinds have: the lines about the points they take, about size and parameters, the bars of
// importances, and a tree.
[[nodiscard]] std::string space_text(const Forest& forest);
[[nodiscard]] std::string growth_text(const Forest& forest, const ModelSize& size);
[[nodiscard]] std::string importances_text(const Forest& forest);
[[nodiscard]] std::string shown_tree_text(const Forest& forest, const ShownTree& shown);
// The same as keys of a JSON report.
void add_space(nlohmann::ordered_json& json, const Forest& forest);
void add_importances(nlohmann::ordered_json& json, const Forest& forest);
void add_shown_tree(nlohmann::ordered_json& json, const Forest& forest, const ShownTree& shown);

/// Everything `bentwood inspect` says about a model.
[[nodiscard]] std::string model_text(const std::string& source, const Forest& forest,
                                     std::size_t n_bytes, const ShownTree& shown);
[[nodiscard]] nlohmann::ordered_json model_json(const std::string& source, const Forest& forest,
                                                std::size_t n_bytes, const ShownTree& shown);

}  // namespace bentwood::cli
