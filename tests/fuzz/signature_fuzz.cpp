#include "bentwood/geometry/signature.hpp"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz.hpp"

namespace {

/// Whether the powers multiply to more than fifty: a million factors are right, but slow.
bool asks_for_many(std::string_view text) {
  double total = 1;
  for (std::size_t at = text.find('^'); at != std::string_view::npos; at = text.find('^', at + 1)) {
    const std::string digits(text.substr(at + 1));
    total *= std::max(1.0, std::strtod(digits.c_str(), nullptr));
  }
  return !(total <= 50);
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
