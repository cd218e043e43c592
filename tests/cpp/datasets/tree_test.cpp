#include "bentwood/datasets/tree.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <string>
#include <vector>

#include "bentwood/base/error.hpp"
#include "bentwood/geometry/manifold.hpp"

namespace bentwood {
namespace {

std::string message(const std::vector<std::size_t>& parents, const SarkarOptions& options = {}) {
  try {
    static_cast<void>(sarkar_tree(parents, options));
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return "accepted";
}

/// Steps between two nodes, by walking both to the root.
std::size_t steps(const std::vector<std::size_t>& parents, std::size_t a, std::size_t b) {
  std::vector<std::size_t> path{a};
  while (parents[path.back()] != path.back()) {
    path.push_back(parents[path.back()]);
  }
  std::size_t n_steps = 0;
  for (;; b = parents[b], ++n_steps) {
    const auto found = std::ranges::find(path, b);
    if (found != path.end()) {
      return n_steps + static_cast<std::size_t>(found - path.begin());
    }
  }
}

TEST(BalancedTree, lists_parents_level_by_level) {
  EXPECT_EQ(balanced_tree(2, 2), (std::vector<std::size_t>{0, 0, 0, 1, 1, 2, 2}));
  EXPECT_EQ(balanced_tree(1, 3), (std::vector<std::size_t>{0, 0, 1, 2}));
  EXPECT_EQ(balanced_tree(5, 0), (std::vector<std::size_t>{0}));
}

TEST(BalancedTree, refuses_trees_that_do_not_fit) {
  EXPECT_THROW(static_cast<void>(balanced_tree(2, 64)), InvalidInput);
  EXPECT_THROW(static_cast<void>(balanced_tree(std::size_t{1} << 63U, 2)), InvalidInput);
  EXPECT_THROW(static_cast<void>(balanced_tree(0, 2)), InvalidInput);
}

/// The construction as the paper has it, in the unit disk: move a node to the origin, place its
/// children at equal angles from its parent, move back. Requires parents before children.
std::vector<std::complex<double>> place_in_disk(const std::vector<std::size_t>& parents,
                                                double length) {
  using Complex = std::complex<double>;
  const auto move = [](Complex to_origin, Complex z) {
    return (z - to_origin) / (1.0 - std::conj(to_origin) * z);
  };
  std::vector<Complex> places(parents.size());
  for (std::size_t node = 0; node < parents.size(); ++node) {
    std::vector<std::size_t> children;
    for (std::size_t other = node + 1; other < parents.size(); ++other) {
      if (parents[other] == node) {
        children.push_back(other);
      }
    }
    const double parent_angle = node == 0 ? 0 : std::arg(move(places[node], places[parents[node]]));
    const double gap =
        2 * std::numbers::pi / static_cast<double>(children.size() + (node == 0 ? 0 : 1));
    for (std::size_t index = 0; index < children.size(); ++index) {
      const double angle = parent_angle + gap * static_cast<double>(index + (node == 0 ? 0 : 1));
      places[children[index]] = move(-places[node], std::polar(std::tanh(length / 2), angle));
    }
  }
  return places;
}

TEST(SarkarTree, is_the_construction_of_the_paper) {
  const std::vector<std::size_t> parents{0, 0, 0, 0, 1, 1, 3, 4, 4, 4, 4, 6};
  for (const double curvature : {-1.0, -0.25, -4.0}) {
    const double radius = 1 / std::sqrt(-curvature);
    const PlacedTree tree = sarkar_tree(parents, {.edge_length = 1.5 * radius,
                                                  .curvature = curvature,
                                                  .coordinates = Coordinates::poincare});
    const auto expected = place_in_disk(parents, 1.5);
    for (std::size_t node = 0; node < parents.size(); ++node) {
      EXPECT_NEAR(tree.points(node, 0), radius * expected[node].real(), 1e-12);
      EXPECT_NEAR(tree.points(node, 1), radius * expected[node].imag(), 1e-12);
    }
  }
}

TEST(SarkarTree, has_edges_of_equal_length_and_no_long_ways_round) {
  const std::vector<std::size_t> parents = balanced_tree(3, 4);
  const double length = 2.5;
  const PlacedTree tree = sarkar_tree(parents, {.edge_length = length});
  const Matrix distances = Manifold("H2").pairwise_distance(tree.points, tree.points);
  for (std::size_t a = 0; a < parents.size(); ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      const auto n_steps = static_cast<double>(steps(parents, a, b));
      EXPECT_LE(distances(a, b), n_steps * length * (1 + 1e-9));
    }
  }
  for (const auto& [parent, child] : tree.edges) {
    EXPECT_NEAR(distances(parent, child), length, 1e-7 * length);
  }
}

TEST(SarkarTree, distorts_less_the_longer_the_edges) {
  const std::vector<std::size_t> parents = balanced_tree(2, 3);
  const Manifold plane("H2");
  double previous = 0;
  for (const double length : {1.0, 2.0, 4.0}) {
    const PlacedTree tree = sarkar_tree(parents, {.edge_length = length});
    const Matrix distances = plane.pairwise_distance(tree.points, tree.points);
    double worst = 1;
    for (std::size_t a = 0; a < parents.size(); ++a) {
      for (std::size_t b = 0; b < a; ++b) {
        const double expected = length * static_cast<double>(steps(parents, a, b));
        worst = std::min(worst, distances(a, b) / expected);
      }
    }
    EXPECT_GT(worst, previous);
    previous = worst;
  }
  EXPECT_GT(previous, 0.9);
}

TEST(SarkarTree, labels_subtrees_of_the_root_and_counts_depths) {
  // Parents may come after their children.
  const PlacedTree tree = sarkar_tree(std::vector<std::size_t>{2, 0, 2, 2, 3});
  EXPECT_EQ(tree.labels, (std::vector<std::int64_t>{1, 1, 0, 2, 2}));
  EXPECT_EQ(tree.depths, (std::vector<std::size_t>{1, 2, 0, 1, 2}));
  EXPECT_EQ(tree.edges, (std::vector<std::array<std::size_t, 2>>{{2, 0}, {0, 1}, {2, 3}, {3, 4}}));
  EXPECT_EQ(tree.points(2, 0), 1);
  EXPECT_EQ(tree.points(2, 1), 0);
}

TEST(SarkarTree, labels_subtrees_of_any_depth) {
  const std::vector<std::size_t> parents = balanced_tree(2, 5);
  for (std::size_t label_depth = 1; label_depth <= 5; ++label_depth) {
    const PlacedTree tree = sarkar_tree(parents, {.label_depth = label_depth});
    for (std::size_t node = 0; node < parents.size(); ++node) {
      // The nodes of a depth are those from 2^depth - 1 on: walk up to the one that names the label.
      const std::size_t first = (std::size_t{1} << label_depth) - 1;
      std::size_t ancestor = node;
      while (ancestor > 2 * first) {
        ancestor = parents[ancestor];
      }
      EXPECT_EQ(tree.labels[node],
                ancestor < first ? 0 : static_cast<std::int64_t>(ancestor - first + 1));
    }
  }
}

TEST(SarkarTree, numbers_labels_in_the_order_of_the_nodes) {
  // Level by level from the root, node 4, the grandchildren come as 2, 3, 0: not as they are numbered.
  const PlacedTree tree =
      sarkar_tree(std::vector<std::size_t>{5, 4, 1, 1, 4, 4, 2, 0}, {.label_depth = 2});
  EXPECT_EQ(tree.labels, (std::vector<std::int64_t>{1, 0, 2, 3, 0, 0, 2, 1}));
  EXPECT_EQ(tree.depths, (std::vector<std::size_t>{2, 1, 2, 2, 0, 1, 3, 3}));
}

TEST(SarkarTree, stays_on_the_manifold_in_deep_trees) {
  const PlacedTree chain = sarkar_tree(balanced_tree(1, 300), {.edge_length = 1});
  const Manifold plane("H2");
  EXPECT_TRUE(plane.membership(chain.points).all_on());
  EXPECT_NEAR(std::asinh(chain.points(300, 1)), 300, 1e-9);
}

TEST(SarkarTree, gives_any_coordinates) {
  const PlacedTree tree =
      sarkar_tree(balanced_tree(2, 1), {.edge_length = 2, .coordinates = Coordinates::poincare});
  ASSERT_EQ(tree.points.n_cols(), 2U);
  EXPECT_NEAR(tree.points(1, 0), std::tanh(1.0), 1e-14);
  EXPECT_NEAR(tree.points(2, 0), -std::tanh(1.0), 1e-14);
}

TEST(SarkarTree, says_why_parents_are_no_tree) {
  EXPECT_EQ(message({}), "a tree needs at least one node, found no parents");
  EXPECT_EQ(message({0, 5}), "node 1 has parent 5, expected a node from 0 to 1");
  EXPECT_EQ(message({0, 1}),
            "a tree has exactly one root (a node that is its own parent), found 2");
  EXPECT_EQ(message({1, 0}),
            "a tree has exactly one root (a node that is its own parent), found 0");
  EXPECT_EQ(message({0, 2, 1}),
            "the parents contain a cycle: 2 of 3 nodes cannot be reached from the root");
}

TEST(SarkarTree, says_what_edges_it_can_place) {
  EXPECT_EQ(message({0, 0}, {.edge_length = 0}),
            "the edge length must be a finite number > 0, found 0");
  EXPECT_EQ(message({0, 0, 1}, {.edge_length = 200}),
            "a tree of depth 2 with edges of length 200 reaches beyond 350, the farthest the "
            "hyperbolic plane can be computed with; pass an edge length of at most 175");
}

TEST(SarkarTree, has_no_labels_of_depths_without_nodes) {
  EXPECT_EQ(message({0, 0}, {.label_depth = 0}), "the label depth must be at least 1, found 0");
  EXPECT_EQ(message({0, 0, 1}, {.label_depth = 3}),
            "the label depth is 3, but the deepest node of the tree is at depth 2");
}

}  // namespace
}  // namespace bentwood
