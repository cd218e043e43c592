#pragma once

#include <cstddef>
#include <cstring>
#include <string>
#include <vector>

#include "bentwood/model/safetensors.hpp"

namespace bentwood {

/// The bytes of numbers that `append_all(append)` hands over one by one, about `count` of them.
template <class Number, class AppendAll>
std::string gather(std::size_t count, const AppendAll& append_all) {
  std::string result;
  result.reserve(count * sizeof(Number));
  append_all([&result](Number number) {
    result.append(reinterpret_cast<const char*>(&number), sizeof number);
  });
  return result;
}

/// `count` numbers of a tensor, from `begin` on. Requires that it has them.
template <class Number>
std::vector<Number> numbers(const Tensor& tensor, std::size_t begin, std::size_t count) {
  std::vector<Number> result(count);
  if (count != 0) {
    std::memcpy(result.data(), tensor.bytes.data() + begin * sizeof(Number),
                count * sizeof(Number));
  }
  return result;
}

}  // namespace bentwood
