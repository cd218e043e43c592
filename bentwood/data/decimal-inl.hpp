#pragma once

#include <fast_float/fast_float.h>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace bentwood {

/// The bytes that fast_decimal may look at, used or not: callers make sure that they can be read.
inline constexpr std::size_t decimal_room = 64;

/// 2^53: beyond it a double rounds some integers.
inline constexpr std::uint64_t largest_exact_integer = std::uint64_t{1} << 53;

namespace decimal_detail {

/// Up to eight digits at `at`: their number and their value, without a branch for either.
struct Digits {
  unsigned count;
  std::uint64_t value;
};

inline Digits eight_digits(const char* at) {
  std::uint64_t word = 0;
  std::memcpy(&word, at, sizeof word);
  // A byte is 0 to 9 after the xor exactly where it was a digit; adding 0x76 then leaves its top
  // bit 0.
  word ^= 0x3030303030303030U;
  const std::uint64_t others = ((word + 0x7676767676767676U) | word) & 0x8080808080808080U;
  const auto count = static_cast<unsigned>(std::countr_zero(others)) / 8;
  if (count == 0) {
    return {0, 0};
  }
  // Zeroes move in before the digits, so that eight digits are always there to be combined: pairs,
  // then fours, then all eight.
  word <<= 64 - 8 * count;
  word = word * 10 + (word >> 8);
  constexpr std::uint64_t pairs = 0x000000FF000000FFU;
  constexpr std::uint64_t upper = 100 + (std::uint64_t{1'000'000} << 32);
  constexpr std::uint64_t lower = 1 + (std::uint64_t{10'000} << 32);
  word = ((word & pairs) * upper + ((word >> 16) & pairs) * lower) >> 32;
  return {count, word & 0xFFFFFFFFU};
}

inline constexpr std::array<std::uint64_t, 9> powers_of_ten{
    1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000};

/// Takes digits into `mantissa` up to the first other character; their number.
inline std::size_t take_digits(const char*& at, std::uint64_t& mantissa) {
  std::size_t total = 0;
  // Three words hold 24 digits, more than fit; the caller counts them.
  for (int word = 0; word < 3; ++word) {
    const Digits digits = eight_digits(at);
    mantissa = mantissa * powers_of_ten[digits.count] + digits.value;
    at += digits.count;
    total += digits.count;
    if (digits.count < 8) {
      break;
    }
  }
  return total;
}

}  // namespace decimal_detail

/// Reads the decimal number at `at`, correctly rounded, and returns where it ends; null for all
/// that is not ordinary: no digits, more than 19 of them, an integer past 2^53, an exponent beyond 3 digits, a value that
/// is not a normal number. Those need a full reader. Requires decimal_room bytes.
///
/// Digits are taken eight at a time (Lemire, "Number parsing at a gigabyte per second", Software:
/// Practice and Experience 2021); the rounding is fast_float's compute_float, of the same paper.
inline const char* fast_decimal(const char* at, double& value) {
  const bool negative = *at == '-';
  at += negative ? 1 : 0;
  std::uint64_t mantissa = 0;
  std::size_t n_digits = 0;
  // Most numbers have one digit before the point, which needs no words of eight.
  if (static_cast<unsigned char>(*at - '0') < 10 && static_cast<unsigned char>(at[1] - '0') >= 10) {
    mantissa = static_cast<unsigned char>(*at - '0');
    n_digits = 1;
    ++at;
  } else {
    n_digits = decimal_detail::take_digits(at, mantissa);
  }
  std::int64_t exponent = 0;
  if (*at == '.') {
    ++at;
    const std::size_t n_decimals = decimal_detail::take_digits(at, mantissa);
    n_digits += n_decimals;
    exponent = -static_cast<std::int64_t>(n_decimals);
  }
  if (n_digits == 0 || n_digits > 19 || (exponent == 0 && mantissa > largest_exact_integer)) {
    return nullptr;
  }
  if ((*at | 0x20) == 'e') {
    ++at;
    const bool down = *at == '-';
    at += down || *at == '+' ? 1 : 0;
    const decimal_detail::Digits digits = decimal_detail::eight_digits(at);
    if (digits.count == 0 || digits.count > 3) {
      return nullptr;
    }
    at += digits.count;
    exponent +=
        down ? -static_cast<std::int64_t>(digits.value) : static_cast<std::int64_t>(digits.value);
  }
  constexpr std::uint64_t sign_bit = std::uint64_t{1} << 63;
  if (mantissa == 0) {
    value = negative ? -0.0 : 0.0;
    return at;
  }
  using Double = fast_float::binary_format<double>;
  const fast_float::adjusted_mantissa rounded =
      fast_float::compute_float<Double>(exponent, mantissa);
  if (rounded.power2 <= 0 || rounded.power2 >= Double::infinite_power()) {
    return nullptr;
  }
  value =
      std::bit_cast<double>(rounded.mantissa | (static_cast<std::uint64_t>(rounded.power2) << 52) |
                            (negative ? sign_bit : 0));
  return at;
}

}  // namespace bentwood
