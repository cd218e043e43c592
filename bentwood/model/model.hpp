#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <variant>

#include "bentwood/model/file.hpp"
#include "bentwood/model/forest.hpp"
#include "bentwood/model/geodesic_forest.hpp"
#include "bentwood/model/horosphere_classifier.hpp"
#include "bentwood/model/linear_classifier.hpp"
#include "bentwood/model/safetensors.hpp"

namespace bentwood {

class Input;

/// Anything that a model file can hold.
using Model = std::variant<Forest, HorosphereClassifier, LinearClassifier, GeodesicForest>;

/// A classifier as the bytes of a safetensors file, as file.hpp has it for a forest.
[[nodiscard]] std::string to_bytes(const HorosphereClassifier& classifier);
[[nodiscard]] std::string to_bytes(const LinearClassifier& classifier);
[[nodiscard]] std::string to_bytes(const GeodesicForest& forest);

/// The classifier of a file whose checksums are right. Throws Error about anything else that is wrong.
[[nodiscard]] HorosphereClassifier horosphere_classifier(const Safetensors& file);
[[nodiscard]] LinearClassifier linear_classifier(const Safetensors& file);
/// `n_bytes` is the length of the file.
[[nodiscard]] GeodesicForest geodesic_forest(const Safetensors& file, std::size_t n_bytes);

/// What a message calls a model: "a forest", "horospheres", "a linear classifier", "a geodesic forest".
[[nodiscard]] std::string_view kind_text(const Model& model);

/// Reads the bytes of any model, as hostile as from_bytes (file.hpp) expects them. Throws FormatError that names `source`.
[[nodiscard]] Model model_from_bytes(std::string_view bytes, const std::string& source = "model");

/// Writes a model to a file ("-": standard output), and reads any; see file.hpp.
void save(const HorosphereClassifier& classifier, const std::string& path);
void save(const LinearClassifier& classifier, const std::string& path);
void save(const GeodesicForest& forest, const std::string& path);
[[nodiscard]] Model load_model(const std::string& path);
/// The same from an input that somebody has opened, and maybe looked at; `n_bytes` becomes the model's length.
[[nodiscard]] Model load_model(Input& input, std::size_t& n_bytes);
/// Whether an input begins as model files do: the length of a safetensors header, then the header. What it holds stays to
/// be read.
[[nodiscard]] bool holds_model(Input& input);

}  // namespace bentwood
