#include "bentwood/infer/neighbours.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "bentwood/base/error.hpp"
#include "bentwood/base/parallel.hpp"
#include "bentwood/base/random.hpp"
#include "bentwood/infer/reference.hpp"
#include "model/sample_geodesic.hpp"

namespace bentwood {
namespace {

std::string message_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return "no error";
}

/// The nodes from a leaf up to the root.
std::vector<std::uint32_t> path_up(const Tree& tree, std::uint32_t leaf) {
  std::vector<std::uint32_t> result{leaf};
  for (std::uint32_t node = leaf; node-- > 0;) {
    const TreeNode& found = tree.nodes[node];
    if (!found.is_leaf() && (found.child == result.back() || found.child + 1 == result.back())) {
      result.push_back(node);
    }
  }
  return result;
}

/// The training rows that pass a node.
std::size_t n_rows_of(const GeodesicForest& forest, std::size_t tree, std::uint32_t node) {
  std::size_t result = 0;
  for (std::size_t row = 0; row < forest.n_rows; ++row) {
    const std::vector<std::uint32_t> path =
        path_up(forest.forest.trees[tree], forest.leaf(tree, row));
    result += static_cast<std::size_t>(std::ranges::count(path, node));
  }
  return result;
}

std::size_t first_node_of(const GeodesicForest& forest, std::size_t tree) {
  std::size_t result = 0;
  for (std::size_t before = 0; before < tree; ++before) {
    result += forest.forest.trees[before].nodes.size();
  }
  return result;
}

std::size_t smallest_leaf_of(const GeodesicForest& forest) {
  std::size_t result = forest.n_rows;
  for (std::size_t tree = 0; tree < forest.forest.trees.size(); ++tree) {
    for (std::size_t row = 0; row < forest.n_rows; ++row) {
      result = std::min(result, n_rows_of(forest, tree, forest.leaf(tree, row)));
    }
  }
  return result;
}

/// What a tree adds to L_ij for rows in two leaves.
double naive_share(const GeodesicForest& forest, std::size_t tree, std::uint32_t leaf,
                   std::uint32_t other, std::size_t smallest_leaf) {
  if (forest.largest_node == 0) {
    return leaf == other ? 1 : 0;
  }
  const std::vector<std::uint32_t> above = path_up(forest.forest.trees[tree], other);
  for (const std::uint32_t node : path_up(forest.forest.trees[tree], leaf)) {
    if (std::ranges::find(above, node) != above.end()) {
      const std::size_t size = n_rows_of(forest, tree, node);
      if (size > forest.largest_node && node != leaf) {
        return 0;
      }
      const double relative = static_cast<double>(smallest_leaf) / static_cast<double>(size);
      return forest.doubts.empty()
                 ? relative
                 : forest.doubts[first_node_of(forest, tree) + node] * std::pow(relative, 0.15);
    }
  }
  return 0;
}

/// S_ij = L_ij / T_ij, tree by tree. A point that was not trained on has no row.
double naive_proximity(const GeodesicForest& forest, std::optional<std::size_t> row,
                       const std::vector<std::uint32_t>& leaves, std::size_t other,
                       std::size_t smallest_leaf) {
  const auto counts = [&](std::size_t tree, std::size_t which) {
    switch (forest.counted) {
      case CountedTrees::in_bag:
        return forest.has_drawn(tree, which);
      case CountedTrees::out_of_bag:
        return !forest.has_drawn(tree, which);
      default:
        return true;
    }
  };
  int n_counted = 0;
  double shared = 0;
  for (std::size_t tree = 0; tree < forest.forest.trees.size(); ++tree) {
    if (counts(tree, other) && (!row || counts(tree, *row))) {
      ++n_counted;
      shared += naive_share(forest, tree, leaves[tree], forest.leaf(tree, other), smallest_leaf);
    }
  }
  if (row == other) {
    return n_counted == 0 ? 0 : 1;
  }
  return n_counted == 0 ? 0 : shared / n_counted;
}

std::vector<std::uint32_t> leaves_of_row(const GeodesicForest& forest, std::size_t row) {
  std::vector<std::uint32_t> result;
  for (std::size_t tree = 0; tree < forest.forest.trees.size(); ++tree) {
    result.push_back(forest.leaf(tree, row));
  }
  return result;
}

Matrix naive_proximities(const GeodesicForest& forest) {
  Matrix result(forest.n_rows, forest.n_rows);
  const std::size_t smallest_leaf = smallest_leaf_of(forest);
  for (std::size_t row = 0; row < forest.n_rows; ++row) {
    for (std::size_t other = 0; other < forest.n_rows; ++other) {
      result(row, other) =
          naive_proximity(forest, row, leaves_of_row(forest, row), other, smallest_leaf);
    }
  }
  return result;
}

Matrix naive_proximities(const GeodesicForest& forest, const Matrix& points) {
  const Matrix columns = forest.forest.columns.values(points);
  Matrix result(points.n_rows(), forest.n_rows);
  const std::size_t smallest_leaf = smallest_leaf_of(forest);
  for (std::size_t point = 0; point < points.n_rows(); ++point) {
    std::vector<std::uint32_t> leaves;
    for (const Tree& tree : forest.forest.trees) {
      leaves.push_back(leaf_of(tree, forest.forest.columns.columns(), columns.row(point)));
    }
    for (std::size_t other = 0; other < forest.n_rows; ++other) {
      result(point, other) = naive_proximity(forest, std::nullopt, leaves, other, smallest_leaf);
    }
  }
  return result;
}

/// A sparse matrix in full; the columns of each row must ascend, and nothing stored be 0.
Matrix dense(const Proximities& sparse, std::size_t n_cols) {
  Matrix result(sparse.row_offsets.size() - 1, n_cols);
  for (std::size_t row = 0; row + 1 < sparse.row_offsets.size(); ++row) {
    for (auto place = static_cast<std::size_t>(sparse.row_offsets[row]);
         place < static_cast<std::size_t>(sparse.row_offsets[row + 1]); ++place) {
      EXPECT_GT(sparse.values[place], 0);
      EXPECT_TRUE(place == static_cast<std::size_t>(sparse.row_offsets[row]) ||
                  sparse.columns[place - 1] < sparse.columns[place]);
      result(row, static_cast<std::size_t>(sparse.columns[place])) = sparse.values[place];
    }
  }
  EXPECT_EQ(sparse.row_offsets.front(), 0);
  EXPECT_EQ(static_cast<std::size_t>(sparse.row_offsets.back()), sparse.columns.size());
  return result;
}

void expect_equal(const Matrix& found, const Matrix& expected) {
  ASSERT_EQ(found.n_rows(), expected.n_rows());
  for (std::size_t row = 0; row < found.n_rows(); ++row) {
    for (std::size_t column = 0; column < found.n_cols(); ++column) {
      ASSERT_EQ(found(row, column), expected(row, column)) << row << " " << column;
    }
  }
}

/// Distances ascend, are those of the rows, no row comes twice, and none that was left out is nearer.
void expect_nearest(const Neighbours& found, const Matrix& proximities, std::size_t n_neighbours,
                    bool is_training) {
  for (std::size_t point = 0; point < proximities.n_rows(); ++point) {
    std::vector<bool> taken(proximities.n_cols(), false);
    double last = 0;
    for (std::size_t place = 0; place < n_neighbours; ++place) {
      const auto row = static_cast<std::size_t>(found.rows[point * n_neighbours + place]);
      ASSERT_TRUE(row < taken.size() && !taken[row] && !(is_training && row == point));
      taken[row] = true;
      ASSERT_EQ(found.distances(point, place), 1 - proximities(point, row));
      ASSERT_GE(found.distances(point, place), last);
      last = found.distances(point, place);
    }
    for (std::size_t row = 0; row < taken.size(); ++row) {
      ASSERT_TRUE(taken[row] || (is_training && row == point) ||
                  1 - proximities(point, row) >= last);
    }
  }
}

class CountedNeighbours : public testing::TestWithParam<CountedTrees> {};

// Forests of 1 to 130 trees, so that the last word of bits is empty, full and in between; few trees leave pairs that none counts for.
TEST_P(CountedNeighbours, have_the_proximities_of_the_definition) {
  std::size_t n_uncounted = 0;
  for (const std::size_t n_trees : {1U, 3U, 63U, 64U, 65U, 130U}) {
    GeodesicForest forest = sample_geodesic_forest("H2 x S2", 70, n_trees, n_trees);
    forest.counted = GetParam();
    const Matrix points = forest.forest.columns.manifold().random(40, 0.8, 77);
    const NeighbourIndex index(std::make_shared<const GeodesicForest>(forest));
    const Matrix of_rows = naive_proximities(forest);
    const Matrix of_points = naive_proximities(forest, points);
    expect_equal(dense(index.training_proximities(), 70), of_rows);
    expect_equal(dense(index.proximities(points), 70), of_points);
    for (std::size_t row = 0; row < 70; ++row) {
      n_uncounted += of_rows(row, row) == 0 ? 1U : 0U;
      ASSERT_TRUE(of_rows(row, row) == 1 || of_rows(row, row) == 0);
      for (std::size_t other = 0; other < 70; ++other) {
        ASSERT_EQ(of_rows(row, other), of_rows(other, row));
      }
    }
    for (const std::size_t n_neighbours : {1U, 10U, 69U}) {
      expect_nearest(index.of_training_rows(n_neighbours), of_rows, n_neighbours, true);
      expect_nearest(index.of_points(points, n_neighbours), of_points, n_neighbours, false);
    }
    expect_nearest(index.of_points(points, 70), of_points, 70, false);
  }
  EXPECT_EQ(n_uncounted > 0, GetParam() != CountedTrees::all);
}

/// All that an index says of a small forest, against the definition.
void expect_definition(const GeodesicForest& forest) {
  const std::size_t n_rows = forest.n_rows;
  const Matrix points = forest.forest.columns.manifold().random(10, 0.8, 77);
  const NeighbourIndex index(std::make_shared<const GeodesicForest>(forest));
  const Matrix of_rows = naive_proximities(forest);
  const Matrix of_points = naive_proximities(forest, points);
  expect_equal(dense(index.training_proximities(), n_rows), of_rows);
  expect_equal(dense(index.proximities(points), n_rows), of_points);
  for (const std::size_t n_neighbours : {std::size_t{12}, n_rows - 1}) {
    expect_nearest(index.of_training_rows(n_neighbours), of_rows, n_neighbours, true);
    expect_nearest(index.of_points(points, n_neighbours), of_points, n_neighbours, false);
  }
  expect_nearest(index.of_points(points, n_rows), of_points, n_rows, false);
}

// Nodes above leaves count, too: those of at most 15 rows, and all. By their size, and by how doubtful their cut is; some then not at all.
TEST_P(CountedNeighbours, have_the_proximities_of_shared_nodes) {
  for (const std::size_t largest_node : {15U, 1000U}) {
    GeodesicForest forest = sample_geodesic_forest("H2 x S2", 40, 9, largest_node);
    forest.counted = GetParam();
    forest.largest_node = largest_node;
    expect_definition(forest);
    doubt_at_random(forest, 6);
    expect_definition(forest);
  }
}

TEST_P(CountedNeighbours, are_the_same_for_any_number_of_threads) {
  GeodesicForest forest = sample_geodesic_forest("E3", 300, 20, 5);
  forest.counted = GetParam();
  const NeighbourIndex index(std::make_shared<const GeodesicForest>(forest));
  const auto found = [&](std::size_t n_threads) {
    const ThreadLimit limit(n_threads);
    return index.of_training_rows(20).rows;
  };
  const auto serial = found(1);
  EXPECT_EQ(found(2), serial);
  EXPECT_EQ(found(8), serial);
}

INSTANTIATE_TEST_SUITE_P(Every, CountedNeighbours,
                         testing::Values(CountedTrees::all, CountedTrees::in_bag,
                                         CountedTrees::out_of_bag),
                         [](const auto& item) { return std::string(name(item.param)); });

/// A forest of one leaf: all rows are equally near.
GeodesicForest one_leaf(std::size_t n_rows, std::uint64_t seed) {
  GeodesicForest forest = sample_geodesic_forest("E1", n_rows, 1, 1, 0);
  forest.seed = seed;
  return forest;
}

TEST(TiedNeighbours, are_chosen_by_chance_and_not_by_number) {
  constexpr std::size_t n_rows = 200;
  constexpr std::size_t n_neighbours = 20;
  std::vector<double> counts(n_rows, 0.0);
  std::vector<double> halves(2, 0.0);
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const NeighbourIndex index(std::make_shared<const GeodesicForest>(one_leaf(n_rows, seed)));
    const Neighbours found = index.of_training_rows(n_neighbours);
    for (std::size_t place = 0; place < found.rows.size(); ++place) {
      counts[static_cast<std::size_t>(found.rows[place])] += 1;
      // Nor by how far away the number is.
      const auto point = static_cast<std::int64_t>(place / n_neighbours);
      halves[std::abs(found.rows[place] - point) < 50 ? 1 : 0] += 1;
    }
  }
  const double mean = 20.0 * n_neighbours;
  double chi_square = 0;
  for (const double count : counts) {
    chi_square += (count - mean) * (count - mean) / mean;
  }
  EXPECT_LT(chi_square, 199 + 5 * std::sqrt(2 * 199.0));
  // Of all pairs of different rows, the share with numbers less than 50 apart.
  double n_near = 0;
  for (int row = 0; row < 200; ++row) {
    n_near += std::min(row, 49) + std::min(199 - row, 49);
  }
  const double share = n_near / (200.0 * 199);
  const double n_all = halves[0] + halves[1];
  EXPECT_NEAR(halves[1] / n_all, share, 5 * std::sqrt(share * (1 - share) / n_all));
}

