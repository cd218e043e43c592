// The walk through blocks, for any way to compare the nodes of one. Included once for every instruction set.
#if defined(BENTWOOD_INFER_WALK_LANES_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef BENTWOOD_INFER_WALK_LANES_INL_HPP
#undef BENTWOOD_INFER_WALK_LANES_INL_HPP
#else
#define BENTWOOD_INFER_WALK_LANES_INL_HPP
#endif

#include <hwy/highway.h>

#include <array>
#include <bit>
#include <cstdint>

#include "bentwood/infer/made_turns-inl.hpp"
#include "bentwood/infer/walk.hpp"

HWY_BEFORE_NAMESPACE();
namespace bentwood::HWY_NAMESPACE {

/// Compares node by node.
template <bool circles>
struct PlainTurns {
  explicit PlainTurns(const Lanes& /*lanes*/) {}

  HWY_INLINE Turns operator()(const PackedBlock& block, const std::int32_t* keys) const {
    Turns turns;
    for (unsigned node = 0; node < PackedBlock::most_nodes; ++node) {
      const std::int32_t key = keys[block.columns[node]];
      const auto bits = static_cast<std::uint32_t>(key);
      auto right = static_cast<std::uint32_t>(key > block.keys[node]);
      if constexpr (circles) {
        right ^= bits & 1U;
      }
      const std::uint32_t apart =
          (bits ^ static_cast<std::uint32_t>(block.keys[node])) >> (circles ? 1U : 0U);
      turns.right |= right << node;
      turns.open |= static_cast<std::uint32_t>(apart == 0) << node;
    }
    return turns;
  }
};

/// The walk of walk.hpp. `TurnsOf` compares the nodes of a block with the keys of a row.
template <class TurnsOf, bool has_made>
void walk_lanes(const Lanes& lanes, std::uint32_t* leaves) {
  const TurnsOf turns_of(lanes);
  const PackedBlock* const blocks = lanes.packed.blocks.data();
  const std::int32_t* const keys = lanes.keys;
  const std::size_t keys_apart = lanes.one_row ? 0 : lanes.packed.n_keys();
  const double* const rows = lanes.rows.data();
  const std::size_t rows_apart = lanes.one_row ? 0 : lanes.rows.n_cols();
  const double* const made = lanes.packed.made.data();
  const std::uint32_t* const made_begins = lanes.packed.made_begins.data();
  // Who still walks, and where.
  std::array<std::uint32_t, most_lanes> walking;
  std::array<std::uint32_t, most_lanes> places;
  for (std::uint32_t lane = 0; lane < lanes.n_lanes; ++lane) {
    walking[lane] = lane;
    places[lane] = lanes.packed.roots[lanes.tree_of(lane)];
  }
  std::size_t n_walking = lanes.n_lanes;
  while (n_walking > 0) {
    std::size_t n_left = 0;
    for (std::size_t index = 0; index < n_walking; ++index) {
      const std::uint32_t lane = walking[index];
      const PackedBlock& block = blocks[places[index]];
      Turns turns = turns_of(block, keys + lane * keys_apart);
      if (turns.open != 0) [[unlikely]] {
        turns.right = decided(lanes, lane, places[index], turns);
      }
      if constexpr (has_made) {
        if (block.made != 0) {
          turns.right = (turns.right & ~std::uint32_t{block.made}) |
                        made_turns(made + made_begins[places[index]], rows + lane * rows_apart);
        }
      }
      const unsigned exit = block.exit_of(turns.right);
      // Whether a lane has arrived is as good as random: a branch would be mispredicted once per walk or more, and what was fetched for
      // other lanes be lost.
      const std::uint32_t below = block.block_at(exit);
      __builtin_prefetch(blocks + below);
      leaves[lane] = places[index] * std::uint32_t{PackedBlock::most_exits} + exit;
      walking[n_left] = lane;
      places[n_left] = below;
      n_left += (block.inner >> exit) & 1U;
    }
    n_walking = n_left;
  }
}

}  // namespace bentwood::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
