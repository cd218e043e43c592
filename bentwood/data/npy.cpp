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
#include "bentwood/data/table.hpp"
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

/// Where the elements of an array go: that of a row and a column to first[col][row * stride].
template <class T>
struct Places {
  std::vector<T*> first;
  std::size_t stride = 1;
};

/// Calls convert(bytes, row, col) for all elements, in the order of the file.
template <class Convert>
void for_each_element(ByteStream& bytes, const NpyHeader& header, std::size_t n_elements,
                      const Convert& convert) {
  const std::size_t n_rows = header.shape[0];
  const std::size_t n_cols = n_elements / n_rows;
  const std::size_t width = header.width();
  for (std::size_t done = 0; done < n_elements;) {
    const std::size_t n_now =
        std::min(n_elements - done, std::max<std::size_t>(1, bytes.piece_size() / width));
    const char* const data = bytes.next(n_now * width).data();
    parallel_blocks(n_now, block_size, [&](std::size_t begin, std::size_t end) {
      const std::size_t inner = header.fortran_order ? n_rows : n_cols;
      std::size_t slow = (done + begin) / inner;
      std::size_t fast = (done + begin) % inner;
      for (std::size_t element = begin; element < end; ++element) {
        const std::size_t row = header.fortran_order ? fast : slow;
        convert(data + element * width, row, header.fortran_order ? slow : fast);
        if (++fast == inner) {
          fast = 0;
          ++slow;
        }
      }
    });
    done += n_now;
  }
}

/// Reads one array into its places; the members are what all its elements share.
class ElementReader {
 public:
  ElementReader(ByteStream& bytes, const NpyHeader& header, std::size_t n_elements,
                const std::string& source)
      : bytes_(bytes), header_(header), n_elements_(n_elements), source_(source) {}

  void read(const Places<double>& places) const {
    const auto is = [&](char kind, std::size_t size) {
      return header_.kind == kind && header_.size == size;
    };
    if (is('f', 8)) {
      read_as<double>(places);
    } else if (is('f', 4)) {
      read_as<float>(places);
    } else if (is('f', 2)) {
      read_by(places, [swapped = swapped()](const char* at) {
        return half_to_double(load<std::uint16_t>(at, swapped));
      });
    } else if (is('i', 8)) {
      read_as<std::int64_t>(places);
    } else if (is('i', 4)) {
      read_as<std::int32_t>(places);
    } else if (is('i', 2)) {
      read_as<std::int16_t>(places);
    } else if (is('i', 1)) {
      read_as<std::int8_t>(places);
    } else if (is('u', 8)) {
      read_as<std::uint64_t>(places);
    } else if (is('u', 4)) {
      read_as<std::uint32_t>(places);
    } else if (is('u', 2)) {
      read_as<std::uint16_t>(places);
    } else if (is('u', 1)) {
      read_as<std::uint8_t>(places);
    } else if (is('b', 1)) {
      read_by(places, [](const char* at) { return *at != 0 ? 1.0 : 0.0; });
    } else {
      throw FormatError(
          fmt::format("{}: dtype \"{}{}{}\" is not supported, expected numbers or text", source_,
                      header_.byte_order, header_.kind, header_.size));
    }
  }

  void read(const Places<std::string>& places) const {
    for_each_element(
        bytes_, header_, n_elements_, [&](const char* at, std::size_t row, std::size_t col) {
          std::string& text = places.first[col][row * places.stride];
          text = text_element(header_, at, swapped());
          if (!is_utf8(text)) {
            throw FormatError(
                fmt::format("{}: element {} is not Unicode text", source_, number_of(row, col)));
          }
        });
  }

 private:
  [[nodiscard]] bool swapped() const { return header_.byte_order == '>'; }
  /// Counted along the rows.
  [[nodiscard]] std::size_t number_of(std::size_t row, std::size_t col) const {
    return row * (n_elements_ / header_.shape[0]) + col;
  }

