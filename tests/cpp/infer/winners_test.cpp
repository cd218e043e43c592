#include "bentwood/infer/winners.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "bentwood/base/parallel.hpp"
#include "bentwood/infer/engine.hpp"
#include "bentwood/infer/reference.hpp"
#include "model/random_forest.hpp"

namespace bentwood {
namespace {

constexpr std::size_t n_classes = 700;

/// A forest of many classes, dense and sparse: a few classes in each leaf, often equally many rows of them, so that there are ties.
struct Both {
  Forest dense;
  Forest sparse;
};

Both random_forests(std::string_view signature, const std::vector<ColumnFamily>& families,
                    const Matrix& data, std::uint64_t seed) {
  const RandomForestShape shape{.signature = signature,
                                .families = families,
                                .n_trees = 5,
                                .n_splits = 30,
                                .width = n_classes,
                                .n_value_rows = 12};
  Both both{random_forest(shape, data, seed), random_forest(shape, data, seed)};
  Random random(seed, 5);
  for (std::size_t tree = 0; tree < both.dense.trees.size(); ++tree) {
    std::vector<double>& values = both.dense.trees[tree].values;
    std::ranges::fill(values, 0.0);
    for (std::size_t row = 0; row < values.size() / n_classes; ++row) {
      const std::size_t n_there = 1 + random.below(4);
      for (std::size_t number = 0; number < n_there; ++number) {
        values[row * n_classes + (random.below(2) == 0 ? random.below(n_classes) : number)] +=
            1 / static_cast<double>(n_there);
      }
    }
    both.sparse.trees[tree].values = values;
    both.sparse.trees[tree] = with_sparse_values(std::move(both.sparse.trees[tree]));
  }
  std::vector<std::int64_t> classes(n_classes);
  std::iota(classes.begin(), classes.end(), std::int64_t{0});
  for (Forest* const forest : {&both.dense, &both.sparse}) {
    forest->task = Task::classification;
    forest->classes = classes;
  }
  return both;
}

void expect_equal(const Matrix& found, const Matrix& expected) {
  ASSERT_EQ(found.n_rows(), expected.n_rows());
  ASSERT_TRUE(
      std::equal(found.data(), found.data() + found.n_rows() * found.n_cols(), expected.data()));
}

class SparseForest
    : public testing::TestWithParam<std::pair<std::string_view, std::vector<ColumnFamily>>> {};

TEST_P(SparseForest, says_what_the_dense_one_says_to_the_bit) {
  const auto& [signature, families] = GetParam();
  const Manifold manifold(signature);
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    const Matrix data = manifold.random(400, 0.7, seed);
    const Both both = random_forests(signature, families, data, seed);
    const Predictor dense(both.dense);
    const Predictor sparse(both.sparse);
    const Matrix expected = predict_values(both.dense, data).values;
    expect_equal(predict_values(both.sparse, data).values, expected);
    expect_equal(sparse.values(data).values, expected);
    EXPECT_EQ(sparse.winners(data).classes, winners(expected));
    EXPECT_EQ(dense.winners(data).classes, winners(expected));
    EXPECT_EQ(winners(both.sparse, sparse.apply(data)), winners(expected));
    const Matrix columns = inputs(both.sparse.columns, both.sparse.off_manifold, data).columns;
    std::vector<double> row(n_classes);
    sparse.predict_row(columns.row(3), row);
    EXPECT_TRUE(std::ranges::equal(row, expected.row(3)));
    const ThreadLimit limit(1);
    EXPECT_EQ(sparse.winners(data).classes, winners(expected));
  }
}

INSTANTIATE_TEST_SUITE_P(Every, SparseForest,
                         testing::Values(std::pair("H2 x S1", std::vector{ColumnFamily::geodesic}),
                                         std::pair("H2", std::vector{ColumnFamily::horosphere}),
                                         std::pair("H2 x E1",
                                                   std::vector{ColumnFamily::geodesic,
                                                               ColumnFamily::horosphere})));

TEST(Winners, are_the_first_of_equal_ones) {
  EXPECT_EQ(winners(Matrix(3, 3, {0, 0.5, 0.5, 1, 0, 0, 0.2, 0.2, 0.6})),
            (std::vector<std::int64_t>{1, 0, 2}));
}

}  // namespace
}  // namespace bentwood
