#include "data/allocation.hpp"

#include <algorithm>
#include <cstdlib>
#include <new>

namespace bentwood {

std::size_t& largest_allocation() {
  thread_local std::size_t largest = 0;
  return largest;
}

}  // namespace bentwood

// These replace the operators of the whole test program.
void* operator new(std::size_t size) {
  bentwood::largest_allocation() = std::max(bentwood::largest_allocation(), size);
  if (void* const memory = std::malloc(size)) {
    return memory;
  }
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
