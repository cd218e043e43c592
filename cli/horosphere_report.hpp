#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>

#include "bentwood/model/horosphere_classifier.hpp"

namespace bentwood::cli {

/// "3 horospheres, 1.2 kB".
[[nodiscard]] std::string size_text(const HorosphereClassifier& classifier, std::size_t n_bytes);

/// Everything `bentwood inspect` says about horospheres.
[[nodiscard]] std::string model_text(const std::string& source,
                                     const HorosphereClassifier& classifier, std::size_t n_bytes);
[[nodiscard]] nlohmann::ordered_json model_json(const std::string& source,
                                                const HorosphereClassifier& classifier,
                                                std::size_t n_bytes);

/// The settings that shaped a model.
[[nodiscard]] nlohmann::ordered_json parameters_json(const HorosphereClassifier& classifier);

}  // namespace bentwood::cli
