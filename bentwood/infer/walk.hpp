#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "bentwood/base/matrix.hpp"
#include "bentwood/infer/packed_forest.hpp"
#include "bentwood/model/forest.hpp"

namespace bentwood {

/// Whether a row turns right at a node, by float64: for the few rows whose number rounds to the threshold's key.
[[nodiscard]] bool turns_right(const Forest& forest, const PackedForest& packed, std::size_t tree,
                               std::uint32_t slot, std::span<const double> row);

/// Lanes of a walk that are rows of one tree.
class RowLanes {
 public:
  RowLanes(const Forest& forest, const PackedForest& packed, std::size_t tree,
           const std::int32_t* keys, MatrixView rows)
      : forest_(forest),
        packed_(packed),
        tree_(tree),
        nodes_(packed.nodes.data() + packed.tree_begins[tree]),
        keys_(keys),
        n_keys_(packed.n_keys()),
        rows_(rows) {}

  [[nodiscard]] std::uint32_t n_columns() const {
    return static_cast<std::uint32_t>(packed_.n_columns);
  }
  [[nodiscard]] const PackedNode* nodes(std::size_t /*lane*/) const { return nodes_; }
  [[nodiscard]] const std::int32_t* keys(std::size_t lane) const { return keys_ + lane * n_keys_; }
  [[nodiscard]] bool turns_right(std::size_t lane, std::uint32_t slot) const {
    return bentwood::turns_right(forest_, packed_, tree_, slot, rows_.row(lane));
  }

 private:
  const Forest& forest_;
  const PackedForest& packed_;
  std::size_t tree_;
  const PackedNode* nodes_;
  const std::int32_t* keys_;
  std::size_t n_keys_;
  MatrixView rows_;
};

/// Lanes of a walk that are trees, from the first on, for one row.
class TreeLanes {
 public:
  TreeLanes(const Forest& forest, const PackedForest& packed, std::size_t first_tree,
            const std::int32_t* keys, std::span<const double> row)
      : forest_(forest), packed_(packed), first_tree_(first_tree), keys_(keys), row_(row) {}

  [[nodiscard]] std::uint32_t n_columns() const {
    return static_cast<std::uint32_t>(packed_.n_columns);
  }
  [[nodiscard]] const PackedNode* nodes(std::size_t lane) const {
    return packed_.nodes.data() + packed_.tree_begins[first_tree_ + lane];
  }
  [[nodiscard]] const std::int32_t* keys(std::size_t /*lane*/) const { return keys_; }
  [[nodiscard]] bool turns_right(std::size_t lane, std::uint32_t slot) const {
    return bentwood::turns_right(forest_, packed_, first_tree_ + lane, slot, row_);
  }

 private:
  const Forest& forest_;
  const PackedForest& packed_;
  std::size_t first_tree_;
  const std::int32_t* keys_;
  std::span<const double> row_;
};

/// Walks lanes from their roots to their leaves: slots[lane] is where it arrives. Requires n_lanes <= most_lanes.
///
/// A lane takes some steps without looking whether it has arrived (leaves hold it), then those that have are dropped. Lanes are
/// independent, so the processor overlaps their waits for memory.
template <unsigned column_bits, bool circles, std::size_t most_lanes, class Lanes>
void walk(const Lanes& lanes, std::size_t n_lanes, std::uint32_t* slots) {
  constexpr std::uint32_t column_mask = (1U << column_bits) - 1;
  constexpr int steps_a_look = 4;
  const std::uint32_t n_columns = lanes.n_columns();
  std::array<std::uint32_t, most_lanes> active;
  for (std::uint32_t lane = 0; lane < n_lanes; ++lane) {
    active[lane] = lane;
    slots[lane] = 0;
  }
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
      right = lanes.turns_right(lane, slot);
    }
    return 2 * (node.link >> column_bits) + static_cast<std::uint32_t>(right);
  };
  while (n_lanes > 0) {
    std::size_t n_left = 0;
    for (std::size_t index = 0; index < n_lanes; ++index) {
      const std::uint32_t lane = active[index];
      const PackedNode* const nodes = lanes.nodes(lane);
      const std::int32_t* const keys = lanes.keys(lane);
      std::uint32_t slot = slots[lane];
      for (int count = 0; count < steps_a_look; ++count) {
        slot = step(nodes, keys, slot, lane);
      }
      slots[lane] = slot;
      active[n_left] = lane;
      n_left += (nodes[slot].link & column_mask) < n_columns ? 1 : 0;
    }
    n_lanes = n_left;
  }
}

}  // namespace bentwood
