#include "bentwood/model/describe.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bentwood/base/error.hpp"
#include "model/sample_forests.hpp"

namespace bentwood {
namespace {

/// A cut of a line, below it on the left a cut of a circle; the third leaf is not pure.
Forest small_forest() {
  Forest forest{.task = Task::classification, .columns = Columns(Manifold("H2 x S2"))};
  forest.classes = std::vector<std::string>{"ant", "bee \"b\"\n"};
  forest.importances = {0.25, 0.125, 0.5, 0.125};
  forest.trees.push_back({.nodes = {{0.3125, 0, 1},
                                    {0.31, 2, 3},
                                    {0, TreeNode::leaf, 1},
                                    {0, TreeNode::leaf, 0},
                                    {0, TreeNode::leaf, 2}},
                          .weights = {42.5, 12.5, 30, 10, 2.5},
                          .width = 2,
                          .values = {1, 0, 0, 1, 0.9375, 0.0625}});
  return forest;
}

TEST(TreeText, names_cuts_half_turns_classes_shares_and_weights) {
  EXPECT_EQ(tree_text(small_forest(), 0),
            "|--- h1.rapidity1 <= 0.312\n"
            "|   |--- s2.angle1 in (0.310, 3.452]\n"
            "|   |   |--- class: ant (weight 10)\n"
            "|   |--- s2.angle1 not in (0.310, 3.452]\n"
            "|   |   |--- class: ant (weight 2.5, shares: ant 0.938, bee \"b\"\\x0a 0.062)\n"
            "|--- h1.rapidity1 > 0.312\n"
            "|   |--- class: bee \"b\"\\x0a (weight 30)\n");
}

TEST(TreeText, leaves_out_what_is_too_deep_and_counts_it) {
  EXPECT_EQ(tree_text(small_forest(), 0, {.max_depth = 1, .decimals = 1}),
            "|--- h1.rapidity1 <= 0.3\n"
            "|   |--- 2 more nodes (weight 12.5)\n"
            "|--- h1.rapidity1 > 0.3\n"
            "|   |--- class: bee \"b\"\\x0a (weight 30)\n");
  EXPECT_EQ(tree_text(small_forest(), 0, {.max_depth = 0}), "|--- 4 more nodes (weight 42.5)\n");
}

TEST(TreeText, says_the_means_of_a_regression) {
  Forest forest = small_forest();
  forest.task = Task::regression;
  forest.classes = {};
  EXPECT_THAT(tree_text(forest, 0), testing::HasSubstr("|--- value: 0.938, 0.062 (weight 2.5)\n"));
  forest.output_names = {"height", "width"};
  EXPECT_THAT(tree_text(forest, 0),
              testing::HasSubstr("|--- value: height 0.938, width 0.062 (weight 2.5)\n"));
}

TEST(TreeText, writes_out_sums_of_columns_and_leaves_without_a_target) {
  Forest forest{.columns = Columns(Manifold("E10"))};
  forest.task = Task::none;
  Tree tree{.nodes = {{1.25, 10, 1},
                      {-3, 11, 3},
                      {0, TreeNode::leaf, 2},
                      {0, TreeNode::leaf, 0},
                      {0, TreeNode::leaf, 1}},
            .weights = {8, 5, 3, 4, 1},
            .width = 1,
            .values = {0.5, 0.125, 0.375}};
  tree.own.add_oblique(std::vector<std::uint32_t>{0, 3}, std::vector<double>{1, -0.50004}, 1);
  tree.own.add_oblique(std::vector<std::uint32_t>{0, 1, 2, 3, 4, 5, 6, 7, 9},
                       std::vector<double>{-1e-7, 1, 1, 1, 1, 1, 1, -1, 1}, 1);
  forest.trees.push_back(tree);
  EXPECT_EQ(
      tree_text(forest, 0),
      "|--- e1.x1 - 0.5 e1.x4 <= 1.250\n"
      "|   |--- -1e-07 e1.x1 + e1.x2 + e1.x3 + e1.x4 + e1.x5 + e1.x6 + e1.x7 - e1.x8 + ... <= "
      "-3.000\n"
      "|   |   |--- leaf (weight 4)\n"
      "|   |--- -1e-07 e1.x1 + e1.x2 + e1.x3 + e1.x4 + e1.x5 + e1.x6 + e1.x7 - e1.x8 + ... > "
      "-3.000\n"
      "|   |   |--- leaf (weight 1)\n"
      "|--- e1.x1 - 0.5 e1.x4 > 1.250\n"
      "|   |--- leaf (weight 3)\n");
}

// A line for each side of each cut and one for each leaf, whatever the tree.
TEST(TreeText, has_a_line_for_everything) {
  for (const SampleForest& sample : sample_forests()) {
    const Forest forest = sample.make();
    for (std::size_t tree = 0; tree < forest.trees.size(); ++tree) {
      const std::size_t n_nodes = forest.trees[tree].nodes.size();
      const std::size_t n_cuts = n_nodes - n_leaves(forest.trees[tree]);
      EXPECT_EQ(std::ranges::count(tree_text(forest, tree), '\n'), n_nodes + n_cuts) << sample;
    }
  }
}

TEST(TreeText, says_which_trees_there_are) {
  EXPECT_THAT(
      [] { (void)tree_text(small_forest(), 1); },
      testing::ThrowsMessage<InvalidInput>("tree is 1, but the forest has 1 (counted from 0)"));
}

TEST(TreeText, has_the_names_of_features_and_of_classes_that_it_is_told) {
  Forest forest = small_forest();
  forest.columns = Columns(Manifold("E1 x S2"));
  forest.trees[0].nodes[1].column = 1;
  forest.feature_names = {"a\nb", "x", "y", "z"};
  EXPECT_THAT(column_names(forest), testing::ElementsAre("a\nb", "s2.angle1", "s2.angle2"));
  EXPECT_EQ(tree_text(forest, 0, {.decimals = 1, .class_names = {"no", "yes"}}),
            "|--- a\\x0ab <= 0.3\n"
            "|   |--- s2.angle1 in (0.3, 3.5]\n"
            "|   |   |--- class: no (weight 10)\n"
            "|   |--- s2.angle1 not in (0.3, 3.5]\n"
            "|   |   |--- class: no (weight 2.5, shares: no 0.9, yes 0.1)\n"
            "|--- a\\x0ab > 0.3\n"
            "|   |--- class: yes (weight 30)\n");
}

TEST(TreeText, refuses_options_that_do_not_fit) {
  EXPECT_THAT([] { (void)tree_text(small_forest(), 0, {.decimals = 101}); },
              testing::ThrowsMessage<InvalidInput>("decimals is 101, expected 0 to 100"));
  EXPECT_THAT(
      [] { (void)tree_text(small_forest(), 0, {.class_names = {"one"}}); },
      testing::ThrowsMessage<InvalidInput>("expected one name for each of the 2 classes, found 1"));
}

TEST(NodeTexts, are_the_parts_of_the_boxes) {
  const std::vector<NodeText> texts = node_texts(small_forest(), 0, {.max_depth = 1});
  ASSERT_EQ(texts.size(), 5U);
  EXPECT_EQ(texts[0].subject + "|" + texts[0].left_side + "|" + texts[0].weight,
            "h1.rapidity1|<= 0.312|weight 42.5");
  EXPECT_EQ(texts[1].subject + "|" + texts[1].left_side + "|" + texts[1].weight,
            "2 more nodes||weight 12.5");
  EXPECT_EQ(texts[4].subject + "|" + texts[4].shares,
            "class: ant|shares: ant 0.938, bee \"b\"\\x0a 0.062");
}

TEST(TreeGraphviz, is_boxes_and_arrows_with_quotes_escaped) {
  EXPECT_EQ(tree_graphviz(small_forest(), 0, {.max_depth = 1}),
            "digraph tree {\n"
            "  node [shape=box, style=rounded, fontname=\"sans-serif\"];\n"
            "  edge [fontname=\"sans-serif\"];\n"
            "  0 [label=\"h1.rapidity1 <= 0.312\\nweight 42.5\"];\n"
            "  0 -> 1 [label=\"yes\"];\n"
            "  0 -> 2 [label=\"no\"];\n"
            "  1 [label=\"2 more nodes\\nweight 12.5\"];\n"
            "  2 [label=\"class: bee \\\"b\\\"\\\\x0a\\nweight 30\"];\n"
            "}\n");
}

TEST(LabelTexts, are_the_shortest_that_read_back_the_same) {
  EXPECT_THAT(label_texts(std::vector<std::int64_t>{-3, 9007199254740993}),
              testing::ElementsAre("-3", "9007199254740993"));
  EXPECT_THAT(label_texts(std::vector<double>{0.1, 2}), testing::ElementsAre("0.1", "2"));
  EXPECT_THAT(label_texts(std::vector<std::string>{"a"}), testing::ElementsAre("a"));
  EXPECT_EQ(shown_label(std::vector<double>{0.1, 2}, 1), "2");
  EXPECT_EQ(shown_label(std::vector<std::string>{"a", "b\nc"}, 1), "\"b\\x0ac\"");
}

TEST(FactorImportances, sum_up_the_columns_of_a_factor) {
  EXPECT_THAT(factor_importances(small_forest()), testing::ElementsAre(0.375, 0.625));
}

}  // namespace
}  // namespace bentwood