  template <class Number>
  void read_by(const Places<double>& places, const Number& number) const {
    for_each_element(bytes_, header_, n_elements_,
                     [&](const char* at, std::size_t row, std::size_t col) {
                       places.first[col][row * places.stride] = number(at);
                     });
  }

  template <class T>
  void read_as(const Places<double>& places) const {
    for_each_element(
        bytes_, header_, n_elements_, [&](const char* at, std::size_t row, std::size_t col) {
          const T value = load<T>(at, swapped());
          if constexpr (std::is_integral_v<T> && sizeof(T) == 8) {
            constexpr std::int64_t largest = std::int64_t{1} << 53;
            if (std::cmp_greater(value, largest) || std::cmp_less(value, -largest)) {
              throw FormatError(
                  fmt::format("{}: element {} is {}, past 2^53, which float64 cannot hold exactly",
                              source_, number_of(row, col), value));
            }
          }
          places.first[col][row * places.stride] = static_cast<double>(value);
        });
  }

  ByteStream& bytes_;
  const NpyHeader& header_;
  std::size_t n_elements_;
  const std::string& source_;
};

/// The number of elements. Throws where the shape is not one or two lengths that fill the bytes
/// exactly.
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
    throw FormatError(
        fmt::format("{}: the shape {} needs {} bytes, found {}", source, shape, needed, n_bytes));
  }
  return n_elements;
}

template <class T>
void read_array(const ElementReader& elements, NpyArray& array, std::size_t n_elements) {
  auto& values = array.values.emplace<std::vector<T>>(n_elements);
  if (n_elements == 0) {
    return;
  }
  Places<T> places{{}, array.n_cols()};
  for (std::size_t col = 0; col < array.n_cols(); ++col) {
    places.first.push_back(values.data() + col);
  }
  elements.read(places);
}

template <class T>
void read_columns(const ElementReader& elements, NpyColumns& columns) {
  Places<T> places;
  for (NpyValues& column : columns.values) {
    throw_if_interrupted();
    places.first.push_back(column.emplace<std::vector<T>>(columns.n_rows).data());
  }
  elements.read(places);
}

}  // namespace

NpyReader::NpyReader(ByteStream& bytes, std::string source)
    : bytes_(bytes),
      source_(std::move(source)),
      header_(read_npy_header(bytes, source_)),
      n_elements_(checked_count(header_, bytes.left(), source_)) {}

std::size_t NpyReader::memory() const {
  return n_elements_ * (header_.is_text() ? sizeof(std::string) : sizeof(double));
}

Precision NpyReader::precision() const {
  const bool coarse = header_.kind == 'f' && header_.size < 8;
  return coarse ? Precision::float32 : Precision::float64;
}

NpyArray NpyReader::array() {
  NpyArray array;
  array.shape = header_.shape;
  array.precision = precision();
  const ElementReader elements(bytes_, header_, n_elements_, source_);
  if (header_.is_text()) {
    read_array<std::string>(elements, array, n_elements_);
  } else {
    read_array<double>(elements, array, n_elements_);
  }
  return array;
}

NpyColumns NpyReader::columns() {
  NpyColumns columns;
  columns.n_rows = header_.shape[0];
  columns.precision = precision();
  const std::size_t n_cols = header_.shape.size() == 2 ? header_.shape[1] : 1;
  if (n_elements_ == 0) {
    throw FormatError(fmt::format("{}: the array has shape ({}, {}), expected rows and columns",
                                  source_, columns.n_rows, n_cols));
  }
  if (n_cols > most_columns) {
    throw FormatError(fmt::format("{}: the array has {} columns, expected at most {}", source_,
                                  n_cols, most_columns));
  }
  columns.values.resize(n_cols);
  const ElementReader elements(bytes_, header_, n_elements_, source_);
  if (header_.is_text()) {
    read_columns<std::string>(elements, columns);
  } else {
    read_columns<double>(elements, columns);
  }
  return columns;
}

NpyArray parse_npy(std::string_view bytes, const std::string& source) {
  MemoryStream stream(bytes);
  return NpyReader(stream, source).array();
}

}  // namespace bentwood
