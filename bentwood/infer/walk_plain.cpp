#include <array>

#include "bentwood/infer/walk.hpp"

namespace bentwood {
namespace {

template <unsigned column_bits, bool circles>
void walk_lanes(const Lanes& lanes, std::uint32_t* slots) {
  constexpr std::uint32_t column_mask = (1U << column_bits) - 1;
  constexpr int steps_a_look = 2;
  const auto step = [&](const PackedNode* nodes, const std::int32_t* keys, std::uint32_t slot,
                        std::size_t lane) {
    const PackedNode node = nodes[slot];
    const std::int32_t key = keys[node.link & column_mask];
    bool right = key > node.key;
    bool undecided = key == node.key;
    if constexpr (circles) {
      right = right != ((key & 1) != 0);
      undecided = (static_cast<std::uint32_t>(key) ^ static_cast<std::uint32_t>(node.key)) < 2;
    }
    if (undecided) [[unlikely]] {
      right = turns_right(lanes, lane, slot);
    }
    return 2 * (node.link >> column_bits) + static_cast<std::uint32_t>(right);
  };
  const std::size_t n_keys = lanes.packed.n_keys();
  std::array<std::uint32_t, most_lanes> active;
  for (std::uint32_t lane = 0; lane < lanes.n_lanes; ++lane) {
    active[lane] = lane;
    slots[lane] = 0;
  }
  std::size_t n_active = lanes.n_lanes;
  while (n_active > 0) {
    std::size_t n_left = 0;
    for (std::size_t index = 0; index < n_active; ++index) {
      const std::uint32_t lane = active[index];
      const PackedNode* const nodes =
          lanes.packed.nodes.data() + lanes.packed.tree_begins[lanes.tree_of(lane)];
      const std::int32_t* const keys = lanes.keys + lanes.row_of(lane) * n_keys;
      std::uint32_t slot = slots[lane];
      for (int count = 0; count < steps_a_look; ++count) {
        slot = step(nodes, keys, slot, lane);
      }
      slots[lane] = slot;
      active[n_left] = lane;
      n_left += (nodes[slot].link & column_mask) < lanes.packed.n_columns ? 1 : 0;
    }
    n_active = n_left;
  }
}

}  // namespace

bool turns_right(const Lanes& lanes, std::size_t lane, std::uint32_t slot) {
  const std::size_t tree = lanes.tree_of(lane);
  const std::uint32_t number = lanes.packed.numbers[lanes.packed.tree_begins[tree] + slot];
  const TreeNode& node = lanes.forest.trees[tree].nodes[number];
  const auto column = static_cast<std::size_t>(node.column);
  return !goes_left(lanes.forest.columns.columns()[column].kind,
                    lanes.rows(lanes.row_of(lane), column), node.threshold);
}

void walk_plain(const Lanes& lanes, std::uint32_t* slots) {
  if (lanes.packed.column_bits == 8) {
    lanes.packed.circles ? walk_lanes<8, true>(lanes, slots) : walk_lanes<8, false>(lanes, slots);
  } else {
    lanes.packed.circles ? walk_lanes<12, true>(lanes, slots) : walk_lanes<12, false>(lanes, slots);
  }
}

}  // namespace bentwood
