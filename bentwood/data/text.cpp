#include "bentwood/data/text.hpp"

#include <fast_float/fast_float.h>
#include <fmt/compile.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace bentwood {
namespace {

bool is_digit(char character) { return character >= '0' && character <= '9'; }

}  // namespace

std::size_t utf8_length(std::string_view text) {
  if (text.empty()) {
    return 0;
  }
  const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(text[at]); };
  const unsigned char first = byte(0);
  if (first < 0x80) {
    return 1;
  }
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() < length) {
    return 0;
  }
  for (std::size_t at = 1; at < length; ++at) {
    if ((byte(at) & 0xC0) != 0x80) {
      return 0;
    }
  }
  const unsigned char second = byte(1);
  const bool overlong = (first == 0xE0 && second < 0xA0) || (first == 0xF0 && second < 0x90);
  const bool surrogate = first == 0xED && second >= 0xA0;
  const bool too_large = first == 0xF4 && second >= 0x90;
  return overlong || surrogate || too_large ? 0 : length;
}

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    if (length == 0) {
      return false;
    }
    text.remove_prefix(length);
  }
  return true;
}

std::uint32_t code_point(std::string_view text) {
  const std::size_t length = utf8_length(text);
  constexpr std::array<unsigned, 5> first_bits{0xFF, 0x7F, 0x1F, 0x0F, 0x07};
  std::uint32_t result = static_cast<unsigned char>(text[0]) & first_bits[length];
  for (std::size_t at = 1; at < length; ++at) {
    result = (result << 6) | (static_cast<unsigned char>(text[at]) & 0x3FU);
  }
  return result;
}

bool is_code_point(std::uint32_t code_point) {
  return code_point <= 0x10FFFF && (code_point < 0xD800 || code_point > 0xDFFF);
}

void append_utf8(std::string& out, std::uint32_t code_point) {
  const auto push = [&](std::uint32_t byte) { out.push_back(static_cast<char>(byte)); };
  const auto tail = [&](unsigned shift) { push(0x80 | ((code_point >> shift) & 0x3F)); };
  if (code_point < 0x80) {
    push(code_point);
  } else if (code_point < 0x800) {
    push(0xC0 | (code_point >> 6));
    tail(0);
  } else if (code_point < 0x10000) {
    push(0xE0 | (code_point >> 12));
    tail(6);
    tail(0);
  } else {
    push(0xF0 | (code_point >> 18));
    tail(12);
    tail(6);
    tail(0);
  }
}

std::string printable(std::string_view text, std::size_t longest) {
  std::string result;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t length = utf8_length(text.substr(at));
    const auto first = static_cast<unsigned char>(text[at]);
    const bool control =
        first < 0x20 || first == 0x7F ||
        (first == 0xC2 && length == 2 && static_cast<unsigned char>(text[at + 1]) < 0xA0);
    if (at + std::max<std::size_t>(length, 1) > longest) {
      return result + "...";
    }
    if (length == 0 || control) {
      fmt::format_to(std::back_inserter(result), "\\x{:02x}", first);
      at += 1;
    } else {
      result += text.substr(at, length);
      at += length;
    }
  }
  return result;
}

std::string shown(std::string_view field) {
  constexpr std::size_t longest = 40;
  return fmt::format("\"{}\"", printable(field, longest));
}

std::string_view trimmed(std::string_view text) {
  const auto is_space = [](char character) { return character == ' ' || character == '\t'; };
  while (!text.empty() && is_space(text.front())) {
    text.remove_prefix(1);
  }
  while (!text.empty() && is_space(text.back())) {
    text.remove_suffix(1);
  }
  return text;
}

NumberKind parse_number(std::string_view field, double& value) {
  // fast_float takes no plus sign; a lone one, or one before another sign, is no number.
  if (field.size() > 1 && field[0] == '+' && field[1] != '-' && field[1] != '+') {
    field.remove_prefix(1);
  }
  const char* const end = field.data() + field.size();
  double parsed = 0;
  const auto [stop, error] = fast_float::from_chars(field.data(), end, parsed);
  // fast_float also takes nan(...), which no writer of tables means.
  if (stop != end || field.empty() || field.back() == ')' ||
      (error != std::errc{} && error != std::errc::result_out_of_range)) {
    return NumberKind::not_a_number;
  }
  // An infinite value that was not spelled with letters is a number too large for a double.
  if (std::isinf(parsed) && std::ranges::any_of(field, is_digit)) {
    return NumberKind::out_of_range;
  }
  value = parsed;
  return NumberKind::number;
}

bool is_rounded_integer(std::string_view field, double value) {
  constexpr double all_exact_below = 0x1p53;
  if (!(std::abs(value) >= all_exact_below) || !looks_like_integer(field)) {
    return false;
  }
  field.remove_prefix(field.find_first_not_of("+-0"));
  return fmt::format("{:.0f}", std::abs(value)) != field;
}

void append_number(std::string& out, double value) {
  fmt::format_to(std::back_inserter(out), FMT_COMPILE("{}"), value);
}

std::string number_text(double value) {
  std::string result;
  append_number(result, value);
  return result;
}

std::optional<std::int64_t> parse_integer(std::string_view field) {
  if (!looks_like_integer(field)) {
    return std::nullopt;
  }
  if (field[0] == '+') {
    field.remove_prefix(1);
  }
  std::int64_t value = 0;
  const char* const end = field.data() + field.size();
  const auto [stop, error] = std::from_chars(field.data(), end, value);
  return error == std::errc{} && stop == end ? std::optional(value) : std::nullopt;
}

bool looks_like_integer(std::string_view field) {
  if (!field.empty() && (field[0] == '-' || field[0] == '+')) {
    field.remove_prefix(1);
  }
  return !field.empty() && std::ranges::all_of(field, is_digit);
}

}  // namespace bentwood
