#pragma once

#include <array>
#include <cstddef>
#include <vector>

namespace bentwood {

/// Zeros, a few of them without an allocation: a sweep over a node of two rows starts with these.
template <class Sum>
class SmallSums {
 public:
  explicit SmallSums(std::size_t size) {
    if (size <= few_.size()) {
      for (std::size_t index = 0; index < size; ++index) {
        few_[index] = Sum{0};
      }
      sums_ = few_.data();
    } else {
      many_.assign(size, Sum{0});
      sums_ = many_.data();
    }
  }
  SmallSums(const SmallSums&) = delete;
  SmallSums& operator=(const SmallSums&) = delete;

  [[nodiscard]] Sum& operator[](std::size_t index) { return sums_[index]; }

 private:
  std::array<Sum, 32> few_;
  std::vector<Sum> many_;
  Sum* sums_;
};

}  // namespace bentwood
