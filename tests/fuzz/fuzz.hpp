#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "bentwood/base/error.hpp"
#include "bentwood/base/parallel.hpp"

namespace bentwood {

/// Ends the program, which libFuzzer reports as a finding, unless the condition holds.
inline void require(bool condition) {
  if (!condition) {
    std::abort();
  }
}

/// Runs `read`; an Error with a message of one line is as good as success. Returns that message.
template <class Read>
std::string read_or_refuse(const Read& read) {
  try {
    read();
  } catch (const Error& error) {
    const std::string message = error.what();
    require(message.find('\n') == std::string::npos);
    return message;
  }
  return "";
}

inline std::string_view as_text(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

}  // namespace bentwood
