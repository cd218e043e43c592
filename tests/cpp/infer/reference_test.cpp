#include "bentwood/infer/reference.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "bentwood/base/error.hpp"
#include "bentwood/infer/engine.hpp"
#include "data/messages.hpp"
#include "model/random_forest.hpp"

namespace bentwood {
namespace {

/// x1 <= 1, then x2 <= 5: three leaves with the values 10, 20 and 30.
Forest small_forest() {
  RandomForestShape shape;
  shape.signature = "E2";
  shape.n_trees = 0;
  shape.width = 1;
  Forest forest = random_forest(shape, Matrix(1, 2), 0);
  Tree tree;
  tree.nodes = {
      {1, 0, 1}, {0, TreeNode::leaf, 0}, {5, 1, 3}, {0, TreeNode::leaf, 1}, {0, TreeNode::leaf, 2}};
  tree.weights = {4, 2, 2, 1, 1};
  tree.width = 1;
  tree.values = {10, 20, 30};
  forest.trees = {tree};
  return forest;
}

TEST(Reference, walks_to_the_leaf_that_the_thresholds_say) {
  const Forest forest = small_forest();
  const Matrix points(4, 2, {1, 9, 1.5, 5, 1.5, 5.5, -3, 0});
  const Leaves leaves = apply_to_columns(forest, points);
  EXPECT_EQ(std::vector<std::uint32_t>(leaves.nodes.begin(), leaves.nodes.end()),
            (std::vector<std::uint32_t>{1, 3, 4, 1}));
  const Matrix values = predict_values(forest, points).values;
  EXPECT_EQ(values(0, 0), 10);
  EXPECT_EQ(values(1, 0), 20);
  EXPECT_EQ(values(2, 0), 30);
}

TEST(Reference, averages_the_trees_in_their_order) {
  Forest forest = small_forest();
  forest.trees.resize(4, forest.trees[0]);
  // 1e16 + 1 loses the 1, so another order would give another mean.
  forest.trees[0].values = {1, 1, 1};
  forest.trees[1].values = {1e16, 1e16, 1e16};
  forest.trees[2].values = {-1e16, -1e16, -1e16};
  forest.trees[3].values = {2, 2, 2};
  EXPECT_EQ(predict_values(forest, Matrix(1, 2)).values(0, 0), 0.5);
}

TEST(Reference, numbers_the_nodes_of_decision_paths_tree_after_tree) {
  Forest forest = small_forest();
  forest.trees.push_back(forest.trees[0]);
  const DecisionPaths paths = Predictor(forest).decision_paths(Matrix(2, 2, {0, 0, 2, 6}));
  EXPECT_EQ(paths.tree_offsets, (std::vector<std::uint64_t>{0, 5, 10}));
  EXPECT_EQ(paths.row_offsets, (std::vector<std::uint64_t>{0, 4, 10}));
  EXPECT_EQ(paths.nodes, (std::vector<std::uint64_t>{0, 1, 5, 6, 0, 2, 4, 5, 7, 9}));
}

TEST(Reference, projects_points_where_the_model_says_so_and_counts_them) {
  RandomForestShape shape;
  shape.signature = "S2";
  const Matrix points(2, 3, {1, 0, 0, 3, 0, 4});
  const Matrix on(2, 3, {1, 0, 0, 0.6, 0, 0.8});
  Forest forest = random_forest(shape, on, 1);
  EXPECT_EQ(
      message_of([&] { (void)predict_values(forest, points); }),
      "row 1: off the sphere S2: |x| = 5, expected 1 within 4.3e-14 of it; 1 row is off; project "
      "the points first");
  forest.off_manifold = OffManifold::project;
  const Prediction prediction = predict_values(forest, points);
  EXPECT_EQ(prediction.n_projected, 1U);
  EXPECT_EQ(prediction.largest_residual, 4);
  for (std::size_t row = 0; row < 2; ++row) {
    EXPECT_EQ(prediction.values(row, 0), predict_values(forest, on).values(row, 0));
  }
}

TEST(Reference, refuses_a_forest_without_trees_and_rows_of_another_width) {
  Forest forest = small_forest();
  EXPECT_EQ(message_of([&] { (void)predict_values_of_columns(forest, Matrix(1, 3)); }),
            "the rows have 3 columns, the model cuts 2");
  forest.trees.clear();
  EXPECT_EQ(message_of([&] { (void)predict_values(forest, Matrix(1, 2)); }),
            "the forest has no trees");
}

}  // namespace
}  // namespace bentwood
