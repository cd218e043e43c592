#include "bentwood/ensemble/train_geodesic.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include "bentwood/base/error.hpp"
#include "bentwood/base/parallel.hpp"
#include "bentwood/base/random.hpp"
#include "bentwood/infer/reference.hpp"
#include "bentwood/model/model.hpp"

namespace bentwood {
namespace {

GeodesicOptions options_for(std::string_view signature, std::size_t n_trees = 12) {
  GeodesicOptions result{.manifold = Manifold(signature)};
  result.n_trees = n_trees;
  result.grow.min_samples_split = 30;
  result.seed = 3;
  return result;
}

GeodesicForest train(const Matrix& points, const GeodesicOptions& options) {
  return train_geodesic_forest(points, options).forest;
}

Matrix curve(std::size_t n_rows, std::uint64_t seed = 1) {
  Random random(seed);
  Matrix points(n_rows, 5);
  for (std::size_t row = 0; row < n_rows; ++row) {
    const double time = 6 * random.uniform();
    points(row, 0) = std::cos(time);
    points(row, 1) = 30 * std::sin(time);
    points(row, 2) = time;
    points(row, 3) = random.normal();
    points(row, 4) = random.normal();
  }
  return points;
}

/// Which rows are together in a tree, whatever its leaves are called: for every row the first row of its leaf, in the order of `rows`.
std::vector<std::size_t> partition(const GeodesicForest& forest, std::size_t tree,
                                   const std::vector<std::size_t>& rows) {
  std::map<std::uint32_t, std::size_t> first;
  std::vector<std::size_t> result;
  for (std::size_t place = 0; place < rows.size(); ++place) {
    result.push_back(first.emplace(forest.leaf(tree, rows[place]), place).first->second);
  }
  return result;
}

std::vector<std::size_t> in_order(std::size_t n_rows) {
  std::vector<std::size_t> result(n_rows);
  std::iota(result.begin(), result.end(), 0U);
  return result;
}

std::string message_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return "no error";
}

TEST(TrainGeodesicForest, keeps_the_leaves_that_the_plain_walk_finds) {
  for (const char* const signature : {"E4", "H2 x S2", "S3", "H3(-2) x E1 x S1(0.5)"}) {
    const Matrix points = Manifold(signature).random(300, 0.7, 2);
    const GeodesicForest forest = train(points, options_for(signature));
    ASSERT_NO_THROW(check_geodesic_forest(forest));
    const Leaves leaves = apply_to_columns(forest.forest, forest.forest.columns.values(points));
    std::size_t n_nodes = 0;
    for (std::size_t tree = 0; tree < 12; ++tree) {
      n_nodes += forest.forest.trees[tree].nodes.size();
      std::map<std::uint32_t, double> counts;
      for (std::size_t row = 0; row < 300; ++row) {
        ASSERT_EQ(forest.leaf(tree, row), leaves(row, tree));
        counts[leaves(row, tree)] += forest.has_drawn(tree, row) ? 1 : 0;
      }
      // A leaf weighs the rows that the tree has drawn.
      for (const auto& [leaf, count] : counts) {
        ASSERT_EQ(forest.forest.trees[tree].weights[leaf], count) << signature;
      }
    }
    EXPECT_GT(n_nodes, 12U * 5);
  }
}

TEST(TrainGeodesicForest, gives_the_same_bytes_for_any_number_of_threads) {
  const Matrix points = Manifold("H2 x S2").random(400, 0.7, 4);
  std::vector<std::string> found;
  for (const std::size_t n_threads : {1U, 2U, 3U, 8U}) {
    const ThreadLimit limit(n_threads);
    found.push_back(to_bytes(train(points, options_for("H2 x S2", 30))));
  }
  for (const std::string& bytes : found) {
    EXPECT_EQ(bytes, found.front());
  }
  GeodesicOptions other = options_for("H2 x S2", 30);
  other.seed = 4;
  EXPECT_NE(to_bytes(train(points, other)), found.front());
}

// With fewer trees the first ones are the same: a tree depends on its number alone.
TEST(TrainGeodesicForest, grows_each_tree_by_its_number) {
  const Matrix points = curve(300);
  const GeodesicForest few = train(points, options_for("E5", 3));
  const GeodesicForest many = train(points, options_for("E5", 9));
  for (std::size_t tree = 0; tree < 3; ++tree) {
    for (std::size_t row = 0; row < 300; ++row) {
      ASSERT_EQ(few.leaf(tree, row), many.leaf(tree, row));
      ASSERT_EQ(few.has_drawn(tree, row), many.has_drawn(tree, row));
    }
  }
}

TEST(TrainGeodesicForest, does_not_know_the_units_of_columns) {
  const Matrix points = curve(300);
  Matrix scaled(300, 5);
  for (std::size_t row = 0; row < 300; ++row) {
    for (std::size_t column = 0; column < 5; ++column) {
      scaled(row, column) = std::ldexp(points(row, column), 40 * static_cast<int>(column) - 70);
    }
  }
  EXPECT_EQ(train(points, options_for("E5")).leaves, train(scaled, options_for("E5")).leaves);
}

// Without a bootstrap nothing depends on the order of the rows but their numbers.
TEST(TrainGeodesicForest, gives_rows_in_another_order_the_same_leaves) {
  const Matrix points = curve(300);
  std::vector<std::size_t> order = in_order(300);
  Random(8).shuffle(std::span(order));
  Matrix shuffled(300, 5);
  std::vector<std::size_t> where(300);
  for (std::size_t place = 0; place < 300; ++place) {
    where[order[place]] = place;
    std::ranges::copy(points.row(order[place]), shuffled.row(place).begin());
  }
  for (const Projection projection : {Projection::guided, Projection::sparse, Projection::axis}) {
    GeodesicOptions options = options_for("E5");
    options.bootstrap = false;
    options.grow.projection = projection;
    const GeodesicForest forest = train(points, options);
    const GeodesicForest other = train(shuffled, options);
    for (std::size_t tree = 0; tree < 12; ++tree) {
      EXPECT_EQ(partition(forest, tree, in_order(300)), partition(other, tree, where));
    }
  }
}

TEST(TrainGeodesicForest, draws_rows_with_replacement_for_every_tree_anew) {
  const Matrix points = curve(1000);
  GeodesicOptions options = options_for("E5", 20);
  options.bootstrap = true;
  const auto n_drawn = [](const GeodesicForest& forest, std::size_t tree) {
    double count = 0;
    for (std::size_t row = 0; row < forest.n_rows; ++row) {
      count += forest.has_drawn(tree, row) ? 1 : 0;
    }
    return count;
  };
  const GeodesicForest forest = train(points, options);
  for (std::size_t tree = 0; tree < 20; ++tree) {
    EXPECT_NEAR(n_drawn(forest, tree), 632, 60);
    double n_both = 0;
    for (std::size_t row = 0; row < 1000 && tree > 0; ++row) {
      n_both += forest.has_drawn(tree, row) && forest.has_drawn(tree - 1, row) ? 1 : 0;
    }
    EXPECT_TRUE(tree == 0 || std::abs(n_both - 400) < 70) << n_both;
  }
  options.max_samples = 100;
  const GeodesicForest small = train(points, options);
  for (std::size_t tree = 0; tree < 20; ++tree) {
    EXPECT_LE(n_drawn(small, tree), 100);
    EXPECT_GT(n_drawn(small, tree), 80);
  }
  options.max_samples = 0;
  options.bootstrap = false;
  EXPECT_EQ(n_drawn(train(points, options), 0), 1000);
}

// Trees that drew from streams which resemble each other would repeat each other's cuts.
TEST(TrainGeodesicForest, grows_trees_that_differ_even_without_a_bootstrap) {
  GeodesicOptions options = options_for("E5", 30);
  options.bootstrap = false;
  const GeodesicForest forest = train(curve(300), options);
  std::map<double, int> first_thresholds;
  for (const Tree& tree : forest.forest.trees) {
    ++first_thresholds[tree.nodes.front().threshold];
  }
  EXPECT_GT(first_thresholds.size(), 20U);
}

TEST(TrainGeodesicForest, has_importances_that_sum_to_one_and_leave_noise_out) {
  const GeodesicForest forest = train(curve(1000), options_for("E5", 30));
  const std::vector<double>& importances = forest.forest.importances;
  EXPECT_NEAR(std::accumulate(importances.begin(), importances.end(), 0.0), 1, 1e-12);
  EXPECT_LT(importances[3] + importances[4], 0.1);
}

TEST(TrainGeodesicForest, has_importances_that_sum_to_one_where_some_trees_are_leaves) {
  GeodesicOptions options = options_for("E5", 30);
  options.grow.min_samples_split = 10;
  // A node needs ten rows, which is about what each tree has: rows that were drawn twice count once.
  options.bootstrap = true;
  const GeodesicForest forest = train(curve(15), options);
  EXPECT_GT(std::ranges::count(forest.forest.trees, 1U,
                               [](const Tree& tree) { return tree.nodes.size(); }),
            2);
  const std::vector<double>& importances = forest.forest.importances;
  EXPECT_NEAR(std::accumulate(importances.begin(), importances.end(), 0.0), 1, 1e-12);
}

TEST(TrainGeodesicForest, says_what_is_wrong) {
  const Matrix points = curve(50);
  const auto problem = [&](const std::function<void(GeodesicOptions&)>& spoil) {
    GeodesicOptions options = options_for("E5");
    spoil(options);
    return message_of([&] { (void)train(points, options); });
  };
  EXPECT_EQ(problem([](auto& options) { options.n_trees = 0; }),
            "n_estimators and max_features must be at least 1, min_samples_split at least 2");
  EXPECT_EQ(problem([](auto& options) { options.max_samples = 51; }),
            "max_samples is 51, the points have 50 rows");
  EXPECT_EQ(problem([](auto& options) { options.grow.limits.min_share = 0.6; }),
            "min_share is 0.6, expected a number from 0 to 0.5");
  EXPECT_EQ(
      problem([](auto& options) { options.grow.temperature = NAN; }),
      "temperature is nan and density 0, expected a number of at least 0 and one from 0 to 1");
  EXPECT_EQ(message_of([] { (void)train(Matrix(0, 5), options_for("E5")); }),
            "there are no rows to learn from");
}

}  // namespace
}  // namespace bentwood
