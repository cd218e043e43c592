#include "bentwood/infer/engine.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bentwood/base/parallel.hpp"
#include "bentwood/infer/reference.hpp"
#include "data/messages.hpp"
#include "model/random_forest.hpp"

namespace bentwood {
namespace {

/// Equal to the bit; EXPECT_EQ would take -0 for 0.
bool same_bits(MatrixView first, MatrixView second) {
  return first.n_rows() == second.n_rows() && first.n_cols() == second.n_cols() &&
         (first.n_rows() * first.n_cols() == 0 ||
          std::memcmp(first.data(), second.data(),
                      first.n_rows() * first.n_cols() * sizeof(double)) == 0);
}

struct Case {
  std::string_view name;
  RandomForestShape shape;
};

std::ostream& operator<<(std::ostream& out, const Case& item) { return out << item.name; }

std::vector<Case> cases() {
  const std::vector<ColumnFamily> pairs{ColumnFamily::geodesic, ColumnFamily::pairs};
  const auto ambient = Coordinates::ambient;
  return {
      {"lines", {"E3", ambient, {ColumnFamily::geodesic}, 5, 200, 3, 7}},
      {"circles", {"S3", ambient, {ColumnFamily::geodesic}, 5, 200, 3, 7}},
      {"both", {"H2 x S2 x E1", Coordinates::poincare, {ColumnFamily::geodesic}, 9, 60, 1, 40}},
      {"pairs", {"H3 x E2", ambient, pairs, 4, 100, 2, 5}},
      {"horospheres",
       {"H3(-2) x S1 x H2", Coordinates::poincare, {ColumnFamily::horosphere}, 6, 60, 2, 9}},
      {"horospheres_of_a_plane",
       {"H2(-0.5)", Coordinates::poincare, {ColumnFamily::horosphere}, 9, 200, 3, 9}},
      {"horospheres_of_a_space", {"H5", ambient, {ColumnFamily::horosphere}, 5, 100, 1, 9}},
      {"horospheres_of_one_of_two_factors",
       {"S1 x H3", ambient, {ColumnFamily::horosphere}, 5, 3, 1, 9}},
      {"all_families",
       {"H2 x E1",
        ambient,
        {ColumnFamily::geodesic, ColumnFamily::pairs, ColumnFamily::horosphere},
        6,
        60,
        2,
        9}},
      {"one_tree", {"H2", ambient, {ColumnFamily::geodesic}, 1, 300, 4, 5}},
      {"many_trees", {"E2", ambient, {ColumnFamily::geodesic}, 300, 10, 5, 5}},
      {"single_leaves", {"E2", ambient, {ColumnFamily::geodesic}, 7, 0, 6, 1}},
      {"more_than_256_columns", {"E300", ambient, {ColumnFamily::geodesic}, 3, 200, 9, 7}},
      {"more_than_4096_columns", {"E4200", ambient, {ColumnFamily::geodesic}, 3, 200, 2, 7}},
  };
}

class Engine : public testing::TestWithParam<Case> {
 protected:
  [[nodiscard]] Matrix points(std::size_t n_rows, std::uint64_t seed) const {
    return Manifold(GetParam().shape.signature, GetParam().shape.coordinates)
        .random(n_rows, 1.0, seed);
  }
};

// Half the thresholds lie on numbers of the rows or round to the same float32.
TEST_P(Engine, predicts_the_bits_of_the_plain_walk_for_any_number_of_rows_and_threads) {
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    const Matrix training = points(300, seed);
    const Predictor predictor(random_forest(GetParam().shape, training, seed));
    predictor.pack();
    for (const std::size_t n_rows : {0U, 1U, 2U, 7U, 255U, 256U, 257U, 300U}) {
      const MatrixView rows(training.data(), n_rows, training.n_cols());
      const Prediction expected = predict_values(predictor.forest(), rows);
      const Leaves leaves =
          apply_to_columns(predictor.forest(), predictor.forest().columns.values(rows));
      for (const std::size_t n_threads : {1U, 2U, 3U, 8U}) {
        const ThreadLimit limit(n_threads);
        EXPECT_TRUE(same_bits(predictor.values(rows).values, expected.values))
            << n_rows << " rows, " << n_threads << " threads";
        EXPECT_EQ(predictor.apply(rows).nodes, leaves.nodes);
      }
    }
  }
}

// The first rows walk plainly, the later ones through packed nodes.
TEST_P(Engine, predicts_the_same_bits_before_and_after_packing) {
  const Matrix training = points(100, 13);
  const Predictor predictor(random_forest(GetParam().shape, training, 13));
  const Matrix columns = predictor.forest().columns.values(training);
  const Matrix expected = predict_values(predictor.forest(), training).values;
  std::vector<double> found(predictor.forest().width());
  for (std::size_t time = 0; time < 3; ++time) {
    for (std::size_t row = 0; row < columns.n_rows(); ++row) {
      predictor.predict_row(columns.row(row), found);
      ASSERT_TRUE(std::ranges::equal(found, expected.row(row)));
    }
  }
}

TEST_P(Engine, follows_paths_from_root_to_leaf) {
  const Matrix training = points(60, 14);
  const Predictor predictor(random_forest(GetParam().shape, training, 14));
  const Matrix columns = predictor.forest().columns.values(training);
  const DecisionPaths paths = predictor.decision_paths(training);
  std::vector<std::uint64_t> expected;
  std::vector<std::uint64_t> offsets{0};
  for (std::size_t row = 0; row < columns.n_rows(); ++row) {
    std::uint64_t first = 0;
    for (const Tree& tree : predictor.forest().trees) {
      for (const std::uint32_t node :
           decision_path(tree, predictor.forest().columns.columns(), columns.row(row))) {
        expected.push_back(first + node);
      }
      first += tree.nodes.size();
    }
    offsets.push_back(expected.size());
  }
  EXPECT_EQ(paths.nodes, expected);
  EXPECT_EQ(paths.row_offsets, offsets);
}

TEST_P(Engine, predicts_one_row_like_many) {
  const Matrix training = points(200, 11);
  const Predictor predictor(random_forest(GetParam().shape, training, 11));
  predictor.pack();
  const Matrix rows = points(100, 12);
  for (const Matrix& some : {training, rows}) {
    const Matrix columns = predictor.forest().columns.values(some);
    const Matrix expected = predict_values(predictor.forest(), some).values;
    Matrix found(some.n_rows(), predictor.forest().width());
    for (std::size_t row = 0; row < some.n_rows(); ++row) {
      predictor.predict_row(columns.row(row), found.row(row));
    }
    EXPECT_TRUE(same_bits(found, expected));
  }
}

// Their sum over the trees is larger than any number.
TEST_P(Engine, predicts_finite_means_of_the_largest_values) {
  const Matrix training = points(100, 5);
  Forest forest = random_forest(GetParam().shape, training, 5);
  for (Tree& tree : forest.trees) {
    std::ranges::for_each(tree.values, [](double& value) { value = 1.7e308 - value * 1e308; });
  }
  const Predictor predictor(std::move(forest));
  predictor.pack();
  for (const std::size_t n_rows : {1U, 100U}) {
    const MatrixView rows(training.data(), n_rows, training.n_cols());
    const Matrix found = predictor.values(rows).values;
    EXPECT_TRUE(same_bits(found, predict_values(predictor.forest(), rows).values));
    for (std::size_t row = 0; row < n_rows; ++row) {
      for (const double mean : found.row(row)) {
        EXPECT_TRUE(mean >= 0.7e308 && mean <= 1.7e308) << mean;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Every, Engine, testing::ValuesIn(cases()),
                         [](const auto& item) { return std::string(item.param.name); });

TEST(EngineNumbers, keeps_apart_what_float32_does_not) {
  RandomForestShape shape{"E1", Coordinates::ambient, {ColumnFamily::geodesic}, 0, 0, 1, 2};
  // Zeros of both signs, numbers beyond float32 and below it, neighbours in float64.
  const std::vector<double> numbers{0.0,   -0.0,   1e-320, -1e-320, 1e-50,     -1e-50,    1e300,
                                    1e301, -1e300, -1e301, 1.0,     1 + 1e-15, 1 - 1e-15, 0.1};
  for (const double threshold : numbers) {
    Forest forest = random_forest(shape, Matrix(1, 1), 0);
    Tree tree;
    tree.nodes = {{threshold, 0, 1}, {0, TreeNode::leaf, 0}, {0, TreeNode::leaf, 1}};
    tree.weights = {2, 1, 1};
    tree.width = 1;
    tree.values = {-1, 1};
    forest.trees = {tree};
    const Predictor predictor(std::move(forest));
    predictor.pack();
    const Matrix rows(numbers.size(), 1, numbers);
    const Matrix found = predictor.values(rows).values;
    for (std::size_t row = 0; row < numbers.size(); ++row) {
      EXPECT_EQ(found(row, 0), numbers[row] <= threshold ? -1 : 1)
          << numbers[row] << " against " << threshold;
    }
  }
}

TEST(EngineNumbers, projects_and_counts_like_the_plain_walk) {
  RandomForestShape shape;
  shape.signature = "S2";
  Forest forest = random_forest(shape, Matrix(1, 3, {1, 0, 0}), 1);
  forest.off_manifold = OffManifold::project;
  const Predictor predictor(std::make_shared<const Forest>(std::move(forest)));
  const Matrix points(2, 3, {1, 0, 0, 3, 0, 4});
  EXPECT_EQ(predictor.values(points).n_projected, 1U);
  EXPECT_EQ(predictor.values(points).largest_residual, 4);
  EXPECT_EQ(predictor.apply(points).n_projected, 1U);
  EXPECT_EQ(predictor.decision_paths(points).n_projected, 1U);
  EXPECT_TRUE(same_bits(predictor.values(points).values,
                        predict_values(predictor.forest(), points).values));
}

TEST(EngineNumbers, refuses_what_does_not_fit) {
  RandomForestShape shape;
  const Predictor predictor(random_forest(shape, Matrix(1, 3), 1));
  std::vector<double> row(2);
  std::vector<double> out(3);
  EXPECT_EQ(message_of([&] { predictor.predict_row(row, out); }),
            "2 columns and 3 values, the model has 3 and 3");
  EXPECT_EQ(message_of([&] { (void)predictor.values_of_columns(Matrix(1, 2)); }),
            "the rows have 2 columns, the model cuts 3");
  shape.n_trees = 0;
  EXPECT_EQ(message_of([&] { Predictor{random_forest(shape, Matrix(1, 3), 1)}; }),
            "the forest has no trees");
}

}  // namespace
}  // namespace bentwood
