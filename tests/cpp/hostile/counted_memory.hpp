#pragma once

#include <cstddef>

namespace bentwood {

/// What this thread holds, in bytes, by `new` and allocate_numbers: now, and at most since `forget_peak`.
struct HeldMemory {
  std::size_t now = 0;
  std::size_t peak = 0;

  void forget_peak() { peak = now; }
};
HeldMemory& held_memory();

}  // namespace bentwood
