#include "hostile/counted_memory.hpp"

#include <malloc.h>

#include <algorithm>
#include <cstdlib>
#include <new>

#include "bentwood/base/memory.hpp"

namespace bentwood {
namespace {

void* counted(void* memory) {
  if (memory == nullptr) {
    throw std::bad_alloc();
  }
  HeldMemory& held = held_memory();
  held.now += malloc_usable_size(memory);
  held.peak = std::max(held.peak, held.now);
  return memory;
}

void free_counted(void* memory) noexcept {
  if (memory != nullptr) {
    HeldMemory& held = held_memory();
    held.now -= std::min(held.now, malloc_usable_size(memory));
    std::free(memory);
  }
}

}  // namespace

HeldMemory& held_memory() {
  thread_local HeldMemory held;
  return held;
}

// In place of bentwood/base/memory.cpp, which the linker then leaves in the archive: the same promises, counted, and nothing is kept.
void* allocate_numbers(std::size_t n_bytes) {
  constexpr std::size_t cache_line = 64;
  if (n_bytes > static_cast<std::size_t>(-1) - cache_line) {
    throw std::bad_alloc();
  }
  return counted(std::aligned_alloc(cache_line, (n_bytes + cache_line) / cache_line * cache_line));
}
void free_numbers(void* memory, std::size_t /*n_bytes*/) noexcept { free_counted(memory); }
void prefer_huge_pages(void* /*memory*/, std::size_t /*n_bytes*/) noexcept {}

}  // namespace bentwood

// These replace the operators of the whole test program.
void* operator new(std::size_t size) {
  return bentwood::counted(std::malloc(std::max<std::size_t>(size, 1)));
}
void operator delete(void* memory) noexcept { bentwood::free_counted(memory); }
void operator delete(void* memory, std::size_t) noexcept { bentwood::free_counted(memory); }
