#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace bentwood {

/// The number of bytes of the UTF-8 character at the start of `text`, or 0 where there is none:
/// empty text, a stray or truncated byte, an overlong form, a surrogate, a code point past
/// U+10FFFF.
[[nodiscard]] std::size_t utf8_length(std::string_view text);

[[nodiscard]] bool is_utf8(std::string_view text);

/// The code point at the start of `text`, or its first byte where that is not UTF-8. Requires text.
[[nodiscard]] std::uint32_t code_point(std::string_view text);

/// Appends a code point in UTF-8. Requires a code point that is_code_point accepts.
void append_utf8(std::string& out, std::uint32_t code_point);
[[nodiscard]] bool is_code_point(std::uint32_t code_point);

/// Text fit for one line of a message: control characters and bytes that are not UTF-8 as \x0a, and
/// at most `longest` bytes of it.
[[nodiscard]] std::string printable(std::string_view text, std::size_t longest = 200);

/// A field as messages show it: printable, at most 40 bytes, in double quotes.
[[nodiscard]] std::string shown(std::string_view field);

/// The text without the spaces and tabs around it.
[[nodiscard]] std::string_view trimmed(std::string_view text);

enum class NumberKind { number, not_a_number, out_of_range };

/// Reads a whole field as a decimal number: an optional sign, digits with an optional point and
/// exponent, or nan, inf, infinity in any case. Hexadecimal, digit separators, decimal commas and
/// spaces are not numbers; 1e999 is out of range; 1e-999 is 0. No locale is involved.
[[nodiscard]] NumberKind parse_number(std::string_view field, double& value);

/// Whether the field is an integer that a double would round: an identity, not a measurement.
[[nodiscard]] bool is_rounded_integer(std::string_view field, double value);

/// Appends the shortest text that parse_number reads back as the same double.
void append_number(std::string& out, double value);
[[nodiscard]] std::string number_text(double value);

/// Reads a whole field as a decimal integer with an optional sign; nothing where it is not one or
/// does not fit 64 bits.
[[nodiscard]] std::optional<std::int64_t> parse_integer(std::string_view field);
/// Whether the field is an optional sign and digits, of any length.
[[nodiscard]] bool looks_like_integer(std::string_view field);

}  // namespace bentwood
