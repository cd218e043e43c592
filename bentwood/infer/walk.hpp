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

/// Walks every lane from its root to its leaf, whose slot in its tree becomes slots[lane]. Requires
/// n_lanes <= most_lanes and a forest that could be packed.
///
/// Lanes are independent, so their waits for memory overlap; with AVX2 and above, 8 or 16 take a step at once. A
/// lane takes a few steps without looking whether it has arrived (leaves hold it), then those that have are
/// dropped.
void walk(const Lanes& lanes, std::uint32_t* slots);

/// The same without SIMD, for machines that cannot gather.
void walk_plain(const Lanes& lanes, std::uint32_t* slots);

/// Whether a lane turns right at a node, by float64: for the few whose number rounds to the threshold's key.
[[nodiscard]] bool turns_right(const Lanes& lanes, std::size_t lane, std::uint32_t slot);

}  // namespace bentwood
