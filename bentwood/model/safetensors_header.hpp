#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bentwood {

/// What the JSON of a safetensors header says of one array.
struct TensorEntry {
  std::optional<std::string> type;
  std::optional<std::vector<std::uint64_t>> shape;
  std::optional<std::vector<std::uint64_t>> offsets;
};

struct SafetensorsHeader {
  std::map<std::string, std::string> metadata;
  std::map<std::string, TensorEntry> tensors;
};

/// Reads the JSON, which can only be
///   {"__metadata__": {name: text, ...}, name: {"dtype": text, "shape": [...], "data_offsets": [...]}, ...}
/// Nothing is nested deeper, no name comes twice. Throws FormatError.
[[nodiscard]] SafetensorsHeader parse_safetensors_header(std::string_view json);

}  // namespace bentwood
