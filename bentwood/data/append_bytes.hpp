#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "bentwood/base/parallel.hpp"

namespace bentwood {

/// Appends bytes, however many; throws Interrupted in between where the user asks to stop.
inline void append_bytes(std::string& out, std::string_view bytes) {
  constexpr std::size_t piece_size = std::size_t{1} << 22;
  while (!bytes.empty()) {
    throw_if_interrupted();
    const std::string_view piece = bytes.substr(0, piece_size);
    out += piece;
    bytes.remove_prefix(piece.size());
  }
}

}  // namespace bentwood
