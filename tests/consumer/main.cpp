#include <atomic>
#include <bentwood/base/error.hpp>
#include <bentwood/base/parallel.hpp>
#include <bentwood/base/random.hpp>
#include <bentwood/geometry/signature.hpp>
#include <iostream>

// Touches what the library links: threads, formatting, errors across the boundary.
int main() {
  const bentwood::Signature signature("H2(-0.5) x S2 x S2");
  std::cout << signature.text() << ' ' << signature.ambient_dim() << '\n';

  std::atomic<std::size_t> n_items = 0;
  bentwood::parallel_blocks(1000, 10,
                            [&](std::size_t begin, std::size_t end) { n_items += end - begin; });
  std::cout << n_items << ' ' << (bentwood::Random(1).uniform() < 1) << '\n';

  try {
    const bentwood::Signature impossible("H2(1)");
  } catch (const bentwood::InvalidInput& error) {
    std::cout << error.what() << '\n';
  }
}
