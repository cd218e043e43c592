#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>

#include "bentwood/model/geodesic_forest.hpp"

namespace bentwood::cli {

/// Everything `bentwood inspect` says about a geodesic forest. Its trees are not shown: what they cut are sums of columns.
[[nodiscard]] std::string model_text(const std::string& source, const GeodesicForest& forest,
                                     std::size_t n_bytes);
[[nodiscard]] nlohmann::ordered_json model_json(const std::string& source,
                                                const GeodesicForest& forest, std::size_t n_bytes);

}  // namespace bentwood::cli
