#include "bentwood/ensemble/train.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <vector>

#include "bentwood/base/error.hpp"
#include "bentwood/base/parallel.hpp"
#include "bentwood/base/random.hpp"
#include "bentwood/infer/reference.hpp"

namespace bentwood {
namespace {

struct Problem {
  Manifold manifold{"H2 x S2"};
  Matrix points;
  Target target;
  Labels classes = std::vector<std::int64_t>{0, 1, 2};
};

/// Wrapped normals about three centres, a tenth of the labels wrong.
Problem make_problem(std::size_t n_rows, std::uint64_t seed = 1) {
  Problem problem;
  Random random(seed);
  Matrix tangent(n_rows, 4);
  problem.target.width = 3;
  for (std::size_t row = 0; row < n_rows; ++row) {
    const auto label = static_cast<std::uint32_t>(random.below(3));
    for (std::size_t column = 0; column < 4; ++column) {
      tangent(row, column) = 0.5 * random.normal() + (column == label ? 1 : 0);
    }
    problem.target.classes.push_back(
        random.below(10) == 0 ? static_cast<std::uint32_t>(random.below(3)) : label);
  }
  problem.points = problem.manifold.convert(tangent, Coordinates::tangent, Coordinates::ambient);
  return problem;
}

TrainOptions options_for(const Problem& problem, std::size_t n_trees) {
  TrainOptions options{.columns = Columns(problem.manifold)};
  options.forest.n_trees = n_trees;
  options.forest.grow.max_features = 2;
  options.forest.seed = 3;
  return options;
}

Training train(const Problem& problem, const TrainOptions& options) {
  return train_forest(problem.points, problem.target, problem.classes, options);
}

double accuracy(const Matrix& shares, const std::vector<std::uint32_t>& classes) {
  std::size_t n_right = 0;
  for (std::size_t row = 0; row < shares.n_rows(); ++row) {
    const auto shares_of_row = shares.row(row);
    n_right += std::ranges::max_element(shares_of_row) - shares_of_row.begin() == classes[row];
  }
  return static_cast<double>(n_right) / static_cast<double>(shares.n_rows());
}

std::string message_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return "no error";
}

TEST(TrainForest, tells_classes_apart) {
  const Problem problem = make_problem(2000);
  const Problem unseen = make_problem(2000, 2);
  const Training training = train(problem, options_for(problem, 30));
  const Matrix shares = predict_values(training.forest, unseen.points).values;
  // Nine tenths of the labels are right, and the classes overlap a little.
  EXPECT_GT(accuracy(shares, unseen.target.classes), 0.8);
}

TEST(TrainForest, is_the_same_for_any_number_of_threads) {
  const Problem problem = make_problem(1500);
  TrainOptions options = options_for(problem, 7);
  options.forest.out_of_bag = true;
  const auto trained_with = [&](std::size_t n_threads) {
    const ThreadLimit limit(n_threads);
    return train(problem, options);
  };
  const Training one = trained_with(1);
  for (const std::size_t n_threads : {2U, 3U, 8U}) {
    const Training several = trained_with(n_threads);
    EXPECT_EQ(several.forest.trees, one.forest.trees);
    EXPECT_EQ(several.forest.importances, one.forest.importances);
    for (std::size_t row = 0; row < 1500; ++row) {
      ASSERT_THAT(several.out_of_bag.row(row),
                  testing::Pointwise(testing::NanSensitiveDoubleEq(), one.out_of_bag.row(row)));
    }
  }
}

TEST(TrainForest, goes_on_with_a_forest_as_if_never_interrupted) {
  const Problem problem = make_problem(800);
  const TrainOptions options = options_for(problem, 9);
  const Forest at_once = train(problem, options).forest;
  TrainOptions fewer = options;
  fewer.forest.n_trees = 4;
  const Forest first = train(problem, fewer).forest;
  const Forest extended =
      extend_forest(first, problem.points, problem.target, problem.classes, options).forest;
  EXPECT_EQ(extended.trees, at_once.trees);
  for (std::size_t column = 0; column < at_once.importances.size(); ++column) {
    EXPECT_NEAR(extended.importances[column], at_once.importances[column], 1e-15);
  }
}

// A tree of two rows is often a leaf: scikit-learn's mean, too, is over the trees that cut something.
TEST(TrainForest, has_importances_that_sum_to_one_where_some_trees_are_leaves) {
  const Problem problem = make_problem(300);
  TrainOptions options = options_for(problem, 20);
  options.forest.max_samples = 2;
  const Forest at_once = train(problem, options).forest;
  EXPECT_GT(
      std::ranges::count(at_once.trees, 1U, [](const Tree& tree) { return tree.nodes.size(); }), 2);
  EXPECT_NEAR(std::accumulate(at_once.importances.begin(), at_once.importances.end(), 0.0), 1,
              1e-12);
  TrainOptions fewer = options;
  fewer.forest.n_trees = 7;
  const Forest extended = extend_forest(train(problem, fewer).forest, problem.points,
                                        problem.target, problem.classes, options)
                              .forest;
  for (std::size_t column = 0; column < at_once.importances.size(); ++column) {
    EXPECT_NEAR(extended.importances[column], at_once.importances[column], 1e-15);
  }
}

TEST(TrainForest, goes_on_only_with_the_columns_it_has) {
  const Problem problem = make_problem(50);
  TrainOptions options = options_for(problem, 2);
  const Forest forest = train(problem, options).forest;
  options.forest.n_trees = 3;
  const auto extend = [&](const TrainOptions& other) {
    return message_of([&] {
      (void)extend_forest(forest, problem.points, problem.target, problem.classes, other);
    });
  };
  EXPECT_EQ(extend(options), "no error");
  TrainOptions other = options;
  other.columns = Columns(Manifold("E6"));
  EXPECT_EQ(extend(other), "signature is E6, but the forest has trees on H2 x S2");
  other = options;
  other.columns = Columns(problem.manifold, {ColumnFamily::geodesic, ColumnFamily::pairs});
  EXPECT_EQ(extend(other), "splits is geodesic, pairs, but the forest has trees on geodesic");
  other = options;
  other.forest.n_trees = 1;
  EXPECT_EQ(extend(other), "n_estimators is 1, but the forest has 2 trees already");
}

// Only row 0 has a weight: trees that have not drawn it are made of all rows, and know it.
TEST(TrainForest, has_no_out_of_bag_value_where_every_tree_knows_the_row) {
  Problem problem = make_problem(300);
  problem.target.weights.assign(300, 0.0);
  problem.target.weights[0] = 1;
  TrainOptions options = options_for(problem, 20);
  options.forest.out_of_bag = true;
  const Training trained = train(problem, options);
  EXPECT_TRUE(std::isnan(trained.out_of_bag(0, 0)));
}

// Had trees voted on rows they know, nearly all would be right, wrong labels included.
TEST(TrainForest, predicts_rows_out_of_bag_about_as_well_as_unseen_ones) {
  const Problem problem = make_problem(3000);
  const Problem unseen = make_problem(3000, 2);
  TrainOptions options = options_for(problem, 40);
  options.forest.out_of_bag = true;
  const Training training = train(problem, options);
  const double of_unseen =
      accuracy(predict_values(training.forest, unseen.points).values, unseen.target.classes);
  EXPECT_NEAR(accuracy(training.out_of_bag, problem.target.classes), of_unseen, 0.03);
  for (std::size_t row = 0; row < 3000; ++row) {
    double sum = 0;
    for (const double share : training.out_of_bag.row(row)) {
      sum += share;
    }
    ASSERT_NEAR(sum, 1, 1e-12);
  }
  options.forest.bootstrap = false;
  EXPECT_TRUE(std::isnan(train(problem, options).out_of_bag(0, 0)));
}

TEST(TrainForest, draws_about_two_thirds_of_the_rows_or_as_many_as_asked_for) {
  const Problem problem = make_problem(1000);
  TrainOptions options = options_for(problem, 1);
  EXPECT_EQ(train(problem, options).forest.trees[0].weights[0], 1000);
  options.forest.max_samples = 100;
  EXPECT_EQ(train(problem, options).forest.trees[0].weights[0], 100);
}

TEST(TrainForest, balances_classes_whatever_their_number) {
  Problem problem = make_problem(1000);
  for (std::size_t row = 0; row < 1000; ++row) {
    problem.target.classes[row] = row < 900 ? 0 : row < 990 ? 1 : 2;
  }
  TrainOptions options = options_for(problem, 1);
  options.forest.bootstrap = false;
  options.forest.grow.max_depth = 0;
  options.forest.balance = ClassBalance::all_rows;
  const Forest forest = train(problem, options).forest;
  EXPECT_THAT(forest.trees[0].values, testing::Each(testing::DoubleNear(1.0 / 3, 1e-12)));
  options.forest.bootstrap = true;
  options.forest.balance = ClassBalance::each_tree;
  EXPECT_THAT(train(problem, options).forest.trees[0].values,
              testing::Each(testing::DoubleNear(1.0 / 3, 1e-12)));
}

// Before, a row of 1e308 that was drawn twice weighed infinity, and trees of it ended in a segmentation fault.
TEST(TrainForest, has_the_same_trees_for_weights_of_any_size) {
  for (const Task task : {Task::classification, Task::regression}) {
    Problem problem = make_problem(120);
    TrainOptions options = options_for(problem, 4);
    if (task == Task::regression) {
      problem.classes = {};
      problem.target.task = task;
      problem.target.width = 1;
      problem.target.outputs = Matrix(120, 1);
      for (std::size_t row = 0; row < 120; ++row) {
        problem.target.outputs(row, 0) = problem.points(row, 0) + problem.target.classes[row];
      }
      problem.target.classes.clear();
      options.forest.grow.impurity = Impurity::squared_error;
    }
    for (const ClassBalance balance : {ClassBalance::none, ClassBalance::all_rows}) {
      if (task == Task::regression && balance != ClassBalance::none) {
        continue;
      }
      options.forest.balance = balance;
      problem.target.weights.assign(120, 0.75);
      problem.target.weights[7] = 3;
      const Forest plain = train(problem, options).forest;
      for (const double factor : {0x1p-960, 0x1p-300, 0x1p300, 0x1p1000}) {
        Problem scaled = problem;
        for (double& weight : scaled.target.weights) {
          weight *= factor;
        }
        const Forest forest = train(scaled, options).forest;
        EXPECT_EQ(forest.importances, plain.importances);
        for (std::size_t tree = 0; tree < 4; ++tree) {
          EXPECT_EQ(forest.trees[tree].nodes, plain.trees[tree].nodes) << factor;
          EXPECT_EQ(forest.trees[tree].values, plain.trees[tree].values) << factor;
          EXPECT_EQ(forest.trees[tree].weights[1], plain.trees[tree].weights[1] * factor);
        }
      }
    }
  }
}

TEST(TrainForest, refuses_weights_whose_sums_are_no_numbers) {
  Problem problem = make_problem(10);
  TrainOptions options = options_for(problem, 2);
  problem.target.weights.assign(10, 1.0);
  problem.target.weights[3] = 1e308;
  EXPECT_EQ(message_of([&] { train(problem, options); }),
            "the largest weight is 1e+308, and 10 rows of it may weigh more than 1.8e308, the "
            "largest number; divide all weights by the same number");
  problem.target.weights[3] = 1e-200;
  EXPECT_EQ(message_of([&] { train(problem, options); }),
            "row 3: the weight is 1e-200 and the largest is 1, expected 0 or at least 1e-60 times "
            "the largest: less would vanish in their sum");
  problem.target.weights.assign(10, 5e-324);
  const Tree tree = train(problem, options).forest.trees[0];
  EXPECT_EQ(tree.weights[0], 10 * 5e-324);
  options.forest.balance = ClassBalance::all_rows;
  EXPECT_EQ(
      message_of([&] { train(problem, options); }),
      "row 0: the weight is 5e-324, which may vanish where classes are balanced; multiply all "
      "weights by the same number");
}

TEST(TrainForest, says_what_does_not_fit) {
  const Problem problem = make_problem(10);
  const TrainOptions options = options_for(problem, 2);
  Problem bad = problem;
  bad.target.classes.pop_back();
  EXPECT_EQ(message_of([&] { train(bad, options); }), "points have 10 rows, targets 9");
  bad = problem;
  bad.target.weights = {1, 2};
  EXPECT_EQ(message_of([&] { train(bad, options); }), "2 weights for 10 rows, expected one each");
  bad.target.weights.assign(10, 0.0);
  EXPECT_EQ(message_of([&] { train(bad, options); }), "all weights are 0, expected one above 0");
  bad.target.weights[3] = -1;
  EXPECT_EQ(message_of([&] { train(bad, options); }),
            "row 3: the weight is -1, expected a finite number >= 0");
  bad = problem;
  bad.classes = std::vector<std::int64_t>{0, 1};
  EXPECT_EQ(message_of([&] { train(bad, options); }), "3 classes have 2 names");
  bad = problem;
  bad.target.task = Task::regression;
  bad.target.width = 1;
  bad.target.outputs = Matrix(10, 1);
  bad.target.outputs(7, 0) = std::numeric_limits<double>::infinity();
  bad.classes = {};
  EXPECT_EQ(message_of([&] { train(bad, options); }),
            "row 7: target is inf, expected a finite number");
  TrainOptions too_many = options;
  too_many.forest.max_samples = 11;
  EXPECT_EQ(message_of([&] { train(problem, too_many); }),
            "max_samples is 11, the points have 10 rows");
}

TEST(MaxFeatures, of_the_rules_is_the_rounded_down_root_or_logarithm_and_one_at_least) {
  EXPECT_EQ(square_root_features(0), 1U);
  EXPECT_EQ(logarithm_features(0), 1U);
  for (std::size_t n_columns = 1; n_columns < 5000; ++n_columns) {
    const std::size_t root = square_root_features(n_columns);
    EXPECT_TRUE(root * root <= n_columns && n_columns < (root + 1) * (root + 1)) << n_columns;
    const std::size_t logarithm = logarithm_features(n_columns);
    const std::size_t power = std::size_t{1} << logarithm;
    EXPECT_TRUE((power <= n_columns || n_columns == 1) && n_columns < 2 * power) << n_columns;
  }
}

}  // namespace
}  // namespace bentwood
