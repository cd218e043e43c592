#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "bentwood/base/matrix.hpp"
#include "bentwood/data/byte_stream.hpp"
#include "bentwood/data/npy_header.hpp"
#include "bentwood/geometry/membership.hpp"

namespace bentwood {

using NpyValues = std::variant<std::vector<double>, std::vector<std::string>>;

/// An array of an NPY file: numbers as float64 or text, in row-major order whatever the file's
/// order.
struct NpyArray {
  /// One or two lengths.
  std::vector<std::size_t> shape;
  NpyValues values;
  /// float32 where the file holds float32 or float16, whose rounding is coarser still.
  Precision precision = Precision::float64;

  [[nodiscard]] std::size_t n_rows() const { return shape.at(0); }
  /// 1 for a list.
  [[nodiscard]] std::size_t n_cols() const { return shape.size() == 2 ? shape[1] : 1; }
};

/// The columns of a matrix, or the one of a list.
struct NpyColumns {
  std::size_t n_rows = 0;
  std::vector<NpyValues> values;
  /// As in NpyArray.
  Precision precision = Precision::float64;
};

/// Reads NumPy's format, versions 1 to 3: float16/32/64, all integers, bool, text ('<U', UTF-8
/// bytes '|S'), either byte order, C or Fortran order, one or two dimensions. Elements go straight to where they
/// stay: beside a piece of the stream there is one copy of them.
///
/// Throws FormatError for anything else with the word for it: object, complex, date and structured
/// dtypes, 0 or more than 2 dimensions, a header or shape that does not fit the bytes, integers
/// past 2^53 that float64 cannot hold exactly. Memory is proportional to the bytes, whatever the
/// header says.
class NpyReader {
 public:
  /// Takes the header. `bytes` must outlive the reader.
  NpyReader(ByteStream& bytes, std::string source);

  [[nodiscard]] const NpyHeader& header() const { return header_; }
  /// Bytes that the elements will take, without what long texts need besides.
  [[nodiscard]] std::size_t memory() const;

  /// Takes the elements; one of the two, once.
  [[nodiscard]] NpyArray array();
  /// Throws FormatError, too, where there are no rows or more than `most_columns` columns.
  [[nodiscard]] NpyColumns columns();

 private:
  [[nodiscard]] Precision precision() const;

  ByteStream& bytes_;
  std::string source_;
  NpyHeader header_;
  std::size_t n_elements_;
};

/// The array of a file in memory.
[[nodiscard]] NpyArray parse_npy(std::string_view bytes, const std::string& source);

/// The bytes of an NPY file, version 1: '<f8', or '<U' as wide as the longest text.
[[nodiscard]] std::string format_npy(const NpyArray& array);
[[nodiscard]] std::string format_npy(MatrixView matrix);

}  // namespace bentwood
