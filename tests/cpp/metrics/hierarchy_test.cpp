#include "bentwood/metrics/hierarchy.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <set>
#include <string>

#include "bentwood/base/error.hpp"
#include "bentwood/base/random.hpp"
#include "bentwood/metrics/classification.hpp"

namespace bentwood {
namespace {

// From the definition: the height of a node by looking at all leaves, the ancestor by the sets of ancestors.
struct SlowTree {
  std::vector<std::int64_t> parents;

  [[nodiscard]] std::vector<std::int64_t> ancestors(std::int64_t node) const {
    std::vector<std::int64_t> result;
    for (; node != -1; node = parents[static_cast<std::size_t>(node)]) {
      result.push_back(node);
    }
    return result;
  }
  [[nodiscard]] double height(std::int64_t node) const {
    std::ptrdiff_t longest = 0;
    for (std::size_t below = 0; below < parents.size(); ++below) {
      const auto way = ancestors(static_cast<std::int64_t>(below));
      const auto place = std::ranges::find(way, node);
      longest = place == way.end() ? longest : std::max(longest, place - way.begin());
    }
    return static_cast<double>(longest);
  }
  [[nodiscard]] double ancestor_height(std::int64_t a, std::int64_t b) const {
    const auto way = ancestors(b);
    for (const std::int64_t node : ancestors(a)) {
      if (std::ranges::find(way, node) != way.end()) {
        return height(node);
      }
    }
    return -1;
  }
};

SlowTree random_tree(std::uint64_t seed, std::size_t n_nodes) {
  Random random(seed);
  SlowTree tree;
  std::vector<std::int64_t> names(n_nodes);
  for (std::size_t node = 0; node < n_nodes; ++node) {
    names[node] = static_cast<std::int64_t>(node);
  }
  random.shuffle(std::span(names));
  tree.parents.assign(n_nodes, -1);
  for (std::size_t node = 1; node < n_nodes; ++node) {
    tree.parents[static_cast<std::size_t>(names[node])] = names[random.below(node)];
  }
  return tree;
}

TEST(ClassTree, heights_of_ancestors_are_those_of_the_definition) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const SlowTree slow = random_tree(seed, 25);
    const ClassTree tree = ClassTree::from_parents(slow.parents);
    for (std::int64_t a = 0; a < 25; ++a) {
      for (std::int64_t b = 0; b < 25; ++b) {
        EXPECT_EQ(tree.ancestor_height(static_cast<std::size_t>(a), static_cast<std::size_t>(b)),
                  slow.ancestor_height(a, b));
      }
    }
  }
}

TEST(ClassTree, a_linkage_has_the_heights_of_its_merges) {
  const Matrix linkage(3, 4, {0, 2, 0.5, 2, 1, 3, 0.25, 2, 4, 5, 2, 4});
  const ClassTree tree = ClassTree::from_linkage(linkage);
  EXPECT_EQ(tree.n_nodes(), 7U);
  EXPECT_EQ(tree.ancestor_height(0, 2), 0.5);
  EXPECT_EQ(tree.ancestor_height(1, 3), 0.25);
  EXPECT_EQ(tree.ancestor_height(0, 3), 2);
  EXPECT_EQ(tree.ancestor_height(3, 3), 0);
}

TEST(HierarchicalScores, are_means_over_mistakes_and_over_rows) {
  const SlowTree slow = random_tree(5, 12);
  const ClassTree tree = ClassTree::from_parents(slow.parents);
  Random random(6);
  const std::vector<std::int64_t> nodes{3, 0, 11, 7, 5};
  std::vector<std::int64_t> truth;
  std::vector<std::int64_t> predicted;
  std::vector<double> weights;
  double heights = 0;
  double mistakes = 0;
  double total = 0;
  for (int row = 0; row < 200; ++row) {
    truth.push_back(static_cast<std::int64_t>(random.below(5)));
    predicted.push_back(static_cast<std::int64_t>(random.below(5)));
    weights.push_back(static_cast<double>(random.below(4)));
    total += weights.back();
    if (truth.back() != predicted.back()) {
      mistakes += weights.back();
      heights +=
          weights.back() * slow.ancestor_height(nodes[static_cast<std::size_t>(truth.back())],
                                                nodes[static_cast<std::size_t>(predicted.back())]);
    }
  }
  const HierarchicalScores found = hierarchical_scores(truth, predicted, tree, nodes, weights);
  EXPECT_NEAR(found.mistake_severity, heights / mistakes, 1e-12);
  EXPECT_NEAR(found.hierarchical_distance, heights / total, 1e-12);
  const HierarchicalScores right = hierarchical_scores(truth, truth, tree, nodes, weights);
  EXPECT_EQ(right.mistake_severity, 0);
  EXPECT_EQ(right.hierarchical_distance, 0);
}

// In a star all mistakes are equally bad.
TEST(HierarchicalScores, of_a_star_are_one_and_the_share_of_mistakes) {
  const std::vector<std::int64_t> parents{3, 3, 3, -1};
  const ClassTree star = ClassTree::from_parents(parents);
  const std::vector<std::int64_t> nodes{0, 1, 2};
  const std::vector<std::int64_t> truth{0, 1, 2, 0};
  const std::vector<std::int64_t> predicted{0, 2, 1, 0};
  const HierarchicalScores found = hierarchical_scores(truth, predicted, star, nodes);
  EXPECT_EQ(found.mistake_severity, 1);
  EXPECT_EQ(found.hierarchical_distance, 1 - accuracy(truth, predicted));
}

void expect_message(const std::function<void()>& call, const std::string& message) {
  try {
    call();
    FAIL() << "expected: " << message;
  } catch (const InvalidInput& error) {
    EXPECT_EQ(error.what(), message);
  }
}

TEST(ClassTree, mistakes_are_named) {
  const auto parents = [](std::vector<std::int64_t> values) {
    return [values] { static_cast<void>(ClassTree::from_parents(values)); };
  };
  const auto linkage = [](std::size_t n_rows, std::size_t n_cols, std::vector<double> values) {
    return [n_rows, n_cols, values] {
      static_cast<void>(ClassTree::from_linkage(Matrix(n_rows, n_cols, values)));
    };
  };
  expect_message(parents({1, 2, 7, -1}), "the parent of node 2 is 7, expected -1 to 3");
  expect_message(parents({}), "the class tree has no nodes, expected at least one");
  expect_message(parents({-1, 0, -1}), "nodes 0 and 2 have no parent, expected one root");
  expect_message(parents({1, 2, 0, -1}), "node 2 is its own ancestor, expected a tree");
  expect_message(linkage(1, 3, {0, 1, 2}), "a linkage has 4 columns, found 3");
  expect_message(linkage(2, 4, {0, 1, 1, 2, 0, 2, 2, 3}),
                 "row 1: merges node 0, which has been merged before");
  expect_message(linkage(2, 4, {0, 3, 1, 2, 1, 2, 2, 3}),
                 "row 0: merges node 3, expected a whole number from 0 to 2");
  expect_message(linkage(1, 4, {0, 1, -1, 2}),
                 "row 0: the height is -1, expected a finite number of at least 0");
}

}  // namespace
}  // namespace bentwood
