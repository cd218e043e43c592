#include "bentwood/base/random.hpp"

#include <Random123/philox.h>

#include <cassert>
#include <cmath>
#include <numbers>

namespace bentwood {

Random::Random(std::uint64_t seed, std::uint64_t purpose, std::uint64_t item)
    : key_{seed, purpose}, counter_{0, 0, item, 0} {}

std::uint64_t Random::bits() {
  if (used_ == block_.size()) {
    const r123::Philox4x64 philox;
    const auto block =
        philox({{counter_[0], counter_[1], counter_[2], counter_[3]}}, {{key_[0], key_[1]}});
    for (std::size_t word = 0; word < block_.size(); ++word) {
      block_[word] = block[word];
    }
    ++counter_[0];
    used_ = 0;
  }
  return block_[used_++];
}

double Random::uniform() { return static_cast<double>(bits() >> 11U) * 0x1p-53; }

double Random::normal() {
  if (has_spare_normal_) {
    has_spare_normal_ = false;
    return spare_normal_;
  }
  // 1 - uniform() lies in (0, 1], so the logarithm is finite.
  const double radius = std::sqrt(-2.0 * std::log(1.0 - uniform()));
  const double angle = 2.0 * std::numbers::pi * uniform();
  spare_normal_ = radius * std::sin(angle);
  has_spare_normal_ = true;
  return radius * std::cos(angle);
}

std::uint64_t Random::below(std::uint64_t bound) {
  assert(bound > 0);
  // Values under 2^64 mod bound would make the low residues more likely; they are drawn again.
  const std::uint64_t unfair = (0 - bound) % bound;
  std::uint64_t draw = bits();
  while (draw < unfair) {
    draw = bits();
  }
  return draw % bound;
}

}  // namespace bentwood
