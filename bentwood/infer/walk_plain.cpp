#include "bentwood/infer/walk_lanes-inl.hpp"

namespace bentwood {

std::uint32_t decided(const Lanes& lanes, std::size_t lane, std::uint32_t block, Turns turns) {
  const std::span<const double> row = lanes.rows.row(lanes.row_of(lane));
  const std::span<const Column> columns = lanes.forest.columns.columns();
  for (; turns.open != 0; turns.open &= turns.open - 1) {
    const auto node = static_cast<unsigned>(std::countr_zero(turns.open));
    const std::size_t column = lanes.packed.blocks[block].columns[node];
    const std::uint32_t number = lanes.packed.node_numbers[block * PackedBlock::most_nodes + node];
    const double threshold = lanes.forest.trees[lanes.tree_of(lane)].nodes[number].threshold;
    const bool left = goes_left(columns[column].kind, row[column], threshold);
    turns.right = (turns.right & ~(1U << node)) | (static_cast<std::uint32_t>(!left) << node);
  }
  return turns.right;
}

void walk_plain(const Lanes& lanes, std::uint32_t* leaves) {
  using namespace HWY_NAMESPACE;
  const bool has_made = !lanes.packed.made.empty();
  if (lanes.packed.circles) {
    has_made ? walk_lanes<PlainTurns<true>, true>(lanes, leaves)
             : walk_lanes<PlainTurns<true>, false>(lanes, leaves);
  } else {
    has_made ? walk_lanes<PlainTurns<false>, true>(lanes, leaves)
             : walk_lanes<PlainTurns<false>, false>(lanes, leaves);
  }
}

}  // namespace bentwood
