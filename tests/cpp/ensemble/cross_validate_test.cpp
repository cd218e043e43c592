#include "bentwood/ensemble/cross_validate.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "bentwood/base/error.hpp"
#include "bentwood/base/parallel.hpp"
#include "bentwood/base/random.hpp"
#include "bentwood/infer/reference.hpp"
#include "bentwood/infer/winners.hpp"

namespace bentwood {
namespace {

std::vector<std::uint32_t> random_classes(std::size_t n_rows, std::size_t n_classes) {
  Random random(4);
  std::vector<std::uint32_t> classes(n_rows);
  for (std::uint32_t& label : classes) {
    // Small classes and large ones.
    label = static_cast<std::uint32_t>(random.below(random.below(n_classes) + 1));
  }
  return classes;
}

struct Problem {
  Manifold manifold{"H2 x S2", Coordinates::poincare};
  Matrix points;
  Target target;
};

/// Classes that a coordinate tells apart but for noise.
Problem make_problem(std::size_t n_rows, Task task) {
  Problem problem;
  problem.points = problem.manifold.random(n_rows, 1, 5);
  problem.target.task = task;
  problem.target.width = task == Task::classification ? 3 : 1;
  problem.target.outputs = Matrix(task == Task::regression ? n_rows : 0, 1);
  Random random(6);
  for (std::size_t row = 0; row < n_rows; ++row) {
    const double signal = problem.points(row, 0) + 0.2 * random.normal();
    problem.target.weights.push_back(1 + random.uniform());
    if (task == Task::classification) {
      problem.target.classes.push_back(signal < -0.3 ? 0 : signal < 0.3 ? 1 : 2);
    } else {
      problem.target.outputs(row, 0) = signal;
    }
  }
  return problem;
}

TrainOptions options_for(const Problem& problem) {
  TrainOptions options{.columns = Columns(problem.manifold)};
  options.forest.n_trees = 5;
  options.forest.seed = 8;
  options.forest.grow.impurity =
      problem.target.task == Task::classification ? Impurity::gini : Impurity::squared_error;
  return options;
}

TEST(Folds, are_even_in_all_and_in_every_class) {
  for (const std::size_t n_folds : {2U, 5U, 7U}) {
    const std::vector<std::uint32_t> classes = random_classes(203, 6);
    const std::vector<std::uint32_t> folds = stratified_folds(classes, n_folds, 1);
    std::vector<std::size_t> sizes(n_folds, 0);
    Matrix counts(6, n_folds);
    for (std::size_t row = 0; row < folds.size(); ++row) {
      ++sizes.at(folds[row]);
      ++counts(classes[row], folds[row]);
    }
    EXPECT_LE(std::ranges::max(sizes) - std::ranges::min(sizes), 1);
    for (std::size_t label = 0; label < 6; ++label) {
      EXPECT_LE(std::ranges::max(counts.row(label)) - std::ranges::min(counts.row(label)), 1);
    }
  }
}

TEST(Folds, depend_on_the_seed_and_on_nothing_else) {
  const std::vector<std::uint32_t> classes = random_classes(100, 3);
  EXPECT_EQ(stratified_folds(classes, 5, 1), stratified_folds(classes, 5, 1));
  EXPECT_NE(stratified_folds(classes, 5, 1), stratified_folds(classes, 5, 2));
  EXPECT_NE(shuffled_folds(100, 5, 1), shuffled_folds(100, 5, 2));
}

// Rows that stand together in a file often belong together: folds must not be blocks of it.
TEST(Folds, mix_the_rows) {
  const std::vector<std::uint32_t> folds = shuffled_folds(1000, 2, 3);
  std::size_t n_changes = 0;
  for (std::size_t row = 1; row < folds.size(); ++row) {
    n_changes += folds[row] != folds[row - 1];
  }
  EXPECT_NEAR(static_cast<double>(n_changes), 500, 60);
}

TEST(Folds, list_their_rows) {
  EXPECT_THAT(rows_of_folds(std::vector<std::uint32_t>{1, 0, 1, 2}),
              testing::ElementsAre(testing::ElementsAre(1), testing::ElementsAre(0, 2),
                                   testing::ElementsAre(3)));
}

TEST(Folds, say_what_is_wrong_with_their_number) {
  EXPECT_THAT(
      [] { (void)shuffled_folds(10, 1, 0); },
      testing::ThrowsMessage<InvalidInput>("1 fold cannot be told apart, expected at least 2"));
  EXPECT_THAT([] { (void)shuffled_folds(3, 5, 0); },
              testing::ThrowsMessage<InvalidInput>("5 folds need at least as many rows, found 3"));
}

class OutOfFold : public testing::TestWithParam<Task> {};

// The oracle trains on the other folds through the front door, and walks plainly.
TEST_P(OutOfFold, rows_are_predicted_by_a_forest_of_the_other_folds) {
  const Problem problem = make_problem(120, GetParam());
  const TrainOptions options = options_for(problem);
  const std::vector<std::uint32_t> folds = folds_for(problem.target, 3, 9);
  const Matrix values = out_of_fold_values(problem.points, problem.target, folds, options);
  for (std::uint32_t fold = 0; fold < 3; ++fold) {
    std::vector<double> known;
    Target target;
    target.task = GetParam();
    target.width = problem.target.width;
    std::vector<double> outputs;
    for (std::size_t row = 0; row < 120; ++row) {
      if (folds[row] != fold) {
        known.insert(known.end(), problem.points.row(row).begin(), problem.points.row(row).end());
        target.weights.push_back(problem.target.weights[row]);
        if (GetParam() == Task::classification) {
          target.classes.push_back(problem.target.classes[row]);
        } else {
          outputs.push_back(problem.target.outputs(row, 0));
        }
      }
    }
    target.outputs = Matrix(outputs.size(), 1, outputs);
    const std::size_t n_cols = problem.points.n_cols();
    const Labels classes =
        GetParam() == Task::classification ? Labels(std::vector<std::int64_t>{0, 1, 2}) : Labels();
    const Forest forest =
        train_forest(Matrix(known.size() / n_cols, n_cols, known), target, classes, options).forest;
    const Matrix expected = predict_values(forest, problem.points).values;
    for (std::size_t row = 0; row < 120; ++row) {
      if (folds[row] == fold) {
        EXPECT_THAT(values.row(row), testing::ElementsAreArray(expected.row(row)));
      }
    }
  }
}

TEST(OutOfFold, winners_are_those_of_the_values) {
  const Problem problem = make_problem(120, Task::classification);
  const TrainOptions options = options_for(problem);
  const std::vector<std::uint32_t> folds = folds_for(problem.target, 3, 9);
  EXPECT_EQ(out_of_fold_winners(problem.points, problem.target, folds, options),
            winners(out_of_fold_values(problem.points, problem.target, folds, options)));
}

TEST_P(OutOfFold, values_are_the_same_for_any_number_of_threads) {
  const Problem problem = make_problem(200, GetParam());
  const std::vector<std::uint32_t> folds = folds_for(problem.target, 4, 9);
  const auto values_with = [&](std::size_t n_threads) {
    const ThreadLimit limit(n_threads);
    const Matrix values =
        out_of_fold_values(problem.points, problem.target, folds, options_for(problem));
    return std::vector<double>(values.data(), values.data() + 200 * values.n_cols());
  };
  EXPECT_EQ(values_with(1), values_with(3));
}

INSTANTIATE_TEST_SUITE_P(Tasks, OutOfFold, testing::Values(Task::classification, Task::regression));

TEST(OutOfFoldValues, tell_how_many_trees_of_all_are_done) {
  const Problem problem = make_problem(60, Task::classification);
  std::vector<std::size_t> told;
  const auto listen = [&](std::size_t n_done) { told.push_back(n_done); };
  (void)out_of_fold_values(problem.points, problem.target, folds_for(problem.target, 3, 0),
                           options_for(problem), listen);
  EXPECT_TRUE(std::ranges::is_sorted(told));
  EXPECT_EQ(told.back(), 15);
}

// A class of one row is unknown to the forest that is asked about it.
TEST(OutOfFoldValues, bear_a_class_that_a_fold_does_not_know) {
  Problem problem = make_problem(40, Task::classification);
  std::ranges::replace(problem.target.classes, 2U, 1U);
  problem.target.classes[7] = 2;
  const Matrix values = out_of_fold_values(problem.points, problem.target,
                                           folds_for(problem.target, 4, 0), options_for(problem));
  EXPECT_EQ(values(7, 2), 0);
}

TEST(OutOfFoldValues, say_what_does_not_fit) {
  const Problem problem = make_problem(20, Task::classification);
  const auto with_folds = [&](std::vector<std::uint32_t> folds) {
    return [&problem, folds = std::move(folds)] {
      (void)out_of_fold_values(problem.points, problem.target, folds, options_for(problem));
    };
  };
  EXPECT_THAT(with_folds({0, 1}),
              testing::ThrowsMessage<InvalidInput>("points have 20 rows, targets 20, folds 2"));
  std::vector<std::uint32_t> folds(20, 0);
  folds[3] = 2;
  EXPECT_THAT(with_folds(folds), testing::ThrowsMessage<InvalidInput>("fold 1 has no rows"));
}

}  // namespace
}  // namespace bentwood
