#include "bentwood/model/own_columns.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "bentwood/model/check_forest.hpp"
#include "bentwood/model/describe.hpp"
#include "bentwood/model/file.hpp"
#include "bentwood/model/tree.hpp"
#include "data/messages.hpp"
#include "model/random_forest.hpp"

namespace bentwood {
namespace {

/// A stump that cuts the horospheres of one ideal point of H2, in a row of two columns that are not cut.
Tree stump() {
  Tree tree;
  tree.nodes = {{std::exp(0.25), 2, 1}, {0, TreeNode::leaf, 0}, {0, TreeNode::leaf, 1}};
  tree.weights = {3, 2, 1};
  tree.width = 2;
  tree.values = {1, 0, 0, 1};
  tree.own.add_horosphere({0, 2, 2}, std::vector<double>{0.6, -0.8}, 1);
  return tree;
}

Forest forest_of(const Tree& tree) {
  return {.estimator = "HoroTreeClassifier",
          .columns = Columns(Manifold("H2"), {ColumnFamily::geodesic, ColumnFamily::horosphere}),
          .trees = {tree},
          .classes = std::vector<std::string>{"in", "out"},
          .importances = {0, 0, 1}};
}

TEST(OwnColumns, send_rows_by_their_level) {
  const Forest forest = forest_of(stump());
  const Tree& tree = forest.trees.front();
  const Matrix points = forest.columns.manifold().random(100, 1, 3);
  const Matrix rows = forest.columns.values(points);
  const std::vector<double> levels =
      forest.columns.manifold().busemann(points, std::vector<double>{0.6, -0.8});
  std::size_t n_left = 0;
  for (std::size_t row = 0; row < 100; ++row) {
    const bool left =
        goes_left(tree, tree.nodes[0], forest.columns.columns(), rows.row(row).data());
    EXPECT_EQ(left, levels[row] <= 0.25);
    n_left += left ? 1 : 0;
  }
  EXPECT_GT(n_left, 20U);
  EXPECT_LT(n_left, 80U);
}

TEST(OwnColumns, are_described_by_their_ideal_point) {
  const Forest forest = forest_of(stump());
  EXPECT_EQ(tree_text(forest, 0),
            "|--- h1.horosphere(0.600, -0.800) <= 0.250\n"
            "|   |--- class: in (weight 2)\n"
            "|--- h1.horosphere(0.600, -0.800) > 0.250\n"
            "|   |--- class: out (weight 1)\n");
  EXPECT_EQ(column_names(forest),
            (std::vector<std::string>{"h1.rapidity1", "h1.rapidity2", "h1.horosphere"}));
  EXPECT_EQ(factor_importances(forest), std::vector<double>{1});
  EXPECT_NE(tree_graphviz(forest, 0).find("h1.horosphere(0.600, -0.800) <= 0.250"),
            std::string::npos);
}

TEST(OwnColumns, show_the_first_components_of_many) {
  Forest forest{.estimator = "HoroTreeClassifier",
                .columns = Columns(Manifold("H9"), {ColumnFamily::horosphere}),
                .classes = std::vector<std::string>{"in", "out"}};
  Tree tree = stump();
  tree.nodes[0].column = 0;
  tree.own = {};
  std::vector<double> ideal(9, 0.0);
  ideal[0] = 1;
  tree.own.add_horosphere(forest.columns.polar_places()[0], ideal, 1);
  forest.trees = {tree};
  const std::string text = tree_text(forest, 0, {.decimals = 0});
  EXPECT_EQ(text.substr(0, text.find('\n')),
            "|--- h1.horosphere(1, 0, 0, 0, 0, 0, 0, 0, ...) <= 0");
}

TEST(OwnColumns, are_checked) {
  const std::vector<Column> columns(2);
  const std::vector<PolarPlace> places{{0, 2, 2}};
  const auto problem_of = [&](const std::function<void(Tree&)>& change) {
    Tree tree = stump();
    change(tree);
    return message_of([&] { check_tree(tree, columns, places); });
  };
  EXPECT_NO_THROW(check_tree(stump(), columns, places));
  EXPECT_EQ(problem_of([](Tree& tree) { tree.nodes[0].column = 3; }),
            "node 0: column is 3, the model has 3");
  EXPECT_EQ(problem_of([](Tree& tree) { tree.nodes[0].threshold = 0; }),
            "node 0: threshold of a horosphere is 0, expected a number above 0");
  EXPECT_EQ(problem_of([](Tree& tree) { tree.own.coefficients[0] = 0.5; }),
            "own column 0: its ideal point has length 0.9433981132056605, expected 1");
  EXPECT_EQ(problem_of([](Tree& tree) { tree.own.coefficients[0] = std::nan(""); }),
            "own column 0: its ideal point has length nan, expected 1");
  const std::string wrong_places = "own column 0: its places are not those of a hyperbolic factor";
  EXPECT_EQ(problem_of([](Tree& tree) { tree.own.places[0] = 1; }), wrong_places);
  EXPECT_EQ(problem_of([](Tree& tree) { tree.own.places[1] = 2; }), wrong_places);
  EXPECT_EQ(problem_of([](Tree& tree) {
              tree.own.term_begins[1] = 1;
              tree.own.places.pop_back();
              tree.own.coefficients = {1};
            }),
            wrong_places);
  EXPECT_EQ(problem_of([](Tree& tree) { tree.own.kinds[0] = static_cast<OwnColumnKind>(7); }),
            "own column 0: its kind is 7, which this version does not know");
  EXPECT_EQ(
      problem_of([](Tree& tree) { tree.own.gains[0] = std::numeric_limits<double>::infinity(); }),
      "own column 0: its gain is not finite");
  EXPECT_EQ(problem_of([](Tree& tree) { tree.own.places.pop_back(); }),
            "1 own columns have 1 gains and 2 begins of 1 places and 2 coefficients");
  EXPECT_EQ(message_of([&] { check_tree(stump(), columns); }), wrong_places);
}

TEST(OwnColumns, are_in_files_of_format_2_only) {
  const std::string with = to_bytes(forest_of(stump()));
  EXPECT_NE(with.find(R"("format_version":"2")"), std::string::npos);
  EXPECT_EQ(from_bytes(with).trees, forest_of(stump()).trees);
  Forest without = forest_of(stump());
  without.estimator = "ManifoldTreeClassifier";
  without.columns = Columns(Manifold("H2"));
  without.trees[0].own = {};
  without.trees[0].nodes[0].column = 1;
  without.importances = {0, 1};
  EXPECT_NE(to_bytes(without).find(R"("format_version":"1")"), std::string::npos);
}

// 2 kB that ask for a million dimensions: one importance says nothing about them.
TEST(OwnColumns, cannot_ask_for_more_dimensions_than_a_file_can_mean) {
  Forest forest{.estimator = "HoroTreeClassifier",
                .columns = Columns(Manifold("H2"), {ColumnFamily::horosphere}),
                .classes = std::vector<std::string>{"in"}};
  Tree leaf;
  leaf.nodes = {{0, TreeNode::leaf, 0}};
  leaf.weights = {1};
  leaf.width = 1;
  leaf.values = {1};
  forest.trees = {leaf};
  forest.importances = {0};
  forest.columns = Columns(Manifold("H1000000"), {ColumnFamily::horosphere});
  const std::string bytes = to_bytes(forest);
  EXPECT_EQ(message_of([&] { (void)from_bytes(bytes, "m.bent"); }),
            "m.bent: the signature has 1000000 dimensions, too many for " +
                std::to_string(bytes.size()) + " bytes");
}

}  // namespace
}  // namespace bentwood
