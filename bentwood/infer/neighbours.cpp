#include "bentwood/infer/neighbours.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>
#include <span>
#include <utility>

#include "bentwood/base/error.hpp"
#include "bentwood/base/parallel.hpp"
#include "bentwood/base/pool.hpp"
#include "bentwood/infer/reference.hpp"

namespace bentwood {
namespace {

constexpr std::size_t points_a_block = 32;

/// Tells equally near rows apart (the finaliser of SplitMix64).
std::uint64_t hash(std::uint64_t seed, std::uint64_t point, std::uint64_t row) {
  std::uint64_t x = seed ^ (point * 0x9E3779B97F4A7C15U) ^ ((row + 1) * 0xD1B54A32D192ED03U);
  x = (x ^ (x >> 30U)) * 0xBF58476D1CE4E5B9U;
  x = (x ^ (x >> 27U)) * 0x94D049BB133111EBU;
  return x ^ (x >> 31U);
}

struct Near {
  double proximity = 0;
  std::uint64_t order = 0;
  std::uint32_t row = 0;

  friend bool operator<(const Near& a, const Near& b) {
    if (a.proximity != b.proximity) {
      return a.proximity > b.proximity;
    }
    return a.order != b.order ? a.order < b.order : a.row < b.row;
  }
};

}  // namespace

struct NeighbourIndex::Query {
  std::size_t n_points = 0;
  /// The leaves of points; nothing where training rows are asked about.
  const Leaves* leaves = nullptr;

  [[nodiscard]] bool is_training() const { return leaves == nullptr; }
  /// What tells a point from others: its number, or the leaves it is in, wherever it stands among those asked about.
  [[nodiscard]] std::uint64_t identity(std::size_t point) const {
    if (is_training()) {
      return point;
    }
    std::uint64_t result = 0;
    for (std::size_t tree = 0; tree < leaves->n_trees; ++tree) {
      result = hash(result, tree, (*leaves)(point, tree));
    }
    return result;
  }
};

/// Counts the trees that a point shares with every training row.
class NeighbourIndex::Counter {
 public:
  explicit Counter(const NeighbourIndex& index)
      : index_(index), forest_(*index.forest_), shared_(forest_.n_rows, 0) {}

  /// Counts for a point; `touched` then lists the rows that share something with it.
  void count(const Query& query, std::size_t point) {
    forget();
    const std::size_t n_trees = forest_.forest.trees.size();
    const bool training = query.is_training();
    for (std::size_t tree = 0; tree < n_trees; ++tree) {
      if (!training || counts(tree, point)) {
        count_tree(tree, training ? forest_.leaf(tree, point) : (*query.leaves)(point, tree));
      }
    }
    point_ = training ? std::optional(point) : std::nullopt;
  }

  [[nodiscard]] std::span<const std::uint32_t> touched() const { return touched_; }
  [[nodiscard]] bool is_touched(std::size_t row) const { return shared_[row] > 0; }
  void sort() { std::ranges::sort(touched_); }

  /// S_ij of the point counted for and a row.
  [[nodiscard]] double proximity(std::size_t row) const {
    if (shared_[row] == 0 || row == point_) {
      return shared_[row] == 0 ? 0 : 1;
    }
    return shared_[row] / static_cast<double>(n_counted(row));
  }

 private:
  /// From the leaf up: every node adds the rows that its child does not have.
  void count_tree(std::size_t tree, std::uint32_t leaf) {
    const Node* const nodes = index_.nodes_.data() + index_.tree_begins_[tree];
    const std::uint32_t* const rows = index_.rows_.data() + tree * forest_.n_rows;
    Node node = nodes[leaf];
    const bool leaves_only = forest_.largest_node == 0;
    add({rows + node.begin, node.size()}, tree, node.share);
    for (std::uint32_t at = leaf; !leaves_only && at != nodes[at].parent;) {
      at = nodes[at].parent;
      const Node outer = nodes[at];
      if (outer.size() > forest_.largest_node) {
        break;
      }
      add({rows + outer.begin, node.begin - outer.begin}, tree, outer.share);
      add({rows + node.end, outer.end - node.end}, tree, outer.share);
      node = outer;
    }
  }

  void add(std::span<const std::uint32_t> rows, std::size_t tree, double share) {
    const bool all = forest_.counted == CountedTrees::all;
    if (share == 0) {
      return;
    }
    for (const std::uint32_t row : rows) {
      if (all || counts(tree, row)) {
        if (shared_[row] == 0) {
          touched_.push_back(row);
        }
        shared_[row] += share;
      }
    }
  }

  [[nodiscard]] bool counts(std::size_t tree, std::size_t row) const {
    return forest_.counted == CountedTrees::all ||
           forest_.has_drawn(tree, row) == (forest_.counted == CountedTrees::in_bag);
  }

