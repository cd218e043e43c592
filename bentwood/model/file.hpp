#pragma once

#include <string>
#include <string_view>

#include "bentwood/model/forest.hpp"

namespace bentwood {

/// The newest format of model files that this version reads; it writes the oldest one that can hold a model: 5 where forests tell more
/// than most_dense_classes classes, 3 or 4 for geodesic forests, 2 where the trees of other forests may have columns of their own, else 1.
/// Files of older formats can always be read.
inline constexpr int model_format_version = 5;

/// A model as the bytes of a safetensors file (safetensors.hpp; docs/model-file.md says what is in it). Equal models
/// give equal bytes. Throws FormatError where the model is not whole (check_forest), InvalidInput where a name
/// is not UTF-8 or a parameter not JSON.
[[nodiscard]] std::string to_bytes(const Forest& forest);

/// Reads such bytes. They may come from anywhere: all is checked, and no memory is taken out of proportion to their number. Throws
/// FormatError that names `source`.
[[nodiscard]] Forest from_bytes(std::string_view bytes, const std::string& source = "model");

/// Writes a model to a file ("-": standard output). A crash or a full disk leaves the old file or the new one.
/// Throws IoError, and what to_bytes throws.
void save(const Forest& forest, const std::string& path);

/// Reads a model from a file ("-": standard input). Throws IoError or FormatError that names it.
[[nodiscard]] Forest load(const std::string& path);

}  // namespace bentwood
