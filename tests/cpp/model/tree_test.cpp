#include "bentwood/model/tree.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <string>
#include <vector>

#include "bentwood/base/random.hpp"
#include "bentwood/geometry/columns.hpp"
#include "data/messages.hpp"

namespace bentwood {
namespace {

constexpr double pi = std::numbers::pi;

TEST(Fold, takes_angles_to_the_half_circle) {
  EXPECT_EQ(fold(0).turn, 0);
  EXPECT_FALSE(fold(0).far);
  EXPECT_EQ(fold(1).turn, 1);
  EXPECT_FALSE(fold(1).far);
  EXPECT_EQ(fold(-1).turn, -1 + pi);
  EXPECT_TRUE(fold(-1).far);
  EXPECT_EQ(fold(pi).turn, 0);
  EXPECT_TRUE(fold(pi).far);
  // So small that adding π gives π: just below angle 0, so on the near half.
  EXPECT_EQ(fold(-1e-300).turn, 0);
  EXPECT_FALSE(fold(-1e-300).far);
}

TEST(Fold, stays_below_pi_and_keeps_the_angle) {
  Random random(1);
  for (int item = 0; item < 100'000; ++item) {
    double angle = (2 * random.uniform() - 1) * pi;
    if (item % 3 == 0) {
      angle *= std::pow(10.0, -20 * random.uniform());
    }
    const FoldedAngle folded = fold(angle);
    ASSERT_GE(folded.turn, 0);
    ASSERT_LT(folded.turn, pi);
    ASSERT_NEAR(std::remainder(folded.turn - (folded.far ? pi : 0) - angle, 2 * pi), 0, 1e-15);
  }
}

// Between turns, opposite points always part; the cut passes through the centre.
TEST(GoesLeft, sends_antipodes_to_opposite_sides) {
  Random random(2);
  for (int item = 0; item < 100'000; ++item) {
    const double angle = random.uniform() * pi;
    const double threshold = random.uniform() * pi;
    if (std::abs(angle - threshold) < 1e-12) {
      continue;
    }
    const double opposite = angle - pi;
    ASSERT_NE(goes_left(ColumnKind::circle, angle, threshold),
              goes_left(ColumnKind::circle, opposite, threshold))
        << angle << " at " << threshold;
  }
}

TEST(GoesLeft, is_the_half_turn_after_the_threshold) {
  Random random(3);
  for (int item = 0; item < 100'000; ++item) {
    const double angle = (2 * random.uniform() - 1) * pi;
    const double threshold = random.uniform() * pi;
    // How far the angle is past the threshold, going around.
    const double past = std::fmod(angle - threshold + 4 * pi, 2 * pi);
    if (std::min({past, std::abs(past - pi), 2 * pi - past}) > 1e-12) {
      ASSERT_EQ(goes_left(ColumnKind::circle, angle, threshold), past < pi);
    }
  }
}

TEST(GoesLeft, includes_the_threshold_on_a_line) {
  EXPECT_TRUE(goes_left(ColumnKind::line, 1, 1));
  EXPECT_FALSE(goes_left(ColumnKind::line, std::nextafter(1, 2), 1));
  EXPECT_TRUE(goes_left(ColumnKind::line, 0.0, -0.0));
}

/// x <= 1, then angle: three leaves.
Tree small_tree() {
  Tree tree;
  tree.nodes = {
      {1, 0, 1}, {0, TreeNode::leaf, 0}, {2, 1, 3}, {0, TreeNode::leaf, 1}, {0, TreeNode::leaf, 0}};
  tree.weights = {4, 2, 2, 1, 1};
  tree.width = 2;
  tree.values = {0, 1, 1, 0};
  return tree;
}

std::vector<Column> line_and_circle() { return Columns(Manifold("E1 x S1")).columns(); }

TEST(Tree, knows_its_depth_and_leaves) {
  EXPECT_EQ(depth(small_tree()), 2U);
  EXPECT_EQ(n_leaves(small_tree()), 3U);
  EXPECT_NO_THROW(check_tree(small_tree(), line_and_circle()));
}

template <class Change>
std::string problem_after(const Change& change) {
  Tree tree = small_tree();
  change(tree);
  return message_of([&] { check_tree(tree, line_and_circle()); });
}

TEST(CheckTree, names_the_node_and_what_is_wrong) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(problem_after([](Tree& tree) { tree.nodes.clear(); }),
            "a tree of 0 nodes has 5 weights and 4 values of width 2");
  EXPECT_EQ(problem_after([](Tree& tree) { tree.weights.pop_back(); }),
            "a tree of 5 nodes has 4 weights and 4 values of width 2");
  EXPECT_EQ(problem_after([](Tree& tree) { tree.width = 0; }),
            "a tree of 5 nodes has 5 weights and 4 values of width 0");
  EXPECT_EQ(problem_after([](Tree& tree) { tree.width = 3; }),
            "a tree of 5 nodes has 5 weights and 4 values of width 3");
  EXPECT_EQ(problem_after([](Tree& tree) { tree.nodes[1].child = 2; }),
            "node 1: value row is 2, the tree has 2");
  EXPECT_EQ(problem_after([](Tree& tree) { tree.nodes[0].column = 2; }),
            "node 0: column is 2, the model has 2");
  EXPECT_EQ(problem_after([](Tree& tree) { tree.nodes[0].column = -2; }),
            "node 0: column is -2, the model has 2");
  EXPECT_EQ(problem_after([&](Tree& tree) { tree.nodes[0].threshold = nan; }),
            "node 0: threshold is not finite");
  EXPECT_EQ(problem_after([](Tree& tree) { tree.nodes[2].threshold = -0.5; }),
            "node 2: threshold of a circle is -0.5, expected one of [0, π)");
  EXPECT_EQ(problem_after([](Tree& tree) { tree.nodes[2].child = 1; }),
            "node 2: children are 1 and 2, expected two nodes after it that no other node has");
  EXPECT_EQ(problem_after([](Tree& tree) { tree.nodes[2].child = 4; }),
            "node 2: children are 4 and 5, expected two nodes after it that no other node has");
  EXPECT_EQ(problem_after([](Tree& tree) { tree.nodes[2].child = 4294967295U; }),
            "node 2: children are 4294967295 and 4294967296, expected two nodes after it that no "
            "other node "
            "has");
  EXPECT_EQ(problem_after([](Tree& tree) { tree.nodes[2] = {0, TreeNode::leaf, 0}; }),
            "node 3: no node before it has it as a child");
  EXPECT_EQ(problem_after([&](Tree& tree) { tree.weights[4] = nan; }),
            "node 4: weight is nan, expected a number from 0 to 4, that of the root");
  EXPECT_EQ(problem_after([](Tree& tree) { tree.weights[3] = -1; }),
            "node 3: weight is -1, expected a number from 0 to 4, that of the root");
  EXPECT_EQ(problem_after([](Tree& tree) { tree.weights[2] = 4.1; }),
            "node 2: weight is 4.1, expected a number from 0 to 4, that of the root");
  EXPECT_EQ(problem_after([](Tree& tree) { tree.weights[0] = INFINITY; }),
            "node 0: weight is inf, expected a finite number of at least 0");
  Tree rounded = small_tree();
  rounded.weights[4] = -1e-9;
  EXPECT_NO_THROW(check_tree(rounded, line_and_circle()));
  EXPECT_EQ(problem_after([&](Tree& tree) { tree.values[1] = nan; }),
            "a leaf has a value that is not finite");
}

TEST(Tree, says_the_same_with_sparse_values) {
  const Tree dense = small_tree();
  const Tree sparse = with_sparse_values(dense);
  EXPECT_EQ(sparse.sparse,
            (SparseShares{.begins = {0, 1, 2}, .classes = {1, 0}, .shares = {1, 1}}));
  EXPECT_NO_THROW(check_tree(sparse, line_and_circle()));
  ASSERT_EQ(sparse.n_value_rows(), dense.n_value_rows());
  for (std::uint32_t row = 0; row < 2; ++row) {
    std::vector<double> copied(2, 7.0);
    sparse.copy_value(row, copied);
    EXPECT_TRUE(std::ranges::equal(copied, dense.value(row)));
    std::vector<double> sums{3, 4};
    std::vector<double> expected{3, 4};
    sparse.add_value(row, sums);
    dense.add_value(row, expected);
    EXPECT_EQ(sums, expected);
    EXPECT_EQ(sparse.shares(row), dense.shares(row));
  }
}

TEST(CheckTree, names_what_is_wrong_with_sparse_values) {
  const auto problem = [](const std::function<void(SparseShares&)>& change) {
    Tree tree = with_sparse_values(small_tree());
    change(tree.sparse);
    return message_of([&] { check_tree(tree, line_and_circle()); });
  };
  EXPECT_EQ(problem([](SparseShares& sparse) { sparse.begins = {0, 2, 1}; }),
            "2 sparse rows of values do not fit 2 shares of 2 classes");
  EXPECT_EQ(problem([](SparseShares& sparse) { sparse.begins = {1, 1, 2}; }),
            "2 sparse rows of values do not fit 2 shares of 2 classes");
  EXPECT_EQ(problem([](SparseShares& sparse) { sparse.classes.pop_back(); }),
            "2 sparse rows of values do not fit 2 shares of 1 classes");
  EXPECT_EQ(problem([](SparseShares& sparse) { sparse.classes[1] = 2; }),
            "value row 1 has classes that do not ascend, or one that is 2 or more");
  EXPECT_EQ(problem([](SparseShares& sparse) { sparse.begins = {0, 0, 2}; }),
            "value row 1 has classes that do not ascend, or one that is 2 or more");
  EXPECT_EQ(problem([](SparseShares& sparse) { sparse.begins = {0, 2}; }),
            "value row 0 has classes that do not ascend, or one that is 2 or more");
  EXPECT_EQ(problem([](SparseShares& sparse) {
              sparse = {.begins = {0, 1}, .classes = {0}, .shares = {1}};
            }),
            "node 3: value row is 1, the tree has 1");
  EXPECT_EQ(problem([](SparseShares& sparse) { sparse.shares[0] = std::nan(""); }),
            "a leaf has a value that is not finite");
}

}  // namespace
}  // namespace bentwood
