#include "bentwood/split/number_sorter.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <utility>

namespace bentwood {
namespace {

constexpr std::uint64_t top_bit = std::uint64_t{1} << 63U;

/// Whole numbers that compare as the numbers do.
std::uint64_t key_of(double number) {
  const auto bits = std::bit_cast<std::uint64_t>(number);
  return (bits & top_bit) != 0 ? ~bits : bits | top_bit;
}

double number_of(std::uint64_t key) {
  return std::bit_cast<double>((key & top_bit) != 0 ? key & ~top_bit : ~key);
}

constexpr unsigned digit_bits = 11;
constexpr std::size_t n_digit_values = std::size_t{1} << digit_bits;
constexpr std::array<unsigned, 3> shifts{31, 42, 53};

std::size_t digit(std::uint64_t key, unsigned shift) {
  return (key >> shift) & (n_digit_values - 1);
}

}  // namespace

void NumberSorter::sort(std::span<double> numbers) {
  // Below this the counts of the digits cost more than comparing.
  constexpr std::size_t few = 512;
  if (numbers.size() < few) {
    std::ranges::sort(numbers);
    return;
  }
  keys_.resize(std::max(keys_.size(), numbers.size()));
  spare_.resize(keys_.size());
  std::array<std::array<std::uint32_t, n_digit_values>, shifts.size()> places{};
  for (std::size_t place = 0; place < numbers.size(); ++place) {
    const std::uint64_t key = key_of(numbers[place]);
    keys_[place] = key;
    for (std::size_t pass = 0; pass < shifts.size(); ++pass) {
      ++places[pass][digit(key, shifts[pass])];
    }
  }
  for (std::size_t pass = 0; pass < shifts.size(); ++pass) {
    std::uint32_t begin = 0;
    for (std::uint32_t& place : places[pass]) {
      begin += std::exchange(place, begin);
    }
    for (const std::uint64_t key : std::span(keys_).first(numbers.size())) {
      spare_[places[pass][digit(key, shifts[pass])]++] = key;
    }
    std::swap(keys_, spare_);
  }
  // What agrees in the upper bits is still in the order it came in; hardly ever more than two, but all where a large number was added to all.
  const std::span<std::uint64_t> keys = std::span(keys_).first(numbers.size());
  for (auto begin = keys.begin(); begin != keys.end();) {
    const auto end = std::find_if(begin + 1, keys.end(), [&](std::uint64_t key) {
      return (key >> shifts.front()) != (*begin >> shifts.front());
    });
    if (end - begin > 1) {
      std::sort(begin, end);
    }
    begin = end;
  }
  std::ranges::transform(keys, numbers.begin(), number_of);
}

}  // namespace bentwood