  /// T_ij.
  [[nodiscard]] std::size_t n_counted(std::size_t row) const {
    const std::size_t n_trees = forest_.forest.trees.size();
    if (forest_.counted == CountedTrees::all) {
      return n_trees;
    }
    const std::size_t n_words = (n_trees + 63) / 64;
    const bool in_bag = forest_.counted == CountedTrees::in_bag;
    std::size_t result = 0;
    for (std::size_t word = 0; word < n_words; ++word) {
      const std::size_t in_use = std::min<std::size_t>(64, n_trees - word * 64);
      std::uint64_t both = in_use == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << in_use) - 1;
      for (const std::optional<std::size_t> one : {std::optional(row), point_}) {
        if (one) {
          const std::uint64_t drawn = index_.drawn_by_[*one * n_words + word];
          both &= in_bag ? drawn : ~drawn;
        }
      }
      result += static_cast<std::size_t>(std::popcount(both));
    }
    return result;
  }

  void forget() {
    for (const std::uint32_t row : touched_) {
      shared_[row] = 0;
    }
    touched_.clear();
  }

  const NeighbourIndex& index_;
  const GeodesicForest& forest_;
  /// L_ij by row.
  std::vector<double> shared_;
  std::vector<std::uint32_t> touched_;
  /// The training row that was counted for, if it is one.
  std::optional<std::size_t> point_;
};

NeighbourIndex::NeighbourIndex(std::shared_ptr<const GeodesicForest> forest)
    : forest_(std::move(forest)),
      predictor_(std::shared_ptr<const Forest>(forest_, &forest_->forest)) {
  const std::size_t n_trees = forest_->forest.trees.size();
  const std::size_t n_rows = forest_->n_rows;
  tree_begins_.push_back(0);
  for (const Tree& tree : forest_->forest.trees) {
    tree_begins_.push_back(tree_begins_.back() + tree.nodes.size());
  }
  rows_.resize(n_trees * n_rows);
  nodes_.resize(tree_begins_.back());
  parallel_blocks(n_trees, 1, [&](std::size_t tree, std::size_t) { place_rows(tree); });
  if (forest_->largest_node > 0) {
    set_shares();
  }
  if (forest_->counted != CountedTrees::all) {
    const std::size_t n_words = (n_trees + 63) / 64;
    drawn_by_.resize(n_rows * n_words, 0);
    for (std::size_t tree = 0; tree < n_trees; ++tree) {
      for (std::size_t row = 0; row < n_rows; ++row) {
        drawn_by_[row * n_words + tree / 64] |=
            static_cast<std::uint64_t>(forest_->has_drawn(tree, row)) << (tree % 64);
      }
    }
  }
}

void NeighbourIndex::set_shares() {
  std::size_t smallest_leaf = forest_->n_rows;
  for (std::size_t tree = 0; tree < forest_->forest.trees.size(); ++tree) {
    for (std::size_t node = 0; node < forest_->forest.trees[tree].nodes.size(); ++node) {
      const std::size_t size = nodes_[tree_begins_[tree] + node].size();
      if (forest_->forest.trees[tree].nodes[node].is_leaf() && size > 0) {
        smallest_leaf = std::min(smallest_leaf, size);
      }
    }
  }
  for (std::size_t node = 0; node < nodes_.size(); ++node) {
    const double relative = static_cast<double>(smallest_leaf) /
                            static_cast<double>(std::max<std::size_t>(nodes_[node].size(), 1));
    nodes_[node].share =
        forest_->doubts.empty()
            ? relative
            : forest_->doubts[node] * std::pow(relative, GeodesicForest::share_power);
  }
}

void NeighbourIndex::place_rows(std::size_t tree) {
  const std::vector<TreeNode>& nodes = forest_->forest.trees[tree].nodes;
  const std::span<Node> places = std::span(nodes_).subspan(tree_begins_[tree], nodes.size());
  // Sizes from the leaves up, then begins from the root down: children come after their parents.
  for (std::size_t row = 0; row < forest_->n_rows; ++row) {
    ++places[forest_->leaf(tree, row)].end;
  }
  for (std::size_t node = nodes.size(); node-- > 0;) {
    if (!nodes[node].is_leaf()) {
      const std::uint32_t left = nodes[node].child;
      places[node].end = places[left].end + places[left + 1].end;
      places[left].parent = places[left + 1].parent = static_cast<std::uint32_t>(node);
    }
  }
  for (std::size_t node = 0; node < nodes.size(); ++node) {
    if (!nodes[node].is_leaf()) {
      const std::uint32_t left = nodes[node].child;
      places[left].begin = places[node].begin;
      places[left].end += places[left].begin;
      places[left + 1].begin = places[left].end;
      places[left + 1].end += places[left + 1].begin;
    }
  }
  std::vector<std::uint32_t> next(nodes.size());
  std::ranges::transform(places, next.begin(), &Node::begin);
  for (std::size_t row = 0; row < forest_->n_rows; ++row) {
    rows_[tree * forest_->n_rows + next[forest_->leaf(tree, row)]++] =
        static_cast<std::uint32_t>(row);
  }
}

