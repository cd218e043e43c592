#pragma once

#include <cstddef>
#include <string_view>

/// The parts of the zip format that the reader and the writer of NPZ files share.
namespace bentwood::zip {

inline constexpr std::string_view end_signature("PK\x05\x06", 4);
inline constexpr std::string_view entry_signature("PK\x01\x02", 4);
inline constexpr std::string_view local_signature("PK\x03\x04", 4);
/// Sizes that do not fit 32 bits stand elsewhere, in a zip64 field.
inline constexpr std::size_t max_32 = 0xFFFFFFFF;

/// The checksum of bytes that follow others whose checksum is `before`. Throws Interrupted in between where the user asks to
/// stop.
[[nodiscard]] std::size_t crc_of(std::string_view bytes, std::size_t before = 0);

}  // namespace bentwood::zip
