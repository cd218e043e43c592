#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "bentwood/base/error.hpp"
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

std::vector<std::uint32_t> code_points(std::string_view text) {
  std::vector<std::uint32_t> result;
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    if (length == 0) {
      throw InvalidInput(fmt::format("text {} is not UTF-8", shown(text)));
    }
    result.push_back(code_point(text));
    text.remove_prefix(length);
  }
  return result;
}

}  // namespace

std::string format_npy(MatrixView matrix) {
  std::string result = npy_header("<f8", npy_shape({matrix.n_rows(), matrix.n_cols()}));
  result.append(reinterpret_cast<const char*>(matrix.data()),
                matrix.n_rows() * matrix.n_cols() * sizeof(double));
  return result;
}

std::string format_npy(const NpyArray& array) {
  if (const auto* const numbers = std::get_if<std::vector<double>>(&array.values)) {
    std::string result = npy_header("<f8", npy_shape(array.shape));
    result.append(reinterpret_cast<const char*>(numbers->data()), numbers->size() * sizeof(double));
    return result;
  }
  std::vector<std::vector<std::uint32_t>> texts;
  std::size_t width = 1;
  for (const std::string& text : std::get<std::vector<std::string>>(array.values)) {
    texts.push_back(code_points(text));
    width = std::max(width, texts.back().size());
  }
  std::string result = npy_header(fmt::format("<U{}", width), npy_shape(array.shape));
  for (std::vector<std::uint32_t>& text : texts) {
    text.resize(width);
    result.append(reinterpret_cast<const char*>(text.data()), 4 * width);
  }
  return result;
}

}  // namespace bentwood
