#include "bentwood/geometry/signature.hpp"

#include <string_view>
#include <vector>

#include "fuzz.hpp"

namespace {

/// Whether a power or a dimension has more than three digits: a million factors are right, but
/// slow.
bool asks_for_many(std::string_view text) {
  std::size_t n_digits = 0;
  for (const char character : text) {
    n_digits = character >= '0' && character <= '9' ? n_digits + 1 : 0;
    if (n_digits > 3) {
      return true;
    }
  }
  return false;
}

}  // namespace

// A signature that was read prints a text that reads back the same.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace bentwood;
  const ThreadLimit serial(1);
  if (asks_for_many(as_text(data, size))) {
    return -1;  // not worth keeping
  }
  std::vector<Signature> read;
  if (read_or_refuse([&] { read.emplace_back(as_text(data, size)); }).empty()) {
    require(Signature(read[0].text()) == read[0]);
  }
  return 0;
}
