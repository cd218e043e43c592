#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace bentwood {

/// The types of numbers that model files hold.
enum class TensorType : std::uint8_t { f64, i32, u32, u64 };

/// An array within a file.
struct Tensor {
  TensorType type = TensorType::f64;
  std::vector<std::uint64_t> shape;
  /// The numbers, little-endian, in C order: a view while reading, owned by nobody.
  std::string_view bytes;
};

/// Named arrays and text in the format of the safetensors library (https://github.com/huggingface/safetensors): the
/// header's length in 8 bytes, the header in JSON, the arrays end to end. Any tool that knows the
/// format can open such a file, and nothing in it can run.
///
/// Ours are sealed: the metadata begins with "checksum", the XXH3 of all bytes before the arrays with its own 16 digits taken
/// as 0, and hold an XXH3 of every array under "xxh3.<name>". So no byte can change unnoticed.
struct Safetensors {
  std::map<std::string, std::string> metadata;
  std::map<std::string, Tensor> tensors;
};

/// Reads a header and finds the arrays, which must fill the file; checks no checksum. Throws FormatError
/// without the file's name.
[[nodiscard]] Safetensors parse_safetensors(std::string_view bytes);

/// Checks all checksums of a file that parse_safetensors has read. Throws FormatError.
void check_seals(std::string_view bytes, const Safetensors& file);

/// The bytes before the arrays, sealed; the arrays follow in the order of `order`, which names each once. The same
/// contents give the same bytes. Requires text in UTF-8.
[[nodiscard]] std::string sealed_header(const Safetensors& file,
                                        const std::vector<std::string>& order);

/// XXH3 with 64 bits, as 16 hexadecimal digits.
[[nodiscard]] std::string xxh3_digits(std::string_view bytes);

/// Where the digits of "checksum" stand in a file.
inline constexpr std::string_view seal_prefix = R"({"__metadata__":{"checksum":")";
inline constexpr std::size_t seal_begin = sizeof(std::uint64_t) + seal_prefix.size();
inline constexpr std::size_t seal_size = 16;

}  // namespace bentwood
