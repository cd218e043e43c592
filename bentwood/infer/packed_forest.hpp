#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "bentwood/base/matrix.hpp"
#include "bentwood/model/forest.hpp"

namespace bentwood {

/// A node in 8 bytes. Siblings stand side by side, so a child is twice its pair's number, plus one if it is the right.
///
/// A leaf points at its own pair and cuts a column that no row has, at which every row turns to the leaf's own side: a row that
/// has arrived stays where it is, and no step asks whether it has.
struct PackedNode {
  /// The threshold's order_key; a leaf's row of PackedForest::values.
  std::int32_t key;
  /// The children's pair shifted by PackedForest::column_bits, and the column.
  std::uint32_t link;
};

/// The order of doubles as that of integers: x < y implies order_key(x) <= order_key(y). Distinct doubles
/// share a key where they round to the same float32.
[[nodiscard]] inline std::int32_t order_key(double value) {
  constexpr double largest = std::numeric_limits<float>::max();
  // Adding 0 makes the two zeros one.
  const float rounded = static_cast<float>(std::clamp(value, -largest, largest)) + 0.0F;
  const auto bits = std::bit_cast<std::int32_t>(rounded);
  return bits ^ ((bits >> 31) & std::numeric_limits<std::int32_t>::max());
}

/// The trees of a forest as the engine walks them. It keeps no thresholds: those that rounding cannot decide
/// are looked up in the forest.
struct PackedForest {
  /// 8 or 12; 0 where the forest is too wide or a tree too large to be packed.
  unsigned column_bits = 0;
  /// Whether any column is a circle. The last bit of keys then says whether the comparison is turned around.
  bool circles = false;
  std::size_t n_columns = 0;

  std::vector<PackedNode, NumberAllocator<PackedNode>> nodes;
  /// The number in its tree of every packed node.
  std::vector<std::uint32_t, NumberAllocator<std::uint32_t>> numbers;
  /// Where every tree begins in both; its root is the first.
  std::vector<std::size_t> tree_begins;

  /// The rows of values of all trees, so that one row of points finds those of its leaves close together.
  std::vector<double, NumberAllocator<double>> values;

  /// A row's keys: one a column and two for the leaves.
  [[nodiscard]] std::size_t n_keys() const { return n_columns + 2; }
};

inline constexpr std::size_t most_packed_columns = (std::size_t{1} << 12U) - 2;

[[nodiscard]] PackedForest pack(const Forest& forest);

/// The keys of a row.
void row_keys(std::span<const Column> columns, bool circles, std::span<const double> row,
              std::int32_t* keys);

}  // namespace bentwood