TEST(TiedNeighbours, are_others_for_another_seed_and_the_same_for_the_same) {
  const auto rows = [](std::uint64_t seed) {
    const NeighbourIndex index(std::make_shared<const GeodesicForest>(one_leaf(50, seed)));
    return index.of_training_rows(5).rows;
  };
  EXPECT_EQ(rows(1), rows(1));
  EXPECT_NE(rows(1), rows(2));
}

// More neighbours than share a leaf: the others come last, at distance 1, by chance as well.
TEST(FarNeighbours, fill_what_sharing_rows_leave) {
  GeodesicForest forest = sample_geodesic_forest("E2", 120, 2, 9);
  const NeighbourIndex index(std::make_shared<const GeodesicForest>(forest));
  const Neighbours found = index.of_training_rows(119);
  std::size_t n_far = 0;
  std::size_t n_ascending = 0;
  for (std::size_t row = 0; row < 120; ++row) {
    for (std::size_t place = 1; place < 119; ++place) {
      if (found.distances(row, place - 1) == 1) {
        ++n_far;
        n_ascending += found.rows[row * 119 + place - 1] < found.rows[row * 119 + place] ? 1U : 0U;
      }
    }
  }
  ASSERT_GT(n_far, 1000U);
  EXPECT_NEAR(static_cast<double>(n_ascending) / static_cast<double>(n_far), 0.5, 0.05);
}

