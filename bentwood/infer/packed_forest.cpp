#include "bentwood/infer/packed_forest.hpp"

#include <numeric>

#include "bentwood/base/parallel.hpp"
#include "bentwood/infer/made_turns.hpp"

namespace bentwood {
namespace {

/// No row's key: those of finite numbers are less. The last bit is that of a threshold.
constexpr std::int32_t after_all_keys = std::numeric_limits<std::int32_t>::max() - 1;

/// What one tree comes to. Numbers of blocks, leaves, values and made columns start from 0.
struct PackedTree {
  std::vector<PackedBlock> blocks;
  std::vector<std::uint32_t> node_numbers;
  std::vector<std::uint32_t> leaf_rows;
  std::vector<std::uint32_t> leaf_numbers;
  std::vector<double> made;
  std::vector<std::uint32_t> made_begins;
};

/// Lays out one tree: in every block as many nodes as it holds, those that most of the training rows passed.
class TreePacker {
 public:
  TreePacker(const Tree& tree, std::size_t n_columns, bool circles)
      : tree_(tree), n_columns_(n_columns), key_mask_(circles ? ~1 : ~0) {
    packed_.blocks.reserve(tree.nodes.size() / 8 + 1);
  }

  PackedTree pack() {
    add_blocks(1);
    waiting_.push_back({0, 0});
    while (!waiting_.empty()) {
      const Waiting next = waiting_.back();
      waiting_.pop_back();
      fill(next);
    }
    return std::move(packed_);
  }

 private:
  /// A block that is still empty, and the node that it begins with.
  struct Waiting {
    std::uint32_t block;
    std::uint32_t node;
  };
  /// A node that the block at hand will hold: its children are others of them, or exits.
  struct Chosen {
    static constexpr std::uint8_t exit = 0xFF;
    std::uint32_t node = 0;
    std::array<std::uint8_t, 2> children{exit, exit};
  };
  /// An inner child of a chosen node.
  struct Candidate {
    double weight;
    std::uint32_t node;
    std::uint8_t parent;
    std::uint8_t side;
  };

  void add_blocks(std::size_t n_blocks) {
    packed_.blocks.resize(packed_.blocks.size() + n_blocks);
    packed_.node_numbers.resize(packed_.blocks.size() * PackedBlock::most_nodes);
    packed_.leaf_rows.resize(packed_.blocks.size() * PackedBlock::most_exits);
    packed_.leaf_numbers.resize(packed_.blocks.size() * PackedBlock::most_exits);
    packed_.made_begins.resize(packed_.blocks.size());
  }

  void fill(Waiting start) {
    PackedBlock block;
    block.keys.fill(after_all_keys);
    block.first_block = static_cast<std::uint32_t>(packed_.blocks.size());
    block_ = &block;
    block_number_ = start.block;
    n_laid_ = 0;
    n_exits_ = 0;
    n_below_ = 0;
    if (tree_.nodes[start.node].is_leaf()) {
      lay_exit(start.node, 0);
    } else {
      choose(start.node);
      lay(0, 0);
    }
    block.n_exits = static_cast<std::uint8_t>(n_exits_);
    packed_.made_begins[start.block] = static_cast<std::uint32_t>(packed_.made.size());
    made_.write(packed_.made);
    add_blocks(n_below_);
    packed_.blocks[start.block] = block;
    for (std::uint32_t below = 0; below < n_below_; ++below) {
      waiting_.push_back({block.first_block + below, below_[below]});
    }
  }

  /// The root of the block and, one after the other, the heaviest inner node below those that are chosen.
  void choose(std::uint32_t root) {
    chosen_[0] = {root};
    n_candidates_ = 0;
    add_candidates(0);
    for (std::uint8_t number = 1;
         number < static_cast<std::uint8_t>(PackedBlock::most_nodes) && n_candidates_ > 0;
         ++number) {
      std::size_t heaviest = 0;
      for (std::size_t index = 1; index < n_candidates_; ++index) {
        heaviest = candidates_[index].weight > candidates_[heaviest].weight ? index : heaviest;
      }
      const Candidate next = candidates_[heaviest];
      candidates_[heaviest] = candidates_[--n_candidates_];
      chosen_[static_cast<std::size_t>(number)] = {next.node};
      chosen_[static_cast<std::size_t>(next.parent)].children[next.side] = number;
      add_candidates(number);
    }
  }

