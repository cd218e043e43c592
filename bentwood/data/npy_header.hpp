#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "bentwood/data/byte_stream.hpp"

namespace bentwood {

/// How every NPY file begins.
inline constexpr std::string_view npy_magic = "\x93NUMPY";

/// What the header of an NPY file says.
struct NpyHeader {
  /// The type of an element: '<', '>', '|' or '=', a letter and a size, as in "<f8".
  char byte_order = '|';
  char kind = 'f';
  /// Bytes of an element, or characters for kind 'U'.
  std::size_t size = 8;
  bool fortran_order = false;
  std::vector<std::size_t> shape;

  [[nodiscard]] bool is_text() const { return kind == 'U' || kind == 'S'; }
  /// Bytes of an element in the file.
  [[nodiscard]] std::size_t width() const { return kind == 'U' ? 4 * size : size; }
};

/// Takes magic, version and header; the elements follow. Throws FormatError; every length is checked against
/// the bytes.
[[nodiscard]] NpyHeader read_npy_header(ByteStream& bytes, const std::string& source);

}  // namespace bentwood
