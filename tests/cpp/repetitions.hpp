#pragma once

#include <cstdint>

namespace bentwood {

/// How often a test repeats itself with other numbers: a tenth as often under a sanitizer, which is slow, and finds its mistakes in the code
/// that runs, not in what it computes.
constexpr std::uint64_t repetitions(std::uint64_t usual) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  return usual / 10;
#else
  return usual;
#endif
}

}  // namespace bentwood