Neighbours NeighbourIndex::of_training_rows(std::size_t n_neighbours) const {
  return neighbours({.n_points = forest_->n_rows}, n_neighbours);
}

Neighbours NeighbourIndex::of_points(Points points, std::size_t n_neighbours) const {
  const Leaves leaves = predictor_.apply(points);
  Neighbours result = neighbours({.n_points = leaves.n_rows, .leaves = &leaves}, n_neighbours);
  result.n_projected = leaves.n_projected;
  result.largest_residual = leaves.largest_residual;
  return result;
}

Proximities NeighbourIndex::training_proximities() const {
  return proximities(Query{.n_points = forest_->n_rows});
}

Proximities NeighbourIndex::proximities(Points points) const {
  const Leaves leaves = predictor_.apply(points);
  Proximities result = proximities(Query{.n_points = leaves.n_rows, .leaves = &leaves});
  result.n_projected = leaves.n_projected;
  result.largest_residual = leaves.largest_residual;
  return result;
}

Neighbours NeighbourIndex::neighbours(const Query& query, std::size_t n_neighbours) const {
  const std::size_t n_others = forest_->n_rows - (query.is_training() ? 1 : 0);
  if (n_others == 0) {
    throw InvalidInput("the forest has one row, which has no neighbours among its own rows");
  }
  if (n_neighbours == 0 || n_neighbours > n_others) {
    throw InvalidInput(fmt::format("n_neighbors is {}, expected a number from 1 to {}, the rows {}",
                                   n_neighbours, n_others,
                                   query.is_training() ? "besides one" : "of the forest"));
  }
  Neighbours result;
  result.rows.resize(query.n_points * n_neighbours);
  result.distances = Matrix::uninitialized(query.n_points, n_neighbours);
  Pool<Counter> counters;
  parallel_blocks(query.n_points, points_a_block, [&](std::size_t begin, std::size_t end) {
    std::vector<Near> near;
    counters.with(
        [&] { return std::make_unique<Counter>(*this); },
        [&](Counter& counter) {
          for (std::size_t point = begin; point < end; ++point) {
            counter.count(query, point);
            near.clear();
            const std::uint64_t identity = query.identity(point);
            const auto add = [&](std::uint32_t row) {
              if (!query.is_training() || row != point) {
                near.push_back({counter.proximity(row), hash(forest_->seed, identity, row), row});
              }
            };
            std::ranges::for_each(counter.touched(), add);
            const bool too_few = near.size() < n_neighbours;
            for (std::uint32_t row = 0; too_few && row < forest_->n_rows; ++row) {
              if (!counter.is_touched(row)) {
                add(row);
              }
            }
            std::partial_sort(near.begin(),
                              near.begin() + static_cast<std::ptrdiff_t>(n_neighbours), near.end());
            for (std::size_t place = 0; place < n_neighbours; ++place) {
              result.rows[point * n_neighbours + place] = near[place].row;
              result.distances(point, place) = 1 - near[place].proximity;
            }
          }
        });
  });
  return result;
}

Proximities NeighbourIndex::proximities(const Query& query) const {
  const std::size_t n_blocks = (query.n_points + points_a_block - 1) / points_a_block;
  std::vector<Proximities> parts(n_blocks);
  Proximities result;
  result.row_offsets.assign(query.n_points + 1, 0);
  Pool<Counter> counters;
  parallel_blocks(query.n_points, points_a_block, [&](std::size_t begin, std::size_t end) {
    Proximities& part = parts[begin / points_a_block];
    counters.with([&] { return std::make_unique<Counter>(*this); },
                  [&](Counter& counter) {
                    for (std::size_t point = begin; point < end; ++point) {
                      counter.count(query, point);
                      counter.sort();
                      for (const std::uint32_t row : counter.touched()) {
                        part.columns.push_back(row);
                        part.values.push_back(counter.proximity(row));
                      }
                      result.row_offsets[point + 1] =
                          static_cast<std::int64_t>(counter.touched().size());
                    }
                  });
  });
  for (std::size_t point = 0; point < query.n_points; ++point) {
    result.row_offsets[point + 1] += result.row_offsets[point];
  }
  result.columns.reserve(static_cast<std::size_t>(result.row_offsets.back()));
  result.values.reserve(result.columns.capacity());
  for (Proximities& part : parts) {
    result.columns.insert(result.columns.end(), part.columns.begin(), part.columns.end());
    result.values.insert(result.values.end(), part.values.begin(), part.values.end());
    part = {};
  }
  return result;
}

}  // namespace bentwood
