#include "bentwood/infer/packed_forest.hpp"

#include "bentwood/base/parallel.hpp"

namespace bentwood {
namespace {

// The numbers of the columns that no row has, as a row sees them: less than any leaf's key, and greater.
constexpr std::int32_t stay_left = std::numeric_limits<std::int32_t>::min();
constexpr std::int32_t stay_right = std::numeric_limits<std::int32_t>::max() - 1;

constexpr std::size_t pairs_a_line = 4;

/// Lays out one tree: as many connected pairs of siblings in a cache line as it holds, those that most of the
/// training rows passed first.
class TreePacker {
 public:
  TreePacker(PackedForest& packed, const Tree& tree, std::size_t begin, std::size_t first_value)
      : tree_(tree),
        first_value_(static_cast<std::uint32_t>(first_value)),
        column_bits_(packed.column_bits),
        n_columns_(static_cast<std::uint32_t>(packed.n_columns)),
        key_mask_(packed.circles ? ~1 : ~0),
        nodes_(packed.nodes.data() + begin),
        numbers_(packed.numbers.data() + begin) {}

  void pack() {
    place(0, 0);
    nodes_[1] = {0, n_columns_ + 1};
    numbers_[1] = 0;
    next_pair_ = 1;
    wait_for_children(0);
    while (!waiting_.empty()) {
      std::size_t room = pairs_a_line - next_pair_ % pairs_a_line;
      const std::size_t before = waiting_.size() - 1;
      for (; room > 0 && waiting_.size() > before; --room) {
        place_children(take_heaviest(before));
      }
    }
  }

 private:
  struct Waiting {
    double weight;
    std::uint32_t slot;
  };

  /// The pair below the inner nodes that wait at `first` and after with the greatest weight.
  std::uint32_t take_heaviest(std::size_t first) {
    std::size_t heaviest = first;
    for (std::size_t index = first + 1; index < waiting_.size(); ++index) {
      if (waiting_[index].weight > waiting_[heaviest].weight) {
        heaviest = index;
      }
    }
    std::swap(waiting_[heaviest], waiting_.back());
    const std::uint32_t slot = waiting_.back().slot;
    waiting_.pop_back();
    return slot;
  }

  void place_children(std::uint32_t parent) {
    const std::uint32_t left = tree_.nodes[numbers_[parent]].child;
    const std::uint32_t pair = next_pair_++;
    nodes_[parent].link |= pair << column_bits_;
    for (const std::uint32_t side : {0U, 1U}) {
      place(left + side, 2 * pair + side);
    }
    for (const std::uint32_t side : {0U, 1U}) {
      wait_for_children(2 * pair + side);
    }
  }

  void place(std::uint32_t number, std::uint32_t slot) {
    const TreeNode& node = tree_.nodes[number];
    numbers_[slot] = number;
    nodes_[slot] = node.is_leaf() ? PackedNode{static_cast<std::int32_t>(first_value_ + node.child),
                                               (slot / 2) << column_bits_ | (n_columns_ + slot % 2)}
                                  : PackedNode{order_key(node.threshold) & key_mask_,
                                               static_cast<std::uint32_t>(node.column)};
  }

  void wait_for_children(std::uint32_t slot) {
    if (!tree_.nodes[numbers_[slot]].is_leaf()) {
      waiting_.push_back({tree_.weights[numbers_[slot]], slot});
    }
  }

  const Tree& tree_;
  std::uint32_t first_value_;
  unsigned column_bits_;
  std::uint32_t n_columns_;
  std::int32_t key_mask_;
  PackedNode* nodes_;
  std::uint32_t* numbers_;
  std::uint32_t next_pair_ = 0;
  std::vector<Waiting> waiting_;
};

/// Nodes and the empty place beside the root, rounded up to whole cache lines.
std::size_t n_slots(const Tree& tree) {
  constexpr std::size_t line = 2 * pairs_a_line;
  return (tree.nodes.size() + line) / line * line;
}

bool fits(const Forest& forest, unsigned column_bits) {
  // Indices of the two halves of all nodes, and the keys of leaves, have 31 bits.
  constexpr std::size_t most_of_all = std::size_t{1} << 30U;
  const std::size_t most_slots = std::size_t{2} << (32U - column_bits);
  std::size_t n_slots_of_all = 0;
  std::size_t n_values_of_all = 0;
  for (const Tree& tree : forest.trees) {
    if (n_slots(tree) > most_slots) {
      return false;
    }
    n_slots_of_all += n_slots(tree);
    n_values_of_all += tree.values.size() / tree.width;
  }
  return forest.columns.size() + 2 <= std::size_t{1} << column_bits &&
         n_slots_of_all <= most_of_all && n_values_of_all <= most_of_all;
}

}  // namespace

PackedForest pack(const Forest& forest) {
  PackedForest packed;
  packed.n_columns = forest.columns.size();
  packed.circles = std::ranges::any_of(forest.columns.columns(), [](const Column& column) {
    return column.kind == ColumnKind::circle;
  });
  packed.column_bits = fits(forest, 8) ? 8 : fits(forest, 12) ? 12 : 0;
  if (packed.column_bits == 0) {
    return packed;
  }
  std::size_t size = 0;
  std::vector<std::size_t> value_begins{0};
  for (const Tree& tree : forest.trees) {
    packed.tree_begins.push_back(size);
    size += n_slots(tree);
    value_begins.push_back(value_begins.back() + tree.values.size());
  }
  packed.nodes.resize(size);
  packed.numbers.resize(size);
  packed.values.resize(value_begins.back());
  parallel_blocks(forest.trees.size(), 1, [&](std::size_t item, std::size_t) {
    const Tree& tree = forest.trees[item];
    TreePacker(packed, tree, packed.tree_begins[item], value_begins[item] / tree.width).pack();
    std::ranges::copy(tree.values, packed.values.data() + value_begins[item]);
  });
  return packed;
}

void row_keys(std::span<const Column> columns, bool circles, std::span<const double> row,
              std::int32_t* keys) {
  if (circles) {
    for (std::size_t column = 0; column < columns.size(); ++column) {
      if (columns[column].kind == ColumnKind::circle) {
        // The far half goes right beyond the threshold, the near one left.
        const FoldedAngle angle = fold(row[column]);
        keys[column] = (order_key(angle.turn) & ~1) | (angle.far ? 0 : 1);
      } else {
        keys[column] = order_key(row[column]) & ~1;
      }
    }
  } else {
    for (std::size_t column = 0; column < columns.size(); ++column) {
      keys[column] = order_key(row[column]);
    }
  }
  keys[columns.size()] = stay_left;
  keys[columns.size() + 1] = stay_right;
}

}  // namespace bentwood
