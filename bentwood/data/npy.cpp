#include "bentwood/data/npy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

#include "bentwood/base/error.hpp"
#include "bentwood/base/parallel.hpp"
#include "bentwood/data/npy_header.hpp"
#include "bentwood/data/text.hpp"

namespace bentwood {
namespace {

static_assert(std::endian::native == std::endian::little, "a big-endian machine needs other loads");

constexpr std::size_t block_size = 8192;

/// The unsigned integer of `T`'s size at `at`, in the file's byte order.
template <class T>
T load(const char* at, bool swapped) {
  std::array<char, sizeof(T)> bytes;
  std::memcpy(bytes.data(), at, sizeof(T));
  if (swapped) {
    std::reverse(bytes.begin(), bytes.end());
  }
  return std::bit_cast<T>(bytes);
}

/// IEEE 754 half precision: 1 sign, 5 exponent and 10 fraction bits.
double half_to_double(std::uint16_t bits) {
  const int exponent = (bits >> 10) & 0x1F;
  const double fraction = bits & 0x3FF;
  double size = 0;
  if (exponent == 0x1F) {
    size = fraction == 0 ? std::numeric_limits<double>::infinity()
                         : std::numeric_limits<double>::quiet_NaN();
  } else if (exponent == 0) {
    size = std::ldexp(fraction, -24);
  } else {
    size = std::ldexp(fraction + 1024, exponent - 25);
  }
  return (bits & 0x8000) != 0 ? -size : size;
}

/// Where element (row, col) of an array lies, in elements.
struct Order {
  std::size_t n_rows;
  std::size_t n_cols;
  bool fortran;

