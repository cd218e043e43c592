#pragma once

#include <algorithm>
#include <array>
#include <string>

#include "bentwood/base/random.hpp"

namespace bentwood {

/// Some bytes changed, removed, repeated or replaced by numbers that like to do harm.
inline std::string mutated(const std::string& bytes, Random& random) {
  std::string result = bytes;
  for (std::uint64_t count = 1 + random.below(3); count > 0; --count) {
    const std::size_t place = random.below(result.size());
    const std::size_t length = std::min<std::size_t>(1 + random.below(8), result.size() - place);
    switch (random.below(8)) {
      case 0:
        result.erase(place, length);
        break;
      case 1:
        result.insert(place, result.substr(place, length));
        break;
      case 2: {
        constexpr std::array<unsigned char, 5> harmful{0x00, 0xFF, 0x7F, 0x80, 0x01};
        result.replace(place, length, length, static_cast<char>(harmful.at(random.below(5))));
        break;
      }
      case 3: {
        // A digit of the header, most often of a shape or an offset.
        const std::size_t digit = result.find_first_of("0123456789", place);
        if (digit != std::string::npos) {
          result[digit] = static_cast<char>('0' + random.below(10));
        }
        break;
      }
      case 4:
        result.replace(place, length, result.substr(random.below(result.size()), length));
        break;
      default:
        result[place] = static_cast<char>(random.below(256));
    }
    if (result.empty()) {
      break;
    }
  }
  return result;
}

}  // namespace bentwood
