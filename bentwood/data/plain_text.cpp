#include "bentwood/data/plain_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bentwood/base/error.hpp"

namespace bentwood {

std::string_view plain_text(std::string_view bytes, const std::string& source) {
  if (bytes.starts_with("\xff\xfe") || bytes.starts_with("\xfe\xff")) {
    throw FormatError(fmt::format("{}: is UTF-16 or UTF-32 text, expected UTF-8", source));
  }
  if (bytes.starts_with("\xef\xbb\xbf")) {
    bytes.remove_prefix(3);
  }
  if (const std::size_t nul = bytes.find('\0'); nul != std::string_view::npos) {
    const auto line = std::count(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(nul), '\n');
    throw FormatError(fmt::format("{}:{}: holds a NUL byte, expected text", source, line + 1));
  }
  while (bytes.ends_with("\n\n") || bytes.ends_with("\n\r\n")) {
    bytes.remove_suffix(bytes.ends_with("\n\n") ? 1 : 2);
  }
  if (bytes.empty() || bytes == "\n" || bytes == "\r\n") {
    throw FormatError(fmt::format("{}: the file is empty", source));
  }
  return bytes;
}

std::string_view take_word(std::string_view& line) {
  constexpr std::string_view spaces = " \t";
  const std::size_t begin = line.find_first_not_of(spaces);
  if (begin == std::string_view::npos) {
    line = {};
    return {};
  }
  line.remove_prefix(begin);
  const std::size_t length = std::min(line.find_first_of(spaces), line.size());
  const std::string_view word = line.substr(0, length);
  line.remove_prefix(length);
  return word;
}

}  // namespace bentwood
