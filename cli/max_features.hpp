#pragma once

#include <CLI/App.hpp>
#include <CLI/Validators.hpp>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>

namespace bentwood::cli {

/// Accepts what parse_max_features reads.
[[nodiscard]] CLI::Validator max_features_text();

/// The JSON that Python has for max_features: a name, a count, a fraction, or null for all. Throws InvalidInput.
[[nodiscard]] nlohmann::json parse_max_features(const std::string& text);

/// The same as a number of columns.
[[nodiscard]] std::size_t max_features(const nlohmann::json& json, std::size_t n_columns);

}  // namespace bentwood::cli
