#include "bentwood/model/safetensors.hpp"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <nlohmann/json.hpp>
#include <utility>

#include "bentwood/base/error.hpp"
#include "bentwood/data/text.hpp"
#include "bentwood/model/safetensors_header.hpp"

static_assert(std::endian::native == std::endian::little, "model files are written as memory is");

namespace bentwood {
namespace {

constexpr std::size_t length_size = sizeof(std::uint64_t);

struct TypeFacts {
  std::string_view name;
  std::size_t size;
};
/// In the order of TensorType.
constexpr std::array<TypeFacts, 4> type_facts{{{"F64", 8}, {"I32", 4}, {"U32", 4}, {"U64", 8}}};

TensorType type_named(std::string_view name, const std::string& tensor) {
  const auto* const found = std::ranges::find(type_facts, name, &TypeFacts::name);
  if (found == type_facts.end()) {
    throw FormatError(fmt::format("tensor {} has the type {}, expected F64, I32, U32 or U64",
                                  shown(tensor), shown(name)));
  }
  return static_cast<TensorType>(found - type_facts.begin());
}

std::size_t size_of(TensorType type) { return type_facts.at(static_cast<std::size_t>(type)).size; }

/// The sum, or the largest number where it would be larger.
std::uint64_t sum(std::uint64_t a, std::uint64_t b) {
  std::uint64_t result = 0;
  return __builtin_add_overflow(a, b, &result) ? ~std::uint64_t{0} : result;
}

/// The bytes that a shape asks for, or more than any file has.
std::uint64_t n_bytes(TensorType type, const std::vector<std::uint64_t>& shape) {
  std::uint64_t result = size_of(type);
  for (const std::uint64_t extent : shape) {
    if (__builtin_mul_overflow(result, extent, &result)) {
      return ~std::uint64_t{0};
    }
  }
  return result;
}

/// The length of the header's JSON.
std::size_t header_size(std::string_view bytes) {
  std::uint64_t size = 0;
  if (bytes.size() < length_size) {
    throw FormatError(
        fmt::format("is not a model, or was cut short: it has {} bytes, expected at least {}",
                    bytes.size(), length_size));
  }
  std::memcpy(&size, bytes.data(), length_size);
  if (size > bytes.size() - length_size) {
    throw FormatError(
        fmt::format("is not a model, or was cut short: it has {} bytes, its header alone needs {}",
                    bytes.size(), sum(length_size, size)));
  }
  return static_cast<std::size_t>(size);
}

/// The arrays end where the header says that the last of them ends, or the file was cut short.
void require_length(const SafetensorsHeader& header, std::size_t before_data, std::size_t n_bytes) {
  std::uint64_t end = 0;
  for (const auto& [name, entry] : header.tensors) {
    if (entry.offsets && !entry.offsets->empty()) {
      end = std::max(end, entry.offsets->back());
    }
  }
  if (end > n_bytes - before_data) {
    throw FormatError(fmt::format("was cut short: it has {} bytes, its header announces {}",
                                  n_bytes, sum(before_data, end)));
  }
}

Tensor find_tensor(const std::string& name, TensorEntry&& entry, std::string_view data) {
  if (!entry.type || !entry.shape || !entry.offsets || entry.offsets->size() != 2) {
    throw FormatError(
        fmt::format("tensor {} lacks its dtype, shape or two data_offsets", shown(name)));
  }
  const TensorType type = type_named(*entry.type, name);
  const std::uint64_t begin = entry.offsets->front();
  const std::uint64_t end = entry.offsets->back();
  if (begin > end) {
    throw FormatError(
        fmt::format("tensor {} begins at byte {} and ends at {}", shown(name), begin, end));
  }
  if (end - begin != n_bytes(type, *entry.shape)) {
    throw FormatError(
        fmt::format("tensor {} has {} bytes, which is not its shape", shown(name), end - begin));
  }
  return {type, std::move(*entry.shape), data.substr(begin, end - begin)};
}

/// Arrays fill the file: no gaps that could hide something, no overlaps.
void require_tiling(const std::map<std::string, Tensor>& tensors, std::string_view data) {
  std::vector<std::pair<std::size_t, std::size_t>> places;
  places.reserve(tensors.size());
  for (const auto& [name, tensor] : tensors) {
    const auto begin = static_cast<std::size_t>(tensor.bytes.data() - data.data());
    places.emplace_back(begin, begin + tensor.bytes.size());
  }
  std::ranges::sort(places);
  std::size_t end = 0;
  for (const auto& [begin, next] : places) {
    if (begin != end) {
      throw FormatError(fmt::format("the tensors overlap or leave a gap at byte {}", end));
    }
    end = next;
  }
  if (end != data.size()) {
    throw FormatError(fmt::format("the tensors end at byte {} of {}", end, data.size()));
  }
}

std::string header_digits(std::string_view bytes, std::size_t size) {
  std::string unsealed(bytes.substr(0, size));
  unsealed.replace(seal_begin, seal_size, seal_size, '0');
  return xxh3_digits(unsealed);
}

}  // namespace

std::string xxh3_digits(std::string_view bytes) {
  return fmt::format("{:016x}", XXH3_64bits(bytes.data(), bytes.size()));
}

Safetensors parse_safetensors(std::string_view bytes) {
  const std::size_t size = header_size(bytes);
  SafetensorsHeader header = parse_safetensors_header(bytes.substr(length_size, size));
  require_length(header, length_size + size, bytes.size());
  const std::string_view data = bytes.substr(length_size + size);
  Safetensors result;
  result.metadata = std::move(header.metadata);
  for (auto& [name, entry] : header.tensors) {
    result.tensors.emplace(name, find_tensor(name, std::move(entry), data));
  }
  require_tiling(result.tensors, data);
  return result;
}

void check_seals(std::string_view bytes, const Safetensors& file) {
  const std::size_t before_data = length_size + header_size(bytes);
  const auto changed = [](std::string_view what) {
    throw FormatError(fmt::format(
        "the checksum of {} is wrong: the file was changed after it was written", what));
  };
  if (before_data < seal_begin + seal_size || !bytes.substr(length_size).starts_with(seal_prefix) ||
      bytes.substr(seal_begin, seal_size) != header_digits(bytes, before_data)) {
    changed("the header");
  }
  for (const auto& [name, tensor] : file.tensors) {
    const auto found = file.metadata.find("xxh3." + name);
    if (found == file.metadata.end() || found->second != xxh3_digits(tensor.bytes)) {
      changed("tensor " + shown(name));
    }
  }
}

std::string sealed_header(const Safetensors& file, const std::vector<std::string>& order) {
  nlohmann::json header;  // its objects are sorted by name
  nlohmann::json& metadata = header["__metadata__"] = file.metadata;
  metadata["checksum"] = std::string(seal_size, '0');
  std::size_t begin = 0;
  for (const std::string& name : order) {
    const Tensor& tensor = file.tensors.at(name);
    const std::size_t end = begin + tensor.bytes.size();
    header[name] = {{"dtype", type_facts.at(static_cast<std::size_t>(tensor.type)).name},
                    {"shape", tensor.shape},
                    {"data_offsets", {begin, end}}};
    metadata["xxh3." + name] = xxh3_digits(tensor.bytes);
    begin = end;
  }
  std::string json = header.dump();
  json.append((length_size - json.size() % length_size) % length_size, ' ');
  const std::uint64_t size = json.size();
  std::string result(length_size, '\0');
  std::memcpy(result.data(), &size, length_size);
  result += json;
  result.replace(seal_begin, seal_size, header_digits(result, result.size()));
  return result;
}

}  // namespace bentwood
