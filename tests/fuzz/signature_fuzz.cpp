#include "bentwood/geometry/signature.hpp"

#include <vector>

#include "fuzz.hpp"

// A signature that was read prints a text that reads back the same.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace bentwood;
  std::vector<Signature> read;
  if (read_or_refuse([&] { read.emplace_back(as_text(data, size)); }).empty()) {
    require(Signature(read[0].text()) == read[0]);
  }
  return 0;
}
