#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "bentwood/base/error.hpp"
#include "bentwood/model/safetensors.hpp"

namespace bentwood {

/// The length of the JSON of a model's bytes, as they say; 0 where they are too few to say.
inline std::uint64_t header_size(std::string_view bytes) {
  std::uint64_t size = 0;
  if (bytes.size() >= sizeof size) {
    std::memcpy(&size, bytes.data(), sizeof size);
  }
  return size;
}

/// Writes the checksums that fit bytes that were changed, as far as they can still be found.
inline void reseal(std::string& bytes) {
  try {
    const Safetensors file = parse_safetensors(bytes);
    for (const auto& [name, tensor] : file.tensors) {
      const std::string field = "\"xxh3." + name + "\":\"";
      const std::string digits = xxh3_digits(tensor.bytes);
      const std::size_t place = bytes.find(field);
      if (place != std::string::npos && place + field.size() + seal_size <= bytes.size()) {
        std::memcpy(bytes.data() + place + field.size(), digits.data(), seal_size);
      }
    }
  } catch (const Error&) {
    // Whoever reads it will say the same.
  }
  const std::uint64_t size = header_size(bytes);
  if (size <= bytes.size() && 8 + size <= bytes.size() && 8 + size >= seal_begin + seal_size) {
    std::string header = bytes.substr(0, 8 + size);
    header.replace(seal_begin, seal_size, seal_size, '0');
    bytes.replace(seal_begin, seal_size, xxh3_digits(header));
  }
}

}  // namespace bentwood