  void add_candidates(std::uint8_t parent) {
    const std::uint32_t left = tree_.nodes[chosen_[static_cast<std::size_t>(parent)].node].child;
    for (const std::uint8_t side : {std::uint8_t{0}, std::uint8_t{1}}) {
      const std::uint32_t child = left + side;
      if (!tree_.nodes[child].is_leaf()) {
        candidates_[n_candidates_++] = {tree_.weights[child], child, parent, side};
      }
    }
  }

  /// Lays the nodes below a chosen one, itself first. All their exits are ruled out by the nodes `by`.
  void lay(std::uint8_t number, std::uint8_t by) {
    const Chosen chosen = chosen_[static_cast<std::size_t>(number)];
    const TreeNode& node = tree_.nodes[chosen.node];
    const std::size_t place = n_laid_++;
    const auto bit = static_cast<std::uint8_t>(1U << place);
    packed_.node_numbers[block_number_ * PackedBlock::most_nodes + place] = chosen.node;
    const auto column = static_cast<std::size_t>(node.column);
    if (column < n_columns_) {
      block_->keys[place] = order_key(node.threshold) & key_mask_;
      block_->columns[place] = static_cast<std::uint16_t>(column);
    } else {
      block_->made |= bit;
      made_.add(place, tree_.own, column - n_columns_, node.threshold);
    }
    const auto lay_below = [&](std::size_t side, std::uint8_t ruled_out_by) {
      if (chosen.children[side] == Chosen::exit) {
        lay_exit(node.child + static_cast<std::uint32_t>(side), ruled_out_by);
      } else {
        lay(chosen.children[side], ruled_out_by);
      }
    };
    lay_below(0, by | bit);
    lay_below(1, by);
  }

  void lay_exit(std::uint32_t node, std::uint8_t by) {
    const std::size_t exit = n_exits_++;
    block_->ruled_out_by[exit] = by;
    if (tree_.nodes[node].is_leaf()) {
      packed_.leaf_rows[block_number_ * PackedBlock::most_exits + exit] = tree_.nodes[node].child;
      packed_.leaf_numbers[block_number_ * PackedBlock::most_exits + exit] = node;
    } else {
      block_->inner = static_cast<std::uint8_t>(block_->inner | (1U << exit));
      below_[n_below_++] = node;
    }
  }