TEST(NeighbourIndex, says_how_many_neighbours_there_can_be) {
  const NeighbourIndex index(
      std::make_shared<const GeodesicForest>(sample_geodesic_forest("E2", 20, 2, 9)));
  EXPECT_EQ(message_of([&] { (void)index.of_training_rows(20); }),
            "n_neighbors is 20, expected a number from 1 to 19, the rows besides one");
  EXPECT_EQ(message_of([&] { (void)index.of_points(Matrix(1, 2), 21); }),
            "n_neighbors is 21, expected a number from 1 to 20, the rows of the forest");
  EXPECT_EQ(message_of([&] { (void)index.of_training_rows(0); }),
            "n_neighbors is 0, expected a number from 1 to 19, the rows besides one");
  const NeighbourIndex lonely(
      std::make_shared<const GeodesicForest>(sample_geodesic_forest("E2", 1, 2, 9)));
  EXPECT_EQ(message_of([&] { (void)lonely.of_training_rows(1); }),
            "the forest has one row, which has no neighbours among its own rows");
}

TEST(NeighbourIndex, answers_no_points_with_nothing) {
  const NeighbourIndex index(
      std::make_shared<const GeodesicForest>(sample_geodesic_forest("E2", 20, 2, 9)));
  EXPECT_TRUE(index.of_points(Matrix(0, 2), 3).rows.empty());
  EXPECT_EQ(index.proximities(Matrix(0, 2)).row_offsets, std::vector<std::int64_t>{0});
}

}  // namespace
}  // namespace bentwood
