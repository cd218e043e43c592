#pragma once

#include <charconv>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

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

/// The bytes of a tensor, found by its name and offsets; nothing where the header does not have them any more.
inline std::optional<std::string_view> tensor_bytes(std::string_view json, std::string_view data,
                                                    std::string_view name) {
  const std::string field = "\"" + std::string(name) + "\":{\"data_offsets\":[";
  const std::size_t place = json.find(field);
  if (place == std::string_view::npos) {
    return std::nullopt;
  }
  const char* const last = json.data() + json.size();
  std::size_t begin = 0;
  std::size_t end = 0;
  const auto [comma, problem] = std::from_chars(json.data() + place + field.size(), last, begin);
  if (problem != std::errc{} || comma == last) {
    return std::nullopt;
  }
  if (std::from_chars(comma + 1, last, end).ec != std::errc{} || begin > end || end > data.size()) {
    return std::nullopt;
  }
  return data.substr(begin, end - begin);
}

/// Writes the checksums that fit bytes that were changed, as far as they can still be found. Without a JSON parser,
/// which would take longer than the reader that is tested.
inline void reseal(std::string& bytes) {
  constexpr std::size_t length_size = 8;
  const std::uint64_t size = header_size(bytes);
  if (bytes.size() < length_size || size > bytes.size() - length_size) {
    return;
  }
  const std::string_view json = std::string_view(bytes).substr(length_size, size);
  const std::string_view data = std::string_view(bytes).substr(length_size + size);
  constexpr std::string_view mark = "\"xxh3.";
  for (std::size_t place = json.find(mark); place != std::string_view::npos;
       place = json.find(mark, place + 1)) {
    const std::size_t name = place + mark.size();
    const std::size_t quote = json.find('"', name);
    const std::size_t seal = quote + std::string_view("\":\"").size();
    if (quote == std::string_view::npos || seal + seal_size > json.size()) {
      break;
    }
    if (const auto found = tensor_bytes(json, data, json.substr(name, quote - name))) {
      bytes.replace(length_size + seal, seal_size, xxh3_digits(*found));
    }
  }
  if (length_size + size >= seal_begin + seal_size) {
    std::string header = bytes.substr(0, length_size + size);
    header.replace(seal_begin, seal_size, seal_size, '0');
    bytes.replace(seal_begin, seal_size, xxh3_digits(header));
  }
}

}  // namespace bentwood
