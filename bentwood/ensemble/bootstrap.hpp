#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace bentwood {

/// How often each row is in a tree: as often as it is drawn with replacement, max_samples draws in all (0: as many as there are rows); once without
/// a bootstrap. A pure function of (seed, number of the tree).
[[nodiscard]] std::vector<double> draw_rows(std::size_t n_rows, bool bootstrap,
                                            std::size_t max_samples, std::uint64_t seed,
                                            std::size_t tree);

/// What a tree draws from besides. Trees must be independent: their seeds are hashed, not counted.
[[nodiscard]] std::uint64_t tree_seed(std::uint64_t seed, std::size_t tree);

}  // namespace bentwood
