#include "bentwood/base/memory.hpp"

#include <sys/mman.h>

#include <cstdint>
#include <cstdlib>
#include <list>
#include <mutex>
#include <new>

namespace bentwood {
namespace {

constexpr std::size_t huge_page = std::size_t{1} << 21U;
constexpr std::size_t cache_line = 64;

// A sanitizer finds uses after free only in memory that is really freed.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool keeps_blocks = false;
#else
constexpr bool keeps_blocks = true;
#endif

bool is_large(std::size_t n_bytes) { return n_bytes >= 2 * huge_page; }

std::size_t rounded_up(std::size_t size, std::size_t multiple) {
  if (size > static_cast<std::size_t>(-1) - multiple) {
    throw std::bad_alloc();
  }
  return (size + multiple - 1) / multiple * multiple;
}

std::size_t block_size(std::size_t n_bytes) {
  return rounded_up(n_bytes == 0 ? 1 : n_bytes, is_large(n_bytes) ? huge_page : cache_line);
}

/// Freed large blocks, oldest first. Nobody waits for another thread: a child that was forked while one held
/// the mutex must not hang.
class KeptBlocks {
 public:
  /// A block of exactly this size, or null.
  void* take(std::size_t size) {
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (!lock) {
      return nullptr;
    }
    for (auto block = blocks_.begin(); block != blocks_.end(); ++block) {
      if (block->size == size) {
        void* memory = block->memory;
        total_ -= size;
        blocks_.erase(block);
        return memory;
      }
    }
    return nullptr;
  }

  void keep(void* memory, std::size_t size) noexcept {
    if (size > kept_bytes) {
      std::free(memory);
      return;
    }
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (!lock) {
      std::free(memory);
      return;
    }
    try {
      blocks_.push_back({memory, size});
    } catch (const std::bad_alloc&) {
      std::free(memory);
      return;
    }
    total_ += size;
    while (total_ > kept_bytes) {
      std::free(blocks_.front().memory);
      total_ -= blocks_.front().size;
      blocks_.pop_front();
    }
  }

 private:
  struct Freed {
    void* memory;
    std::size_t size;
  };
  std::mutex mutex_;
  std::list<Freed> blocks_;
  std::size_t total_ = 0;
};

// Never destroyed: arrays may be freed after static objects are gone.
KeptBlocks& kept_blocks() {
  static auto* blocks = new KeptBlocks;
  return *blocks;
}

}  // namespace

void* allocate_numbers(std::size_t n_bytes) {
  const std::size_t size = block_size(n_bytes);
  const bool large = is_large(n_bytes);
  if (large && keeps_blocks) {
    if (void* kept = kept_blocks().take(size)) {
      return kept;
    }
  }
  void* memory = std::aligned_alloc(large ? huge_page : cache_line, size);
  if (memory == nullptr) {
    throw std::bad_alloc();
  }
  if (large) {
    madvise(memory, size, MADV_HUGEPAGE);  // advice: nothing is lost where it is not taken
  }
  return memory;
}

void prefer_huge_pages(void* memory, std::size_t n_bytes) noexcept {
  if (is_large(n_bytes)) {
    // Whole huge pages within the range; advice, so nothing is lost where it is not taken.
    const auto address = reinterpret_cast<std::uintptr_t>(memory);
    const std::uintptr_t begin = (address + huge_page - 1) / huge_page * huge_page;
    const std::uintptr_t end = (address + n_bytes) / huge_page * huge_page;
    madvise(static_cast<char*>(memory) + (begin - address), end - begin, MADV_HUGEPAGE);
  }
}

void free_numbers(void* memory, std::size_t n_bytes) noexcept {
  if (keeps_blocks && is_large(n_bytes)) {
    kept_blocks().keep(memory, block_size(n_bytes));
  } else {
    std::free(memory);
  }
}

}  // namespace bentwood
