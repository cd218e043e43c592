#include "bentwood/grow/level_order.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

namespace bentwood {
namespace {

/// Fewer are sorted by comparing them: a digit has 2,048 counters to look through.
constexpr std::size_t fewest_by_digits = 512;

}  // namespace

double LevelOrder::Key::level() const { return std::bit_cast<double>(bits); }

void LevelOrder::sort(std::span<const std::uint32_t> rows, std::span<const double> levels) {
  keys_.resize(rows.size());
  for (std::uint32_t item = 0; item < rows.size(); ++item) {
    keys_[item] = {std::bit_cast<std::uint64_t>(levels[item]), item};
  }
  sort_keys();
  sorted_.resize(rows.size());
  has_ties_ = false;
  for (std::size_t place = 0; place < keys_.size(); ++place) {
    sorted_[place] = rows[keys_[place].item];
    has_ties_ = has_ties_ || (place > 0 && keys_[place].bits == keys_[place - 1].bits);
  }
  if (has_ties_) {
    std::uint32_t level = 0;
    for (std::size_t place = 0; place < keys_.size(); ++place) {
      level += place > 0 && keys_[place].bits != keys_[place - 1].bits ? 1U : 0U;
      level_[sorted_[place]] = level;
    }
  }
}

void LevelOrder::divide(std::span<const std::uint32_t> rows, std::span<const double> levels,
                        double threshold) {
  sorted_.clear();
  has_ties_ = true;
  for (const std::uint32_t side : {0U, 1U}) {
    for (std::size_t item = 0; item < rows.size(); ++item) {
      if ((levels[item] <= threshold) == (side == 0)) {
        sorted_.push_back(rows[item]);
        level_[rows[item]] = side;
      }
    }
  }
}

void LevelOrder::sort_keys() {
  if (keys_.size() < fewest_by_digits) {
    std::ranges::sort(keys_, std::less<>());
    return;
  }
  radix_sort_keys();
  // Keys that agree in the upper half of their bits are few, unless they are equal and in order already.
  for (std::size_t begin = 0; begin < keys_.size();) {
    std::size_t end = begin + 1;
    while (end < keys_.size() && keys_[end].bits >> 32U == keys_[begin].bits >> 32U) {
      ++end;
    }
    const std::span run(keys_.data() + begin, end - begin);
    if (!std::ranges::is_sorted(run, std::less<>())) {
      std::ranges::sort(run, std::less<>());
    }
    begin = end;
  }
}

/// By the upper half of the bits: least significant digit first, three digits of 11 bits.
void LevelOrder::radix_sort_keys() {
  constexpr unsigned first_bit = 32;
  constexpr unsigned n_bits = 11;
  constexpr std::uint64_t mask = (1U << n_bits) - 1;
  std::array<std::array<std::uint32_t, mask + 1>, 3> counts{};
  for (const Key& key : keys_) {
    for (unsigned digit = 0; digit < 3; ++digit) {
      ++counts[digit][(key.bits >> (first_bit + digit * n_bits)) & mask];
    }
  }
  spare_.resize(keys_.size());
  for (unsigned digit = 0; digit < 3; ++digit) {
    std::uint32_t next = 0;
    for (std::uint32_t& count : counts[digit]) {
      next += std::exchange(count, next);
    }
    for (const Key& key : keys_) {
      spare_[counts[digit][(key.bits >> (first_bit + digit * n_bits)) & mask]++] = key;
    }
    std::swap(keys_, spare_);
  }
}

}  // namespace bentwood
