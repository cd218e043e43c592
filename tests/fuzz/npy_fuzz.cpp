#include "bentwood/data/npy.hpp"

#include "bentwood/data/io.hpp"
#include "fuzz.hpp"

// Bytes that begin like a zip archive are read as NPZ, all others as NPY.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace bentwood;
  const ThreadLimit serial(1);
  const std::string_view bytes = as_text(data, size);
  static const std::string npy = "a.npy";
  static const std::string npz = "a.npz";
  (void)read_or_refuse([&] { (void)parse_table(bytes, bytes.starts_with("PK") ? npz : npy); });
  return 0;
}
