#pragma once

#include <cstddef>
#include <cstdint>

#include "bentwood/base/matrix.hpp"
#include "bentwood/infer/packed_forest.hpp"
#include "bentwood/model/forest.hpp"

namespace bentwood {

/// Walks that go on side by side: those of many rows through one tree, or of one row through many trees.
struct Lanes {
  const Forest& forest;
  const PackedForest& packed;
  std::size_t n_lanes;
  /// The tree of the rows, or the first of the trees.
  std::size_t tree;
  /// The keys of the rows, end to end, and their numbers.
  const std::int32_t* keys;
  MatrixView rows;
  /// One row walks n_lanes trees; else n_lanes rows walk one.
  bool one_row;

  [[nodiscard]] std::size_t tree_of(std::size_t lane) const { return one_row ? tree + lane : tree; }
  [[nodiscard]] std::size_t row_of(std::size_t lane) const { return one_row ? 0 : lane; }
};

inline constexpr std::size_t most_lanes = 256;

/// Walks every lane from its root to its leaf, whose place among the leaves of all trees becomes leaves[lane]. Requires
/// n_lanes <= most_lanes and a forest that could be packed.
///
/// A lane goes through one block of nodes after the other, all lanes by turns, so that their waits for memory overlap. The nodes of a block are
/// compared at once where the machine can; those that keys cannot decide, one after the other along the lane's path.
void walk(const Lanes& lanes, std::uint32_t* leaves);

/// The same without SIMD.
void walk_plain(const Lanes& lanes, std::uint32_t* leaves);

/// What the nodes of a block say of a row, a bit per node: who turns right, and who cannot tell by its key.
struct Turns {
  std::uint32_t right = 0;
  std::uint32_t open = 0;
};

/// The turns with those nodes decided by float64 that keys cannot tell.
[[nodiscard]] std::uint32_t decided(const Lanes& lanes, std::size_t lane, std::uint32_t block,
                                    Turns turns);

}  // namespace bentwood
