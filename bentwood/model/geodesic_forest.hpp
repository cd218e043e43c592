#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "bentwood/model/forest.hpp"

namespace bentwood {

/// Which trees count for the proximity of two rows. A
/// row that was not trained on is in no bag, and of a pair with it only the other row decides.
enum class CountedTrees : std::uint8_t {
  /// All.
  all,
  /// Those that have drawn both rows.
  in_bag,
  /// Those that have drawn neither.
  out_of_bag,
};

/// Reads "all", "in_bag" or "out_of_bag". Throws InvalidInput that lists them.
[[nodiscard]] CountedTrees parse_counted_trees(std::string_view name);
[[nodiscard]] std::string_view name(CountedTrees counted);

/// An unsupervised forest with the leaves of its training rows: what it takes to say which of them are near a point.
///
/// The proximity of two rows is S_ij = L_ij / T_ij. T_ij trees count; of leaves, L_ij is the number of these in which both rows reach the same one. Of
/// nodes, a tree adds to L_ij what is said of the smallest node that holds both rows, if that is not larger than `largest_node` (in training
/// rows). Without doubts that is the size of the smallest leaf of the forest over the node's: rows that part late are nearer than others that part
/// early. With doubts it is (that)^share_power times the node's doubt: rows that two clear clusters part are far from each other wherever
/// they part. S_ii is 1.
struct GeodesicForest {
  /// Its task is Task::none: a leaf says its share of the rows that its tree has drawn.
  Forest forest;
  CountedTrees counted = CountedTrees::all;
  /// The rows of the largest node that two rows may share; 0 where leaves alone count.
  std::uint64_t largest_node = 0;
  /// Of every node, one tree after the other, how doubtful it is that its parts are two clusters, from 0 to 1; 1 of leaves. Empty where it does not count.
  std::vector<double> doubts{};
  /// Neighbours that are equally near are told apart by it.
  std::uint64_t seed = 0;
  std::size_t n_rows = 0;
  /// The number of the leaf of every training row, one tree after the other.
  std::vector<std::uint32_t> leaves{};
  /// The rows that each tree has drawn: n_words(n_rows) words a tree, bit r % 32 of word r / 32 for row r.
  std::vector<std::uint32_t> drawn{};

  static constexpr double share_power = 0.15;

  [[nodiscard]] static std::size_t n_words(std::size_t n_rows) { return (n_rows + 31) / 32; }
  [[nodiscard]] std::uint32_t leaf(std::size_t tree, std::size_t row) const {
    return leaves[tree * n_rows + row];
  }
  [[nodiscard]] bool has_drawn(std::size_t tree, std::size_t row) const {
    return ((drawn[tree * n_words(n_rows) + row / 32] >> (row % 32)) & 1U) != 0;
  }
};

/// Whether a forest is whole: check_forest, and a leaf of every tree for every row. Every way into a model passes here. Throws FormatError.
void check_geodesic_forest(const GeodesicForest& forest);

}  // namespace bentwood
