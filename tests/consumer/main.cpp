#include <bentwood/base/error.hpp>
#include <bentwood/geometry/manifold.hpp>
#include <iostream>

// Touches what the library links: threads, SIMD, formatting, errors across the boundary.
int main() {
  const bentwood::Manifold manifold("H2(-0.5) x S2 x S2");
  std::cout << manifold.signature().text() << ' ' << manifold.ambient_dim() << '\n';

  const bentwood::Matrix points = manifold.random(1000, 1.0, 0);
  const bentwood::Matrix distances = manifold.pairwise_distance(points, points);
  std::cout << distances.n_rows() << ' ' << distances(7, 7) << ' '
            << (distances(3, 5) == distances(5, 3)) << '\n';

  try {
    const bentwood::Manifold impossible("H2 x S0");
  } catch (const bentwood::InvalidInput& error) {
    std::cout << error.what() << '\n';
  }
}
