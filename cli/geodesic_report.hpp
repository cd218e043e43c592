#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>

#include "bentwood/model/geodesic_forest.hpp"
#include "cli/model_report.hpp"

namespace bentwood::cli {

/// Everything `bentwood inspect` says about a geodesic forest.
[[nodiscard]] std::string model_text(const std::string& source, const GeodesicForest& forest,
                                     std::size_t n_bytes, const ShownTree& shown);
[[nodiscard]] nlohmann::ordered_json model_json(const std::string& source,
                                                const GeodesicForest& forest, std::size_t n_bytes,
                                                const ShownTree& shown);

}  // namespace bentwood::cli