  [[nodiscard]] std::size_t operator()(std::size_t row, std::size_t col) const {
    return fortran ? col * n_rows + row : row * n_cols + col;
  }
};

template <class Convert>
void for_each_element(const Order& order, const Convert& convert) {
  const std::size_t rows_a_block = std::max<std::size_t>(1, block_size / std::max<std::size_t>(1, order.n_cols));
  parallel_blocks(order.n_rows, rows_a_block, [&](std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row) {
      for (std::size_t col = 0; col < order.n_cols; ++col) {
        convert(row * order.n_cols + col, order(row, col));
      }
    }
  });
}

template <class T>
void read_as(const char* data, bool swapped, const Order& order, const std::string& source,
             std::vector<double>& out) {
  for_each_element(order, [&](std::size_t target, std::size_t element) {
    const T value = load<T>(data + element * sizeof(T), swapped);
    if constexpr (std::is_integral_v<T> && sizeof(T) == 8) {
      constexpr std::int64_t largest = std::int64_t{1} << 53;
      if (std::cmp_greater(value, largest) || std::cmp_less(value, -largest)) {
        throw FormatError(fmt::format(
            "{}: element {} is {}, past 2^53, which float64 cannot hold exactly", source, target, value));
      }
    }
    out[target] = static_cast<double>(value);
  });
}

std::vector<double> read_numbers(const NpyHeader& header, const char* data, const Order& order,
                                 const std::string& source) {
  std::vector<double> out(order.n_rows * order.n_cols);
  const bool swapped = header.byte_order == '>';
  const auto is = [&](char kind, std::size_t size) {
    return header.kind == kind && header.size == size;
  };
  if (is('f', 8)) {
    read_as<double>(data, swapped, order, source, out);
  } else if (is('f', 4)) {
    read_as<float>(data, swapped, order, source, out);
  } else if (is('f', 2)) {
    for_each_element(order, [&](std::size_t target, std::size_t element) {
      out[target] = half_to_double(load<std::uint16_t>(data + 2 * element, swapped));
    });
  } else if (is('i', 8)) {
    read_as<std::int64_t>(data, swapped, order, source, out);
  } else if (is('i', 4)) {
    read_as<std::int32_t>(data, swapped, order, source, out);
  } else if (is('i', 2)) {
    read_as<std::int16_t>(data, swapped, order, source, out);
  } else if (is('i', 1)) {
    read_as<std::int8_t>(data, swapped, order, source, out);
  } else if (is('u', 8)) {
    read_as<std::uint64_t>(data, swapped, order, source, out);
  } else if (is('u', 4)) {
    read_as<std::uint32_t>(data, swapped, order, source, out);
  } else if (is('u', 2)) {
    read_as<std::uint16_t>(data, swapped, order, source, out);
  } else if (is('u', 1)) {
    read_as<std::uint8_t>(data, swapped, order, source, out);
  } else if (is('b', 1)) {
    for_each_element(order, [&](std::size_t target, std::size_t element) {
      out[target] = data[element] != 0 ? 1 : 0;
    });
  } else {
    throw FormatError(fmt::format("{}: dtype \"{}{}{}\" is not supported, expected numbers or text",
                                  source, header.byte_order, header.kind, header.size));
  }
  return out;
}

/// One element of '<U' (UTF-32) or '|S' (UTF-8), without the NULs that fill it up.
std::string text_element(const NpyHeader& header, const char* at, bool swapped) {
  std::string text;
  if (header.kind == 'S') {
    text.assign(at, header.size);
    text.resize(text.find_last_not_of('\0') + 1);
    return text;
  }
  std::size_t length = header.size;
  while (length > 0 && load<std::uint32_t>(at + 4 * (length - 1), swapped) == 0) {
    --length;
  }
  for (std::size_t index = 0; index < length; ++index) {
    const auto code_point = load<std::uint32_t>(at + 4 * index, swapped);
    // Not UTF-8 in any way, so that the caller's check of all text refuses it.
    is_code_point(code_point) ? append_utf8(text, code_point) : text.push_back('\xff');
  }
  return text;
}

std::vector<std::string> read_strings(const NpyHeader& header, const char* data, const Order& order,
                                      const std::string& source) {
  std::vector<std::string> out(order.n_rows * order.n_cols);
  const std::size_t width = header.kind == 'U' ? 4 * header.size : header.size;
  for_each_element(order, [&](std::size_t target, std::size_t element) {
    out[target] = text_element(header, data + element * width, header.byte_order == '>');
    if (!is_utf8(out[target])) {
      throw FormatError(fmt::format("{}: element {} is not Unicode text", source, target));
    }
  });
  return out;
}

/// The number of elements. Throws where the shape is not one or two lengths that fill the bytes exactly.
std::size_t checked_count(const NpyHeader& header, std::size_t n_bytes, const std::string& source) {
  if (header.shape.empty() || header.shape.size() > 2) {
    throw FormatError(fmt::format("{}: the array has {} dimensions, expected 1 or 2", source,
                                  header.shape.size()));
  }
  const std::size_t largest = std::numeric_limits<std::size_t>::max();
  const std::size_t unit = header.kind == 'U' ? 4 : 1;
  std::size_t needed = header.size;
  std::size_t n_elements = 1;
  bool overflows = header.size == 0 || header.size > largest / unit;
  needed *= unit;
  for (const std::size_t length : header.shape) {
    overflows |= length != 0 && (needed > largest / length || n_elements > largest / length);
    needed *= length;
    n_elements *= length;
  }
  const std::string shape = fmt::format("({})", fmt::join(header.shape, ", "));
  if (overflows) {
    throw FormatError(fmt::format("{}: the shape {} of dtype \"{}{}{}\" cannot be", source, shape,
                                  header.byte_order, header.kind, header.size));
  }
  if (needed != n_bytes) {
    throw FormatError(fmt::format("{}: the shape {} needs {} bytes, found {}", source, shape, needed,
                                  n_bytes));
  }
  return n_elements;
}

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

NpyArray parse_npy(std::string_view bytes, const std::string& source) {
  const NpyHeader header = parse_npy_header(bytes, source);
  bytes.remove_prefix(header.data_begin);
  const std::size_t n_elements = checked_count(header, bytes.size(), source);
  NpyArray array;
  array.shape = header.shape;
  Order order{array.n_rows(), array.n_cols(), header.fortran_order};
  if (n_elements == 0) {
    order = {0, 0, false};
  }
  if (header.kind == 'U' || header.kind == 'S') {
    array.values = read_strings(header, bytes.data(), order, source);
  } else {
    array.values = read_numbers(header, bytes.data(), order, source);
  }
  const bool coarse = header.kind == 'f' && header.size < 8;
  array.precision = coarse ? Precision::float32 : Precision::float64;
  return array;
}

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
