#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "bentwood/base/matrix.hpp"
#include "bentwood/geometry/membership.hpp"

namespace bentwood {

/// An array of an NPY file: numbers as float64 or text, in row-major order whatever the file's order.
struct NpyArray {
  /// One or two lengths.
  std::vector<std::size_t> shape;
  std::variant<std::vector<double>, std::vector<std::string>> values;
  /// float32 where the file holds float32 or float16, whose rounding is coarser still.
  Precision precision = Precision::float64;

  [[nodiscard]] std::size_t n_rows() const { return shape.at(0); }
  /// 1 for a list.
  [[nodiscard]] std::size_t n_cols() const { return shape.size() == 2 ? shape[1] : 1; }
};

/// Reads NumPy's format, versions 1 to 3: float16/32/64, all integers, bool, text ('<U', UTF-8 bytes
/// '|S'), either byte order, C or Fortran order, one or two dimensions.
///
/// Throws FormatError for anything else with the word for it: object, complex, date and structured
/// dtypes, 0 or more than 2 dimensions, a header or shape that does not fit the bytes, integers past
/// 2^53 that float64 cannot hold exactly. Memory is proportional to the bytes, whatever the header says.
[[nodiscard]] NpyArray parse_npy(std::string_view bytes, const std::string& source);

/// The bytes of an NPY file, version 1: '<f8', or '<U' as wide as the longest text.
[[nodiscard]] std::string format_npy(const NpyArray& array);
[[nodiscard]] std::string format_npy(MatrixView matrix);

}  // namespace bentwood
