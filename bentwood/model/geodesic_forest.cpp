#include "bentwood/model/geodesic_forest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "bentwood/base/error.hpp"
#include "bentwood/base/parallel.hpp"
#include "bentwood/model/check_forest.hpp"

namespace bentwood {
namespace {

constexpr std::array<std::string_view, 3> counted_names{"all", "in_bag", "out_of_bag"};

void check_leaves(const GeodesicForest& forest, std::size_t tree) {
  const std::vector<TreeNode>& nodes = forest.forest.trees[tree].nodes;
  for (std::size_t row = 0; row < forest.n_rows; ++row) {
    const std::uint32_t leaf = forest.leaf(tree, row);
    if (leaf >= nodes.size() || !nodes[leaf].is_leaf()) {
      throw FormatError(
          fmt::format("tree {}: row {} is in node {}, which is no leaf", tree, row, leaf));
    }
  }
}

void check_doubts(const GeodesicForest& forest) {
  std::size_t n_nodes = 0;
  for (const Tree& tree : forest.forest.trees) {
    n_nodes += tree.nodes.size();
  }
  if (!forest.doubts.empty() && forest.doubts.size() != n_nodes) {
    throw FormatError(
        fmt::format("{} nodes are in doubt, there are {}", forest.doubts.size(), n_nodes));
  }
  const auto wrong =
      std::ranges::find_if(forest.doubts, [](double doubt) { return !(doubt >= 0 && doubt <= 1); });
  if (wrong != forest.doubts.end()) {
    throw FormatError(fmt::format("the doubt of node {} is {}, expected a number from 0 to 1",
                                  wrong - forest.doubts.begin(), *wrong));
  }
}

}  // namespace

CountedTrees parse_counted_trees(std::string_view name) {
  const auto* const found = std::ranges::find(counted_names, name);
  if (found == counted_names.end()) {
    throw InvalidInput(
        fmt::format("counted is \"{}\", expected \"all\", \"in_bag\" or \"out_of_bag\"", name));
  }
  return static_cast<CountedTrees>(found - counted_names.begin());
}

std::string_view name(CountedTrees counted) {
  return counted_names.at(static_cast<std::size_t>(counted));
}

void check_geodesic_forest(const GeodesicForest& forest) {
  check_forest(forest.forest);
  if (forest.forest.task != Task::none) {
    throw FormatError("the forest predicts something, expected one that finds neighbours");
  }
  const std::size_t n_trees = forest.forest.trees.size();
  const std::size_t n_words = GeodesicForest::n_words(forest.n_rows);
  if (forest.n_rows == 0 || forest.leaves.size() / n_trees != forest.n_rows ||
      forest.leaves.size() % n_trees != 0 || forest.drawn.size() != n_trees * n_words) {
    throw FormatError(fmt::format("{} trees have {} leaves of {} rows and {} words of drawn rows",
                                  n_trees, forest.leaves.size(), forest.n_rows,
                                  forest.drawn.size()));
  }
  check_doubts(forest);
  parallel_blocks(n_trees, 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t tree = begin; tree < end; ++tree) {
      check_leaves(forest, tree);
    }
  });
}

}  // namespace bentwood
