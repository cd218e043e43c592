#pragma once

#include <cstddef>

namespace bentwood {

/// Memory for arrays of numbers, aligned to cache lines. Throws std::bad_alloc.
///
/// The first touch of fresh memory is the dearest part of many a computation (measured: 0.1 to 0.6 ms a
/// MiB, as much as three passes over it). So large blocks ask for huge pages, and up to
/// `kept_bytes` of freed ones are kept for the next call that wants as much.
[[nodiscard]] void* allocate_numbers(std::size_t n_bytes);
void free_numbers(void* memory, std::size_t n_bytes) noexcept;

/// Asks for huge pages for memory that somebody else allocated and is about to touch for the first time.
void prefer_huge_pages(void* memory, std::size_t n_bytes) noexcept;

/// The most that freed blocks may hold back from the system.
inline constexpr std::size_t kept_bytes = std::size_t{256} << 20U;

}  // namespace bentwood
