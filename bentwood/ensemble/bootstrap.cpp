#include "bentwood/ensemble/bootstrap.hpp"

#include "bentwood/base/random.hpp"
#include "bentwood/grow/node_random.hpp"

namespace bentwood {
namespace {

// What the streams of one seed are for.
constexpr std::uint64_t bootstrap_purpose = 1;
constexpr std::uint64_t tree_purpose = 2;

}  // namespace

std::vector<double> draw_rows(std::size_t n_rows, bool bootstrap, std::size_t max_samples,
                              std::uint64_t seed, std::size_t tree) {
  if (!bootstrap) {
    return std::vector<double>(n_rows, 1.0);
  }
  std::vector<double> counts(n_rows, 0.0);
  NodeRandom random(Random(seed, bootstrap_purpose, tree).bits());
  const std::size_t n_drawn = max_samples > 0 ? max_samples : n_rows;
  for (std::size_t draw = 0; draw < n_drawn; ++draw) {
    counts[random.below(static_cast<std::uint32_t>(n_rows))] += 1;
  }
  return counts;
}

std::uint64_t tree_seed(std::uint64_t seed, std::size_t tree) {
  return Random(seed, tree_purpose, tree).bits();
}

}  // namespace bentwood
