#include "bentwood/data/npy_header.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>

#include "bentwood/base/error.hpp"
#include "bentwood/data/text.hpp"

namespace bentwood {
namespace {

/// Reads the Python dictionary {'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }.
class HeaderParser {
 public:
  HeaderParser(std::string_view text, const std::string& source) : text_(text), source_(source) {}

  NpyHeader parse() {
    expect('{');
    bool has_descr = false;
    bool has_order = false;
    bool has_shape = false;
    while (!accept('}')) {
      const std::string_view key = quoted();
      expect(':');
      if (key == "descr" && !has_descr) {
        read_descr();
        has_descr = true;
      } else if (key == "fortran_order" && !has_order) {
        read_order();
        has_order = true;
      } else if (key == "shape" && !has_shape) {
        read_shape();
        has_shape = true;
      } else {
        fail();
      }
      if (!accept(',')) {
        expect('}');
        break;
      }
    }
    skip_spaces();
    if (!has_descr || !has_order || !has_shape || at_ != text_.size()) {
      fail();
    }
    return header_;
  }

 private:
  void read_descr() {
    skip_spaces();
    if (at_ < text_.size() && text_[at_] == '[') {
      throw FormatError(fmt::format(
          "{}: a structured dtype, expected one of numbers or text; save its fields apart",
          source_));
    }
    const std::string_view descr = quoted();
    if (descr == "|O" || descr == "O") {
      throw FormatError(fmt::format(
          "{}: an object dtype, which only pickle can read; save it as numbers or text", source_));
    }
    const char* const end = descr.data() + descr.size();
    if (descr.size() < 3) {
      fail();
    }
    const auto [stop, error] = std::from_chars(descr.data() + 2, end, header_.size);
    const bool known_order = std::string_view("<>|=").find(descr[0]) != std::string_view::npos;
    const bool known_kind = std::string_view("fiubUS").find(descr[1]) != std::string_view::npos;
    if (error != std::errc{} || stop != end || !known_order || !known_kind) {
      throw FormatError(fmt::format("{}: dtype {} is not supported, expected numbers or text",
                                    source_, shown(descr)));
    }
    header_.byte_order = descr[0];
    header_.kind = descr[1];
  }

  void read_order() {
    skip_spaces();
    if (text_.substr(at_).starts_with("True")) {
      header_.fortran_order = true;
      at_ += 4;
    } else if (text_.substr(at_).starts_with("False")) {
      at_ += 5;
    } else {
      fail();
    }
  }

  void read_shape() {
    expect('(');
    while (!accept(')')) {
      skip_spaces();
      if (at_ < text_.size() && text_[at_] == '-') {
        throw FormatError(fmt::format("{}: the shape has a negative length", source_));
      }
      const char* const begin = text_.data() + at_;
      std::size_t length = 0;
      const auto [stop, error] = std::from_chars(begin, text_.data() + text_.size(), length);
      if (error == std::errc::result_out_of_range) {
        throw FormatError(fmt::format("{}: the shape has a length beyond 64 bits", source_));
      }
      if (error != std::errc{}) {
        fail();
      }
      at_ += static_cast<std::size_t>(stop - begin);
      (void)accept('L');  // Python 2 wrote its long integers so
      header_.shape.push_back(length);
      if (!accept(',')) {
        expect(')');
        break;
      }
    }
  }

  std::string_view quoted() {
    skip_spaces();
    if (at_ == text_.size() || (text_[at_] != '\'' && text_[at_] != '"')) {
      fail();
    }
    const std::size_t begin = at_ + 1;
    const std::size_t end = text_.find(text_[at_], begin);
    if (end == std::string_view::npos) {
      fail();
    }
    at_ = end + 1;
    return text_.substr(begin, end - begin);
  }

  void skip_spaces() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t')) {
      ++at_;
    }
  }

  bool accept(char wanted) {
    skip_spaces();
    if (at_ < text_.size() && text_[at_] == wanted) {
      ++at_;
      return true;
    }
    return false;
  }

  void expect(char wanted) {
    if (!accept(wanted)) {
      fail();
    }
  }

  [[noreturn]] void fail() const {
    throw FormatError(fmt::format(
        "{}: the NPY header is damaged at {}, expected 'descr', 'fortran_order' and 'shape'",
        source_, at_ < text_.size() ? shown(text_.substr(at_)) : "its end"));
  }

  std::string_view text_;
  const std::string& source_;
  std::size_t at_ = 0;
  NpyHeader header_;
};

}  // namespace

NpyHeader read_npy_header(ByteStream& bytes, const std::string& source) {
  const std::string_view magic = bytes.next(std::min(bytes.left(), npy_magic.size()));
  if (magic != npy_magic) {
    throw FormatError(fmt::format("{}: is not an NPY file", source));
  }
  constexpr std::size_t version_size = 4;
  if (bytes.left() < version_size) {
    throw FormatError(fmt::format("{}: the NPY header is cut short", source));
  }
  const auto number = [](std::string_view digits) {
    std::size_t value = 0;
    for (std::size_t at = digits.size(); at-- > 0;) {
      value = (value << 8) | static_cast<unsigned char>(digits[at]);
    }
    return value;
  };
  const std::string_view begin = bytes.next(version_size);
  const std::size_t version = number(begin.substr(0, 1));
  if (version < 1 || version > 3) {
    throw FormatError(fmt::format("{}: NPY version {}, expected 1, 2 or 3", source, version));
  }
  std::size_t length = number(begin.substr(2));
  if (version > 1) {
    length += number(bytes.next(std::min<std::size_t>(bytes.left(), 2))) << 16;
  }
  if (length > bytes.left()) {
    throw FormatError(fmt::format("{}: the NPY header is {} bytes long, but only {} bytes follow",
                                  source, length, bytes.left()));
  }
  return HeaderParser(bytes.next(length), source).parse();
}

}  // namespace bentwood
