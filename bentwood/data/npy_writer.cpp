#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "bentwood/base/error.hpp"
#include "bentwood/base/parallel.hpp"
#include "bentwood/data/append_bytes.hpp"
#include "bentwood/data/npy.hpp"
#include "bentwood/data/text.hpp"

namespace bentwood {
namespace {

std::string npy_header(std::string_view descr, std::string_view shape) {
  std::string dictionary =
      fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': {}, }}", descr, shape);
  // The elements begin at a multiple of 64 bytes, so that the file can be mapped into memory.
  constexpr std::size_t before = 10;
  constexpr std::size_t alignment = 64;
  dictionary.append(alignment - 1 - (before + dictionary.size()) % alignment, ' ');
  dictionary += '\n';
  std::string result("\x93NUMPY\x01\x00", 8);
  result += static_cast<char>(dictionary.size() & 0xFF);
  result += static_cast<char>(dictionary.size() >> 8);
  return result + dictionary;
}

std::string npy_shape(const std::vector<std::size_t>& shape) {
  return shape.size() == 1 ? fmt::format("({},)", shape[0])
                           : fmt::format("({})", fmt::join(shape, ", "));
}

/// Counts the code points. Throws InvalidInput where the text is not UTF-8.
std::size_t n_code_points(std::string_view text) {
  std::size_t count = 0;
  for (std::string_view rest = text; !rest.empty(); ++count) {
    const std::size_t length = utf8_length(rest);
    if (length == 0) {
      throw InvalidInput(fmt::format("text {} is not UTF-8", shown(rest)));
    }
    rest.remove_prefix(length);
  }
  return count;
}

/// Appends the code points of a text in UTF-32, filled up with zeros.
void append_utf32(std::string& out, std::string_view text, std::size_t width) {
  const std::size_t end = out.size() + sizeof(std::uint32_t) * width;
  while (!text.empty()) {
    const std::uint32_t point = code_point(text);
    out.append(reinterpret_cast<const char*>(&point), sizeof point);
    text.remove_prefix(utf8_length(text));
  }
  out.resize(end);
}

std::string numbers_npy(const std::vector<std::size_t>& shape, const double* numbers,
                        std::size_t n_numbers) {
  std::string result = npy_header("<f8", npy_shape(shape));
  const std::string_view bytes(reinterpret_cast<const char*>(numbers), n_numbers * sizeof(double));
  result.reserve(result.size() + bytes.size());
  append_bytes(result, bytes);
  return result;
}

std::string texts_npy(const std::vector<std::size_t>& shape,
                      const std::vector<std::string>& texts) {
  std::size_t width = 1;
  for (const std::string& text : texts) {
    throw_if_interrupted();
    width = std::max(width, n_code_points(text));
  }
  std::string result = npy_header(fmt::format("<U{}", width), npy_shape(shape));
  result.reserve(result.size() + sizeof(std::uint32_t) * width * texts.size());
  for (const std::string& text : texts) {
    throw_if_interrupted();
    append_utf32(result, text, width);
  }
  return result;
}

}  // namespace

std::string format_npy(MatrixView matrix) {
  return numbers_npy({matrix.n_rows(), matrix.n_cols()}, matrix.data(),
                     matrix.n_rows() * matrix.n_cols());
}

std::string format_npy(const NpyArray& array) {
  if (const auto* const numbers = std::get_if<std::vector<double>>(&array.values)) {
    return numbers_npy(array.shape, numbers->data(), numbers->size());
  }
  return texts_npy(array.shape, std::get<std::vector<std::string>>(array.values));
}

}  // namespace bentwood
