#include "bentwood/model/check_forest.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>

#include "bentwood/base/error.hpp"
#include "bentwood/model/file.hpp"
#include "data/messages.hpp"
#include "model/sample_forests.hpp"

namespace bentwood {
namespace {

/// What is said of the sample of a name after it was changed.
std::string problem_after(std::string_view name, const std::function<void(Forest&)>& change) {
  for (const SampleForest& sample : sample_forests()) {
    if (sample.name == name) {
      Forest forest = sample.make();
      change(forest);
      return message_of([&] { check_forest(forest); });
    }
  }
  return "there is no such sample";
}

TEST(CheckForest, refuses_leaves_of_classifiers_that_hold_no_shares) {
  const auto with_leaf = [](double first, double second, double third) {
    return problem_after("classifier", [&](Forest& forest) {
      forest.trees[1].values[3] = first;
      forest.trees[1].values[4] = second;
      forest.trees[1].values[5] = third;
    });
  };
  EXPECT_EQ(with_leaf(0.5, 0.75, -0.25),
            "tree 1: value row 1 has the share -0.25, expected at least 0");
  EXPECT_EQ(with_leaf(0.5, 0.25, 0.5),
            "tree 1: value row 1 has shares that sum to 1.25, expected 1");
  EXPECT_EQ(with_leaf(0.5, 0.25, 0.125),
            "tree 1: value row 1 has shares that sum to 0.875, expected 1");
  EXPECT_EQ(with_leaf(1, 1e-6, 0),
            "tree 1: value row 1 has shares that sum to 1.000001, expected 1");
  EXPECT_EQ(with_leaf(1, NAN, 0), "tree 1: a leaf has a value that is not finite");
}

TEST(CheckForest, takes_shares_that_are_rounded_and_any_finite_outputs) {
  for (const SampleForest& sample : sample_forests()) {
    Forest forest = sample.make();
    if (forest.task == Task::regression) {
      forest.trees[0].values = std::vector<double>(forest.trees[0].values.size(), -1.7e308);
    } else {
      Tree& tree = forest.trees[0];
      (tree.is_sparse() ? tree.sparse.shares : tree.values)[0] += 1e-10;
    }
    EXPECT_NO_THROW(check_forest(forest)) << sample;
  }
}

TEST(CheckForest, refuses_importances_that_are_no_shares) {
  for (const double wrong : {-0.5, 1.5, double{NAN}, double{INFINITY}}) {
    EXPECT_EQ(problem_after("regressor", [&](Forest& forest) { forest.importances[3] = wrong; }),
              "importance 3 is " +
                  (std::isfinite(wrong) ? std::to_string(wrong).substr(0, wrong < 0 ? 4 : 3)
                   : std::isnan(wrong)  ? "nan"
                                        : "inf") +
                  ", expected a number from 0 to 1");
  }
}

TEST(CheckForest, refuses_the_name_of_another_estimator) {
  const auto named = [](std::string_view sample, const std::string& estimator) {
    return problem_after(sample, [&](Forest& forest) { forest.estimator = estimator; });
  };
  EXPECT_EQ(named("classifier", "ManifoldForestRegressor"),
            "the estimator is ManifoldForestRegressor, expected a forest that regresses, but the "
            "model is a forest that classifies");
  EXPECT_EQ(named("regressor", "ManifoldTreeClassifier"),
            "the estimator is ManifoldTreeClassifier, expected a forest that classifies, but the "
            "model is a forest that regresses");
  EXPECT_EQ(named("classifier", "HoroForestClassifier"),
            "the estimator is HoroForestClassifier, expected a forest that cuts horospheres, but "
            "the model is a forest that classifies");
  EXPECT_EQ(named("classifier", "GeodesicForest"),
            "the estimator is GeodesicForest, expected a forest of neighbours, but the model is a "
            "forest that classifies");
  EXPECT_EQ(named("horospheres", "HoroSVC"),
            "the estimator is HoroSVC, expected horospheres, but the model is a forest that "
            "classifies");
  // What the package does not have may be anybody's.
  Forest forest = sample_forests()[0].make();
  forest.estimator = "SomebodysForest";
  EXPECT_NO_THROW(check_forest(forest));
}

// The first files of tests/golden were random numbers called shares, and two of them regressors that classify: no training has ever given such.
TEST(CheckForest, refuses_golden_files_that_are_no_classifiers) {
  const auto problem = [](const std::string& name) {
    return message_of([&] { (void)load(std::string(BENTWOOD_GOLDEN) + "/refused/" + name); });
  };
  const auto ends_with = [&](const std::string& name, const std::string& end) {
    return problem(name).ends_with("refused/" + name + ": " + end);
  };
  EXPECT_PRED2(ends_with, "classifier_1.bent",
               "tree 0: value row 0 has shares that sum to 1.0215510389784987, expected 1");
  EXPECT_PRED2(ends_with, "horo_forest_2.bent",
               "tree 0: value row 0 has shares that sum to 1.611866955436033, expected 1");
  const std::string contradiction =
      "the estimator is ManifoldForestRegressor, expected a forest that regresses, but the model "
      "is "
      "a forest that classifies";
  EXPECT_PRED2(ends_with, "pairs_1.bent", contradiction);
  EXPECT_PRED2(ends_with, "leaf_1.bent", contradiction);
}

}  // namespace
}  // namespace bentwood
