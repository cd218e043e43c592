#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "bentwood/base/matrix.hpp"
#include "bentwood/model/forest.hpp"

namespace bentwood {

/// Up to seven nodes of a tree that hang together, in one cache line. Their exits, the at most eight ways out below
/// them, are numbered from left to right.
///
/// A row turns at all seven nodes at once: whoever turns right rules out the exits on its left, and the first exit that nobody
/// has ruled out is the row's, because nodes off its path rule out only exits that lie beside it (Lucchese et al., "QuickScorer: a
/// fast algorithm to rank documents with additive ensembles of regression trees", SIGIR 2015).
struct alignas(64) PackedBlock {
  static constexpr std::size_t most_nodes = 7;
  static constexpr std::size_t most_exits = 8;

  /// The nodes in preorder: the threshold's order_key. Those that are not there rule out no exit, whatever a row's key is.
  std::array<std::int32_t, most_nodes + 1> keys;
  std::array<std::uint16_t, most_nodes + 1> columns{};
  /// The nodes that rule out every exit by turning right, a bit per node.
  std::array<std::uint8_t, most_exits> ruled_out_by{};
  /// The first block below; those of other exits follow it.
  std::uint32_t first_block = 0;
  /// Bit e: exit e leads to a block, else to a leaf.
  std::uint8_t inner = 0;
  /// The nodes that cut columns which their tree has made, a bit per node: their keys say nothing.
  std::uint8_t made = 0;
  /// One more than nodes.
  std::uint8_t n_exits = 1;

  /// The first exit that no node of those who turn right has ruled out: the lowest byte of 0.
  [[nodiscard]] unsigned exit_of(std::uint32_t right) const {
    constexpr std::uint64_t ones = 0x0101010101010101U;
    const std::uint64_t by = std::bit_cast<std::uint64_t>(ruled_out_by) & (ones * right);
    return static_cast<unsigned>(std::countr_zero((by - ones) & ~by & (ones << 7U))) / 8;
  }
  /// The exits on the left of a node: it rules them out.
  [[nodiscard]] unsigned n_left_exits(std::size_t node) const {
    constexpr std::uint64_t ones = 0x0101010101010101U;
    const auto by = std::bit_cast<std::uint64_t>(ruled_out_by);
    return static_cast<unsigned>(std::popcount((by >> node) & ones));
  }
  /// The block that an inner exit leads to.
  [[nodiscard]] std::uint32_t block_at(unsigned exit) const {
    return first_block + static_cast<std::uint32_t>(std::popcount(inner & ((1U << exit) - 1)));
  }
};
static_assert(sizeof(PackedBlock) == 64);

/// The order of doubles as that of integers: x < y implies order_key(x) <= order_key(y). Distinct doubles
/// share a key where they round to the same float32.
[[nodiscard]] inline std::int32_t order_key(double value) {
  constexpr double largest = std::numeric_limits<float>::max();
  // Adding 0 makes the two zeros one.
  const float rounded = static_cast<float>(std::clamp(value, -largest, largest)) + 0.0F;
  const auto bits = std::bit_cast<std::int32_t>(rounded);
  return bits ^ ((bits >> 31) & std::numeric_limits<std::int32_t>::max());
}

/// The trees of a forest as the engine walks them. It keeps no thresholds of the forest's columns: those that rounding cannot decide
/// are looked up in the forest.
struct PackedForest {
  template <class T>
  using Numbers = std::vector<T, NumberAllocator<T>>;

  /// Whether any column is a circle. The last bit of keys then says whether the comparison is turned around.
  bool circles = false;
  std::size_t n_columns = 0;

  /// Those of all trees; a tree begins with the block of its root.
  Numbers<PackedBlock> blocks;
  std::vector<std::uint32_t> roots;
  /// The number in its tree of every node, PackedBlock::most_nodes per block.
  Numbers<std::uint32_t> node_numbers;
  /// The leaves, PackedBlock::most_exits per block: their row of `values`, and their number in their tree.
  Numbers<std::uint32_t> leaf_rows;
  Numbers<std::uint32_t> leaf_numbers;
  /// The rows of values of all trees, so that one row of points finds those of its leaves close together.
  Numbers<double> values;
  /// The nodes that cut columns which their trees have made (MadeGroups), and where those of every block begin; both may be empty.
  Numbers<double> made;
  Numbers<std::uint32_t> made_begins;

  [[nodiscard]] bool exists() const { return !roots.empty(); }
  /// Numbers from the keys of one row to those of the next: one per column, and some to fill a register.
  [[nodiscard]] std::size_t n_keys() const {
    return std::max<std::size_t>((n_columns + 7) / 8 * 8, 8);
  }
};

inline constexpr std::size_t most_packed_columns = std::size_t{1} << 16U;

/// Empty where the forest has too many columns, or trees too large, to be packed.
[[nodiscard]] PackedForest pack(const Forest& forest);

/// The keys of a row; `keys` has room for packed.n_keys().
void row_keys(std::span<const Column> columns, bool circles, std::span<const double> row,
              std::int32_t* keys);

}  // namespace bentwood
