// Trees whose nodes make horospheres for themselves.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>
#include <vector>

#include "bentwood/base/parallel.hpp"
#include "bentwood/grow/grow_tree.hpp"
#include "grow/horosphere_problem.hpp"

namespace bentwood {
namespace {

GrownTree grow(const HorosphereProblem& problem, GrowOptions options, std::uint64_t seed = 7) {
  options.horospheres.places = problem.columns.polar_places();
  const RankedColumns ranked(problem.values, problem.columns.columns());
  GrownTree grown = TreeGrower(ranked, problem.target, options).grow(problem.weights, seed);
  check_tree(grown.tree, problem.columns.columns(), problem.columns.polar_places());
  return grown;
}

std::vector<std::vector<std::size_t>> rows_of_nodes(const HorosphereProblem& problem,
                                                    const Tree& tree) {
  std::vector<std::vector<std::size_t>> rows(tree.nodes.size());
  for (std::size_t row = 0; row < problem.values.n_rows(); ++row) {
    if (problem.weights[row] == 0) {
      continue;
    }
    std::uint32_t node = 0;
    rows[node].push_back(row);
    while (!tree.nodes[node].is_leaf()) {
      const bool left = goes_left(tree, tree.nodes[node], problem.columns.columns(),
                                  problem.values.row(row).data());
      node = tree.nodes[node].child + (left ? 0 : 1);
      rows[node].push_back(row);
    }
  }
  return rows;
}

/// The impurity of some rows times their weight, from its definition.
double impurity(const HorosphereProblem& problem, const std::vector<std::size_t>& rows) {
  double weight = 0;
  for (const std::size_t row : rows) {
    weight += problem.weights[row];
  }
  double sum = 0;
  if (problem.target.task == Task::regression) {
    double mean = 0;
    for (const std::size_t row : rows) {
      mean += problem.weights[row] / weight * problem.target.outputs(row, 0);
    }
    for (const std::size_t row : rows) {
      sum += problem.weights[row] * std::pow(problem.target.outputs(row, 0) - mean, 2);
    }
    return sum;
  }
  std::vector<double> totals(problem.target.width, 0.0);
  for (const std::size_t row : rows) {
    totals[problem.target.classes[row]] += problem.weights[row];
  }
  for (const double total : totals) {
    sum += total * (1 - total / weight);
  }
  return sum;
}

struct Case {
  std::string_view name;
  std::string_view signature;
  std::vector<ColumnFamily> families;
  Task task = Task::classification;
  HorosphereSplits horospheres{};
};

std::ostream& operator<<(std::ostream& out, const Case& item) { return out << item.name; }

class HorosphereTree : public testing::TestWithParam<Case> {
 protected:
  [[nodiscard]] static HorosphereProblem problem(std::size_t n_rows, std::uint64_t seed) {
    HorosphereProblem result =
        horosphere_problem(GetParam().signature, GetParam().families, n_rows, 4, 0.8, seed, true);
    if (GetParam().task == Task::regression) {
      make_regression(result);
    }
    return result;
  }
  [[nodiscard]] static GrowOptions options() {
    GrowOptions result;
    result.impurity =
        GetParam().task == Task::regression ? Impurity::squared_error : Impurity::gini;
    result.min_samples_leaf = 3;
    result.horospheres = GetParam().horospheres;
    return result;
  }
};

TEST_P(HorosphereTree, says_of_every_node_and_leaf_what_its_rows_say) {
  for (const std::size_t n_rows : {30U, 400U, 1500U}) {
    const HorosphereProblem given = problem(n_rows, 1);
    const GrownTree grown = grow(given, options());
    const Tree& tree = grown.tree;
    const auto rows = rows_of_nodes(given, tree);
    std::vector<double> importances(given.columns.n_importances(), 0.0);
    for (std::size_t node = 0; node < tree.nodes.size(); ++node) {
      ASSERT_GE(rows[node].size(), 3U);
      double weight = 0;
      for (const std::size_t row : rows[node]) {
        weight += given.weights[row];
      }
      ASSERT_EQ(tree.weights[node], weight);
      const TreeNode& at = tree.nodes[node];
      if (at.is_leaf()) {
        continue;
      }
      // The gain that was noted is that of the rows that the stored horosphere sends left and right.
      const double gain = (impurity(given, rows[node]) - impurity(given, rows[at.child]) -
                           impurity(given, rows[at.child + 1])) /
                          tree.weights[0];
      const auto column = static_cast<std::size_t>(at.column);
      if (column < given.columns.size()) {
        importances[column] += gain;
        continue;
      }
      const std::size_t own = column - given.columns.size();
      EXPECT_NEAR(tree.own.gains[own], gain, 1e-10);
      importances[given.columns.size() +
                  polar_place_of(tree.own, own, given.columns.polar_places())] += gain;
    }
    for (std::size_t item = 0; item < importances.size(); ++item) {
      EXPECT_NEAR(grown.importances[item], importances[item], 1e-10);
    }
    EXPECT_GT(tree.own.size(), 0U);
  }
}

// Along the ideal point of a node no other threshold decreases the impurity more.
TEST_P(HorosphereTree, cuts_every_horosphere_where_it_is_best) {
  if (GetParam().horospheres.threshold == HorosphereThreshold::margin) {
    GTEST_SKIP() << "the SVM says where";
  }
  const HorosphereProblem given = problem(200, 2);
  const Tree tree = grow(given, options()).tree;
  const auto rows = rows_of_nodes(given, tree);
  for (std::size_t node = 0; node < tree.nodes.size(); ++node) {
    const TreeNode& at = tree.nodes[node];
    if (at.is_leaf() || static_cast<std::size_t>(at.column) < given.columns.size()) {
      continue;
    }
    const std::size_t own = static_cast<std::size_t>(at.column) - given.columns.size();
    const double kept = impurity(given, rows[at.child]) + impurity(given, rows[at.child + 1]);
    for (const std::size_t last : rows[node]) {
      std::vector<std::size_t> left;
      std::vector<std::size_t> right;
      const double threshold = tree.own.value(own, given.values.row(last).data());
      for (const std::size_t row : rows[node]) {
        (tree.own.value(own, given.values.row(row).data()) <= threshold ? left : right)
            .push_back(row);
      }
      if (left.size() >= 3 && right.size() >= 3) {
        ASSERT_GE(impurity(given, left) + impurity(given, right), kept - 1e-9);
      }
    }
  }
}

TEST_P(HorosphereTree, is_the_same_for_any_number_of_threads_and_trees_before_it) {
  const HorosphereProblem given = problem(500, 3);
  GrowOptions with = options();
  with.horospheres.places = given.columns.polar_places();
  const RankedColumns ranked(given.values, given.columns.columns());
  const GrownTree one = grow(given, with);
  for (const std::size_t n_threads : {1U, 2U, 8U}) {
    const ThreadLimit limit(n_threads);
    TreeGrower grower(ranked, given.target, with);
    (void)grower.grow(given.weights, 1);
    const GrownTree again = grower.grow(given.weights, 7);
    EXPECT_EQ(again.tree, one.tree);
    EXPECT_EQ(again.importances, one.importances);
  }
}

// Without a need to choose, the best first gives the same tree but for the numbers of its nodes.
TEST_P(HorosphereTree, grows_best_first_where_leaves_are_limited) {
  const HorosphereProblem given = problem(400, 4);
  GrowOptions with = options();
  const Tree full = grow(given, with).tree;
  with.max_leaf_nodes = 10'000;
  const Tree best_first = grow(given, with).tree;
  EXPECT_EQ(n_leaves(best_first), n_leaves(full));
  EXPECT_EQ(depth(best_first), depth(full));
  with.max_leaf_nodes = 5;
  EXPECT_EQ(n_leaves(grow(given, with).tree), 5U);
}

TEST_P(HorosphereTree, keeps_the_limits) {
  const HorosphereProblem given = problem(400, 5);
  GrowOptions with = options();
  with.max_depth = 2;
  EXPECT_EQ(depth(grow(given, with).tree), 2U);
  with = options();
  with.min_samples_split = 100;
  Tree tree = grow(given, with).tree;
  const auto rows = rows_of_nodes(given, tree);
  for (std::size_t node = 0; node < tree.nodes.size(); ++node) {
    EXPECT_TRUE(tree.nodes[node].is_leaf() || rows[node].size() >= 100);
  }
  with = options();
  with.min_weight_fraction_leaf = 0.1;
  tree = grow(given, with).tree;
  EXPECT_GT(tree.nodes.size(), 1U);
  for (const double weight : tree.weights) {
    EXPECT_GE(weight, 0.1 * tree.weights[0]);
  }
  with = options();
  with.min_impurity_decrease = 1e9;
  EXPECT_EQ(grow(given, with).tree.nodes.size(), 1U);
}

INSTANTIATE_TEST_SUITE_P(
    every, HorosphereTree,
    testing::Values(
        Case{"svm", "H2", {ColumnFamily::horosphere}},
        Case{"search",
             "H3(-0.5)",
             {ColumnFamily::horosphere},
             Task::classification,
             {.ideal_points = IdealPoints::search}},
        Case{"margin",
             "H2",
             {ColumnFamily::horosphere},
             Task::classification,
             {.threshold = HorosphereThreshold::margin, .hyperclasses = false, .balance = 0.9}},
        Case{"axes",
             "H2",
             {ColumnFamily::horosphere},
             Task::classification,
             {.ideal_points = IdealPoints::axes}},
        Case{"product", "H2 x S1 x H1 x E1", {ColumnFamily::geodesic, ColumnFamily::horosphere}},
        Case{"regression", "H2 x E1", {ColumnFamily::horosphere}, Task::regression}),
    [](const auto& item) { return std::string(item.param.name); });

TEST(HorosphereTree, uses_every_family_where_each_has_its_use) {
  // A horocycle tells two classes apart that no geodesic can, a Euclidean column the other two.
  HorosphereProblem problem = horosphere_problem(
      "H2 x E1", {ColumnFamily::geodesic, ColumnFamily::horosphere}, 600, 2, 1, 8);
  for (std::size_t row = 0; row < 600; ++row) {
    const double level =
        horosphere_level(problem.values.row(row).data() + problem.columns.polar_places()[0].place,
                         std::vector<double>{0.6, 0.8});
    problem.target.classes[row] = (level <= 0.8 ? 0U : 1U) + (problem.points(row, 2) > 0 ? 2U : 0U);
  }
  problem.target.width = 4;
  GrowOptions options;
  const GrownTree grown = grow(problem, options);
  EXPECT_LE(grown.tree.nodes.size(), 31U);
  const double sum = std::accumulate(grown.importances.begin(), grown.importances.end(), 0.0);
  EXPECT_GT(grown.importances[2], 0.2 * sum);
  EXPECT_GT(grown.importances[3], 0.2 * sum);
}

TEST(HorosphereTree, does_not_depend_on_the_order_of_the_rows) {
  const HorosphereProblem problem =
      horosphere_problem("H2", {ColumnFamily::horosphere}, 300, 3, 0.8, 9);
  HorosphereProblem reversed = problem;
  for (std::size_t row = 0; row < 300; ++row) {
    std::ranges::copy(problem.values.row(299 - row), reversed.values.row(row).begin());
  }
  std::ranges::reverse(reversed.target.classes);
  GrowOptions options;
  options.horospheres.ideal_points = IdealPoints::search;
  EXPECT_EQ(grow(problem, options).tree, grow(reversed, options).tree);
}

/// The leaf values of some rows.
std::vector<double> said(const HorosphereProblem& problem, const Tree& tree, std::size_t n_rows) {
  std::vector<double> result;
  for (std::size_t row = 0; row < n_rows; ++row) {
    std::uint32_t node = 0;
    while (!tree.nodes[node].is_leaf()) {
      const bool left = goes_left(tree, tree.nodes[node], problem.columns.columns(),
                                  problem.values.row(row).data());
      node = tree.nodes[node].child + (left ? 0 : 1);
    }
    const auto value = tree.value(tree.nodes[node].child);
    result.insert(result.end(), value.begin(), value.end());
  }
  return result;
}

// SVMs add up rows in their order, so that directions agree but for rounding.
TEST(HorosphereTree, takes_a_row_twice_for_a_row_of_weight_two) {
  HorosphereProblem once = horosphere_problem("H2", {ColumnFamily::horosphere}, 500, 3, 0.8, 9);
  std::vector<double> numbers(once.values.data(),
                              once.values.data() + 500 * once.columns.row_width());
  HorosphereProblem twice = once;
  for (std::size_t row = 0; row < 500; row += 3) {
    once.weights[row] = 2;
    const auto copy = once.values.row(row);
    numbers.insert(numbers.end(), copy.begin(), copy.end());
    twice.target.classes.push_back(once.target.classes[row]);
    twice.weights.push_back(1);
  }
  twice.values =
      Matrix(numbers.size() / once.columns.row_width(), once.columns.row_width(), numbers);
  const Tree light = grow(twice, {}).tree;
  const Tree heavy = grow(once, {}).tree;
  EXPECT_EQ(light.nodes.size(), heavy.nodes.size());
  EXPECT_EQ(said(once, light, 500), said(once, heavy, 500));
}

TEST(HorosphereTree, stops_when_the_user_asks) {
  const HorosphereProblem problem =
      horosphere_problem("H2", {ColumnFamily::horosphere}, 5000, 3, 0.8, 9);
  const InterruptCheck check([] { return true; });
  EXPECT_ANY_THROW(grow(problem, {}));
}

}  // namespace
}  // namespace bentwood
