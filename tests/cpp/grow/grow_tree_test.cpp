#include "bentwood/grow/grow_tree.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "bentwood/base/parallel.hpp"
#include "bentwood/base/random.hpp"
#include "bentwood/grow/row_sets.hpp"

namespace bentwood {
namespace {

struct Problem {
  Matrix values;
  std::vector<Column> columns;
  Target target;
  std::vector<double> weights;
};

/// Noisy classes (or outputs) on lines and circles; every third row is not in the tree.
Problem make_problem(std::size_t n_rows, Task task, std::uint64_t seed, bool some_out = true) {
  Random random(seed);
  Problem problem;
  constexpr std::size_t n_columns = 6;
  problem.values = Matrix(n_rows, n_columns);
  problem.columns.resize(n_columns);
  problem.columns[4].kind = problem.columns[5].kind = ColumnKind::circle;
  problem.target.task = task;
  problem.target.width = task == Task::classification ? 3 : 1;
  if (task == Task::regression) {
    problem.target.outputs = Matrix(n_rows, 1);
  }
  for (std::size_t row = 0; row < n_rows; ++row) {
    const auto label = static_cast<std::uint32_t>(random.below(3));
    for (std::size_t column = 0; column < 4; ++column) {
      problem.values(row, column) = random.normal() + (column == label ? 1 : 0);
    }
    problem.values(row, 3) = std::round(problem.values(row, 3));  // ties
    for (std::size_t column = 4; column < 6; ++column) {
      problem.values(row, column) = std::atan2(random.normal(), random.normal() + label);
    }
    const double noise = random.uniform();
    if (task == Task::classification) {
      problem.target.classes.push_back(noise < 0.2 ? static_cast<std::uint32_t>(random.below(3))
                                                   : label);
    } else {
      problem.target.outputs(row, 0) = label + noise;
    }
    problem.weights.push_back(some_out && row % 3 == 0 ? 0.0 : 1.0 + static_cast<double>(row % 2));
  }
  return problem;
}

GrownTree grow(const Problem& problem, const GrowOptions& options, std::uint64_t seed = 7) {
  const RankedColumns ranked(problem.values, problem.columns);
  GrownTree grown = TreeGrower(ranked, problem.target, options).grow(problem.weights, seed);
  check_tree(grown.tree, problem.columns);
  return grown;
}

/// The rows that reach each node by the stored thresholds.
std::vector<std::vector<std::size_t>> rows_of_nodes(const Problem& problem, const Tree& tree) {
  std::vector<std::vector<std::size_t>> rows(tree.nodes.size());
  for (std::size_t row = 0; row < problem.values.n_rows(); ++row) {
    if (problem.weights[row] == 0) {
      continue;
    }
    for (std::size_t node = 0;;) {
      rows[node].push_back(row);
      const TreeNode& at = tree.nodes[node];
      if (at.is_leaf()) {
        break;
      }
      const auto column = static_cast<std::size_t>(at.column);
      const bool left =
          goes_left(problem.columns[column].kind, problem.values(row, column), at.threshold);
      node = at.child + (left ? 0 : 1);
    }
  }
  return rows;
}

double total_weight(const Problem& problem, const std::vector<std::size_t>& rows) {
  double sum = 0;
  for (const std::size_t row : rows) {
    sum += problem.weights[row];
  }
  return sum;
}

class GrowTree : public testing::TestWithParam<std::tuple<std::size_t, Task>> {};

// The tree was grown on ranks in sets within sets; here its stored thresholds send the rows down once more.
TEST_P(GrowTree, thresholds_send_training_rows_where_they_were_when_it_grew) {
  const auto [n_rows, task] = GetParam();
  const Problem problem = make_problem(n_rows, task, 1);
  GrowOptions options;
  options.max_features = 2;
  const Tree tree = grow(problem, options).tree;
  const auto rows = rows_of_nodes(problem, tree);
  for (std::size_t node = 0; node < tree.nodes.size(); ++node) {
    ASSERT_FALSE(rows[node].empty());
    ASSERT_EQ(tree.weights[node], total_weight(problem, rows[node])) << "node " << node;
    if (tree.nodes[node].is_leaf()) {
      const auto value = tree.value(tree.nodes[node].child);
      std::vector<double> expected(tree.width, 0.0);
      for (const std::size_t row : rows[node]) {
        const double share = problem.weights[row] / tree.weights[node];
        if (task == Task::classification) {
          expected[problem.target.classes[row]] += share;
        } else {
          expected[0] += share * problem.target.outputs(row, 0);
        }
      }
      for (std::size_t index = 0; index < tree.width; ++index) {
        ASSERT_NEAR(value[index], expected[index], 1e-12);
      }
    }
  }
}

TEST_P(GrowTree, is_the_same_for_any_number_of_threads) {
  const auto [n_rows, task] = GetParam();
  const Problem problem = make_problem(n_rows, task, 2);
  GrowOptions options;
  options.max_features = 3;
  const GrownTree one = [&] {
    const ThreadLimit limit(1);
    return grow(problem, options);
  }();
  for (const std::size_t n_threads : {2U, 3U, 8U}) {
    const ThreadLimit limit(n_threads);
    const GrownTree several = grow(problem, options);
    EXPECT_EQ(several.tree, one.tree);
    EXPECT_EQ(several.importances, one.importances);
  }
}

INSTANTIATE_TEST_SUITE_P(all, GrowTree,
                         testing::Combine(testing::Values(50, 3000, 40'000, 150'000),
                                          testing::Values(Task::classification, Task::regression)));

// One tree in parts and sets of sets, the other in one set of all rows.
TEST(GrowTree, is_the_same_in_parts_as_in_one_piece) {
  for (const std::size_t n_rows : {std::size_t{40'000}, std::size_t{700'000}}) {
    const Problem problem = make_problem(n_rows, Task::classification, 3);
    GrowOptions options;
    options.max_features = 2;
    options.min_samples_leaf = n_rows / 1000;
    const Tree in_parts = grow(problem, options).tree;
    options.max_leaf_nodes = n_rows;
    const Tree in_one_piece = grow(problem, options).tree;
    ASSERT_EQ(in_parts.nodes.size(), in_one_piece.nodes.size());
    // The nodes have other numbers.
    std::vector<std::pair<std::uint32_t, std::uint32_t>> open{{0, 0}};
    while (!open.empty()) {
      const auto [node, other] = open.back();
      open.pop_back();
      const TreeNode& at = in_parts.nodes[node];
      const TreeNode& there = in_one_piece.nodes[other];
      ASSERT_EQ(at.column, there.column);
      ASSERT_EQ(in_parts.weights[node], in_one_piece.weights[other]);
      if (!at.is_leaf()) {
        ASSERT_EQ(at.threshold, there.threshold);
        open.emplace_back(at.child, there.child);
        open.emplace_back(at.child + 1, there.child + 1);
      }
    }
  }
}

TEST(GrowTree, keeps_the_limits) {
  const Problem problem = make_problem(2000, Task::classification, 3);
  GrowOptions options;
  options.max_depth = 6;
  EXPECT_EQ(depth(grow(problem, options).tree), 6U);

  options = {};
  options.min_samples_leaf = 20;
  options.min_samples_split = 90;
  const Tree tree = grow(problem, options).tree;
  const auto rows = rows_of_nodes(problem, tree);
  for (std::size_t node = 0; node < tree.nodes.size(); ++node) {
    EXPECT_GE(rows[node].size(), tree.nodes[node].is_leaf() ? 20U : 90U);
  }

  options = {};
  options.min_weight_fraction_leaf = 0.03;
  const Tree heavy = grow(problem, options).tree;
  EXPECT_GT(heavy.nodes.size(), 3U);
  for (const double weight : heavy.weights) {
    EXPECT_GE(weight, 0.03 * heavy.weights[0]);
  }

  options = {};
  options.min_impurity_decrease = 0.01;
  const std::size_t n_nodes = grow(problem, options).tree.nodes.size();
  EXPECT_GT(n_nodes, 3U);
  EXPECT_LT(n_nodes, 61U);
}

TEST(GrowTree, splits_the_greatest_decrease_first_where_leaves_are_limited) {
  const Problem problem = make_problem(3000, Task::classification, 4);
  GrowOptions options;
  const Tree full = grow(problem, options).tree;
  const std::size_t n_full = n_leaves(full);
  double previous_impurity = 1e300;
  for (const std::size_t limit : {2U, 3U, 8U, 50U}) {
    options.max_leaf_nodes = limit;
    const Tree tree = grow(problem, options).tree;
    EXPECT_EQ(n_leaves(tree), limit);
    double impurity = 0;
    for (std::size_t node = 0; node < tree.nodes.size(); ++node) {
      if (tree.nodes[node].is_leaf()) {
        double squares = 0;
        for (const double share : tree.value(tree.nodes[node].child)) {
          squares += share * share;
        }
        impurity += tree.weights[node] * (1 - squares);
      }
    }
    EXPECT_LT(impurity, previous_impurity);
    previous_impurity = impurity;
  }
  // Without a need to choose both orders grow the same tree, up to the numbers of the nodes.
  options.max_leaf_nodes = 100'000;
  const Tree best_first = grow(problem, options).tree;
  EXPECT_EQ(n_leaves(best_first), n_full);
  EXPECT_EQ(depth(best_first), depth(full));
}

TEST(GrowTree, takes_a_row_twice_for_a_row_of_weight_two) {
  const Problem once = make_problem(500, Task::classification, 5, false);
  Problem twice = once;
  std::vector<double> numbers(once.values.data(), once.values.data() + 500 * 6);
  for (std::size_t row = 0; row < 500; ++row) {
    if (once.weights[row] == 2) {
      const auto copy = once.values.row(row);
      numbers.insert(numbers.end(), copy.begin(), copy.end());
      twice.target.classes.push_back(once.target.classes[row]);
    }
  }
  twice.values = Matrix(numbers.size() / 6, 6, numbers);
  twice.weights.assign(twice.values.n_rows(), 1.0);
  EXPECT_EQ(grow(once, {}).tree, grow(twice, {}).tree);
}

TEST(GrowTree, is_the_same_for_labels_of_one_byte_and_of_two) {
  const Problem narrow = make_problem(3000, Task::classification, 9);
  Problem wide = narrow;
  wide.target.width = 17;
  GrowOptions options;
  options.max_features = 2;
  const Tree small = grow(narrow, options).tree;
  const Tree counted = grow(wide, options).tree;
  EXPECT_EQ(small.nodes, counted.nodes);
  EXPECT_EQ(small.weights, counted.weights);
}

TEST(GrowTree, does_not_depend_on_the_order_of_the_rows) {
  const Problem problem = make_problem(1000, Task::classification, 6);
  Problem reversed = problem;
  for (std::size_t row = 0; row < 1000; ++row) {
    std::ranges::copy(problem.values.row(999 - row), reversed.values.row(row).begin());
  }
  std::ranges::reverse(reversed.target.classes);
  std::ranges::reverse(reversed.weights);
  GrowOptions options;
  options.max_features = 2;
  EXPECT_EQ(grow(problem, options).tree, grow(reversed, options).tree);
}

TEST(GrowTree, splits_where_nothing_is_gained_at_once) {
  // Exclusive or: no cut of the root decreases the impurity.
  Problem problem;
  problem.values = Matrix(4, 2, {0, 0, 0, 1, 1, 0, 1, 1});
  problem.columns.resize(2);
  problem.target.width = 2;
  problem.target.classes = {0, 1, 1, 0};
  problem.weights.assign(4, 1.0);
  EXPECT_EQ(n_leaves(grow(problem, {}).tree), 4U);
}

TEST(GrowTree, is_a_leaf_where_no_column_can_be_cut) {
  Problem problem;
  problem.values = Matrix(4, 2, {1, 2, 1, 2, 1, 2, 1, 2});
  problem.columns.resize(2);
  problem.target.width = 2;
  problem.target.classes = {0, 1, 1, 1};
  problem.weights.assign(4, 1.0);
  const Tree tree = grow(problem, {}).tree;
  ASSERT_EQ(tree.nodes.size(), 1U);
  EXPECT_EQ(tree.values, (std::vector<double>{0.25, 0.75}));
}

TEST(GrowTree, handles_many_classes_and_weights_of_any_size) {
  Problem problem = make_problem(2000, Task::classification, 8, false);
  problem.target.width = 400;
  for (std::size_t row = 0; row < 2000; ++row) {
    problem.target.classes[row] = static_cast<std::uint32_t>(row % 400);
    problem.weights[row] = std::pow(10.0, static_cast<double>(row % 21) - 10);
  }
  const Tree tree = grow(problem, {}).tree;
  EXPECT_GT(n_leaves(tree), 1000U);
}

/// Classes of which 1 in 2 stands in no row, where few are few enough for rows of values that are not sparse.
Problem with_classes(std::size_t n_rows, std::uint32_t n_classes, std::size_t width) {
  Problem problem = make_problem(n_rows, Task::classification, 11);
  problem.target.width = width;
  for (std::size_t row = 0; row < n_rows; ++row) {
    problem.target.classes[row] = static_cast<std::uint32_t>(2 * (row * row % n_classes));
  }
  return problem;
}

TEST(GrowTree, is_the_same_however_many_classes_have_no_row) {
  for (const std::size_t n_rows : {500U, 20'000U}) {
    for (const double factor : {1.0, 0.3}) {
      Problem few = with_classes(n_rows, 100, 200);
      Problem many = with_classes(n_rows, 100, 5000);
      for (std::size_t row = 0; row < n_rows; ++row) {
        few.weights[row] *= factor;
        many.weights[row] *= factor;
      }
      for (const Impurity impurity : {Impurity::gini, Impurity::entropy}) {
        for (const std::size_t max_leaf_nodes : {0U, 40U}) {
          GrowOptions options{.impurity = impurity};
          options.max_features = 2;
          options.max_depth = impurity == Impurity::entropy ? 6 : 30;
          options.max_leaf_nodes = max_leaf_nodes;
          const GrownTree dense = grow(few, options);
          const GrownTree sparse = grow(many, options);
          ASSERT_TRUE(sparse.tree.is_sparse() && !dense.tree.is_sparse());
          ASSERT_EQ(sparse.importances, dense.importances);
          ASSERT_EQ(sparse.tree.weights, dense.tree.weights);
          ASSERT_EQ(sparse.tree.nodes.size(), dense.tree.nodes.size());
          for (std::size_t node = 0; node < dense.tree.nodes.size(); ++node) {
            const TreeNode& expected = dense.tree.nodes[node];
            const TreeNode& found = sparse.tree.nodes[node];
            ASSERT_EQ(found.is_leaf(), expected.is_leaf());
            if (found.is_leaf()) {
              ASSERT_EQ(sparse.tree.shares(found.child), dense.tree.shares(expected.child));
            } else {
              ASSERT_EQ(found, expected);
            }
          }
        }
      }
    }
  }
}

TEST(GrowTree, of_many_classes_does_not_depend_on_threads) {
  Problem problem = make_problem(60'000, Task::classification, 12, false);
  problem.target.width = 30'000;
  for (std::size_t row = 0; row < 60'000; ++row) {
    problem.target.classes[row] = static_cast<std::uint32_t>(row * 7919 % 30'000);
  }
  GrowOptions options;
  options.max_features = 2;
  const ThreadLimit one(1);
  const Tree alone = grow(problem, options).tree;
  const ThreadLimit three(3);
  EXPECT_EQ(grow(problem, options).tree, alone);
  // One share in a leaf, and few besides: memory grows with the rows.
  EXPECT_LE(alone.sparse.shares.size(), 60'000U);
}

TEST(GrowTree, is_the_same_for_outputs_of_any_size) {
  const Problem problem = make_problem(300, Task::regression, 5);
  const Tree tree = grow(problem, {}).tree;
  for (const double factor : {0x1p-1000, 0x1p-600, 0x1p600, 0x1p1000}) {
    Problem scaled = problem;
    for (std::size_t row = 0; row < scaled.target.outputs.n_rows(); ++row) {
      scaled.target.outputs(row, 0) *= factor;
    }
    const Tree other = grow(scaled, {}).tree;
    EXPECT_EQ(other.nodes, tree.nodes);
    EXPECT_EQ(other.values[0], tree.values[0] * factor);
  }
}

TEST(GrowTree, stops_when_the_user_asks) {
  const Problem problem = make_problem(150'000, Task::classification, 9);
  for (const std::size_t n_threads : {1U, 2U}) {
    const ThreadLimit limit(n_threads);
    const InterruptCheck check([] { return true; });
    EXPECT_ANY_THROW(grow(problem, {}));
  }
}

}  // namespace
}  // namespace bentwood
