#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>

#include "bentwood/model/linear_classifier.hpp"

namespace bentwood::cli {

/// "3 boundaries, 1200 bytes".
[[nodiscard]] std::string size_text(const LinearClassifier& classifier, std::size_t n_bytes);

/// Everything `bentwood inspect` says about a linear classifier.
[[nodiscard]] std::string model_text(const std::string& source, const LinearClassifier& classifier,
                                     std::size_t n_bytes);
[[nodiscard]] nlohmann::ordered_json model_json(const std::string& source,
                                                const LinearClassifier& classifier,
                                                std::size_t n_bytes);

/// The settings that shaped a model.
[[nodiscard]] nlohmann::ordered_json parameters_json(const LinearClassifier& classifier);

}  // namespace bentwood::cli
