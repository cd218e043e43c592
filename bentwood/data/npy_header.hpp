#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace bentwood {

/// What the header of an NPY file says.
struct NpyHeader {
  /// The type of an element: '<', '>', '|' or '=', a letter and a size, as in "<f8".
  char byte_order = '|';
  char kind = 'f';
  /// Bytes of an element, or characters for kind 'U'.
  std::size_t size = 8;
  bool fortran_order = false;
  std::vector<std::size_t> shape;
  /// Where the elements begin in the file.
  std::size_t data_begin = 0;
};

/// Reads magic, version and header. Throws FormatError; every length is checked against the bytes.
[[nodiscard]] NpyHeader parse_npy_header(std::string_view bytes, const std::string& source);

}  // namespace bentwood
