#include "bentwood/data/decimal-inl.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cstdlib>
#include <string>

#include "bentwood/base/random.hpp"
#include "bentwood/data/text.hpp"

namespace bentwood {
namespace {

std::string random_digits(Random& random, std::uint64_t most) {
  std::string digits;
  for (std::uint64_t left = random.below(most + 1); left > 0; --left) {
    digits += static_cast<char>('0' + random.below(10));
  }
  return digits;
}

/// The oracle is the C library's strtod, which rounds correctly in the C locale.
void expect_exact(const std::string& text, std::size_t& n_taken) {
  const std::string padded = text + "," + std::string(decimal_room, '#');
  double value = 0;
  const char* const stop = fast_decimal(padded.data(), value);
  if (stop == nullptr) {
    return;
  }
  ++n_taken;
  ASSERT_EQ(stop, padded.data() + text.size()) << text;
  ASSERT_EQ(std::bit_cast<std::uint64_t>(value),
            std::bit_cast<std::uint64_t>(std::strtod(text.c_str(), nullptr)))
      << text;
}

TEST(FastDecimal, reads_the_same_bits_as_the_c_library) {
  Random random(5);
  std::size_t n_taken = 0;
  for (int repetition = 0; repetition < 300'000; ++repetition) {
    std::string text = random.below(2) == 0 ? "-" : "";
    text += random_digits(random, 4 + 8 * random.below(3));
    if (random.below(4) != 0) {
      text += '.';
      text += random_digits(random, 20);
    }
    if (random.below(3) == 0) {
      text += random.below(2) == 0 ? "e" : "E-";
      text += std::to_string(random.below(340));
    }
    expect_exact(text, n_taken);
  }
  EXPECT_GT(n_taken, 150'000U);
}

TEST(FastDecimal, reads_back_what_the_writer_writes) {
  Random random(6);
  std::size_t n_taken = 0;
  for (int repetition = 0; repetition < 300'000; ++repetition) {
    const auto value = std::bit_cast<double>(random.bits());
    if (value == value && value - value == 0) {
      expect_exact(number_text(value), n_taken);
      expect_exact(number_text(random.normal()), n_taken);
    }
  }
  EXPECT_GT(n_taken, 550'000U);
}

TEST(FastDecimal, leaves_what_is_not_ordinary_to_others) {
  for (const std::string text :
       {"", "-", ".", "-.", "e5", "nan", "inf", "12345678901234567890", "1e", "1e+", "1e9999",
        "1e400", "1e-400", "4e-320", "--1", "+1", "x"}) {
    const std::string padded = text + "," + std::string(decimal_room, '0');
    double value = 0;
    EXPECT_EQ(fast_decimal(padded.data(), value), nullptr) << text;
  }
}

TEST(FastDecimal, stops_at_the_first_character_that_is_not_part_of_the_number) {
  for (const std::string text :
       {"1", "12", "1.", "1.5", ".5", "0", "-0", "12345678", "123456789", "1.5e3"}) {
    for (const std::string after : {",", "\n", " ", "/", ":", "\xb0", "\xff", "\x01"}) {
      const std::string padded = text + after + std::string(decimal_room, '7');
      double value = 0;
      EXPECT_EQ(fast_decimal(padded.data(), value), padded.data() + text.size()) << text << after;
      EXPECT_EQ(value, std::strtod(text.c_str(), nullptr));
    }
  }
}

}  // namespace
}  // namespace bentwood