  const Tree& tree_;
  std::size_t n_columns_;
  std::int32_t key_mask_;
  PackedTree packed_;
  std::vector<Waiting> waiting_;
  MadeGroupWriter made_;
  // The block at hand.
  PackedBlock* block_ = nullptr;
  std::size_t block_number_ = 0;
  std::size_t n_laid_ = 0;
  std::size_t n_exits_ = 0;
  std::uint32_t n_below_ = 0;
  std::size_t n_candidates_ = 0;
  std::array<Chosen, PackedBlock::most_nodes> chosen_;
  std::array<Candidate, PackedBlock::most_nodes + 1> candidates_{};
  std::array<std::uint32_t, PackedBlock::most_nodes + 1> below_{};
};

/// Where the things of every tree begin among those of all.
struct Begins {
  std::size_t block = 0;
  std::size_t value = 0;
  std::size_t made = 0;
};

/// Puts a tree behind those that come before it.
void place(const PackedTree& tree, std::span<const double> values, std::size_t width,
           const Begins& begin, PackedForest& packed) {
  PackedBlock* const blocks = packed.blocks.data() + begin.block;
  std::ranges::copy(tree.blocks, blocks);
  for (PackedBlock& block : std::span(blocks, tree.blocks.size())) {
    block.first_block += static_cast<std::uint32_t>(begin.block);
  }
  std::ranges::copy(tree.node_numbers,
                    packed.node_numbers.data() + begin.block * PackedBlock::most_nodes);
  std::ranges::transform(
      tree.leaf_rows, packed.leaf_rows.data() + begin.block * PackedBlock::most_exits,
      [&](std::uint32_t row) {
        return row + static_cast<std::uint32_t>(width == 0 ? 0 : begin.value / width);
      });
  std::ranges::copy(tree.leaf_numbers,
                    packed.leaf_numbers.data() + begin.block * PackedBlock::most_exits);
  std::ranges::copy(values, packed.values.data() + begin.value);
  if (!packed.made.empty()) {
    std::ranges::copy(tree.made, packed.made.data() + begin.made);
    std::ranges::transform(
        tree.made_begins, packed.made_begins.data() + begin.block,
        [&](std::uint32_t place) { return place + static_cast<std::uint32_t>(begin.made); });
  }
}

}  // namespace

PackedForest pack(const Forest& forest) {
  constexpr std::size_t most = std::numeric_limits<std::int32_t>::max();
  PackedForest packed;
  packed.n_columns = forest.columns.size();
  packed.circles = std::ranges::any_of(forest.columns.columns(), [](const Column& column) {
    return column.kind == ColumnKind::circle;
  });
  if (packed.n_columns > most_packed_columns) {
    return packed;
  }
  std::vector<PackedTree> trees(forest.trees.size());
  parallel_blocks(trees.size(), 1, [&](std::size_t tree, std::size_t) {
    trees[tree] = TreePacker(forest.trees[tree], packed.n_columns, packed.circles).pack();
  });
  std::vector<Begins> begins{{}};
  for (std::size_t tree = 0; tree < trees.size(); ++tree) {
    const Begins& last = begins.back();
    begins.push_back({last.block + trees[tree].blocks.size(),
                      last.value + forest.trees[tree].values.size(),
                      last.made + trees[tree].made.size()});
  }
  const Begins end = begins.back();
  if (std::max({end.block * PackedBlock::most_exits, end.value, end.made}) > most) {
    return packed;
  }
  packed.blocks.resize(end.block);
  packed.node_numbers.resize(end.block * PackedBlock::most_nodes);
  packed.leaf_rows.resize(end.block * PackedBlock::most_exits);
  packed.leaf_numbers.resize(end.block * PackedBlock::most_exits);
  packed.values.resize(end.value);
  packed.made.resize(end.made);
  packed.made_begins.resize(end.made > 0 ? end.block : 0);
  parallel_blocks(trees.size(), 1, [&](std::size_t tree, std::size_t) {
    place(trees[tree], forest.trees[tree].values, forest.trees[tree].width, begins[tree], packed);
  });
  packed.roots.resize(trees.size());
  std::ranges::transform(
      std::span(begins).first(trees.size()), packed.roots.begin(),
      [](const Begins& begin) { return static_cast<std::uint32_t>(begin.block); });
  return packed;
}

void row_keys(std::span<const Column> columns, bool circles, std::span<const double> row,
              std::int32_t* keys) {
  if (columns.empty()) {
    keys[0] = 0;  // what nodes look at that are not there
  }
  if (!circles) {
    for (std::size_t column = 0; column < columns.size(); ++column) {
      keys[column] = order_key(row[column]);
    }
    return;
  }
  for (std::size_t column = 0; column < columns.size(); ++column) {
    if (columns[column].kind == ColumnKind::circle) {
      // The far half goes right beyond the threshold, the near one left.
      const FoldedAngle angle = fold(row[column]);
      keys[column] = (order_key(angle.turn) & ~1) | (angle.far ? 0 : 1);
    } else {
      keys[column] = order_key(row[column]) & ~1;
    }
  }
}

}  // namespace bentwood
