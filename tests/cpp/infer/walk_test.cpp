#include "bentwood/infer/walk.hpp"

#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "bentwood/infer/engine.hpp"
#include "bentwood/infer/reference.hpp"
#include "data/allocation.hpp"
#include "model/random_forest.hpp"

namespace bentwood {
namespace {

class Walk : public testing::TestWithParam<const char*> {
 protected:
  Walk() {
    for (std::size_t row = 0; row < rows_.n_rows(); ++row) {
      row_keys(forest_.columns.columns(), packed_.circles, std::as_const(rows_).row(row),
               keys_.data() + row * packed_.n_keys());
    }
  }

  /// Where the plain walk of the definition arrives.
  [[nodiscard]] std::uint32_t expected(std::size_t tree, std::size_t row) const {
    return leaf_of(forest_.trees[tree], forest_.columns.columns(), rows_.row(row));
  }
  [[nodiscard]] std::uint32_t number(std::size_t tree, std::uint32_t slot) const {
    return packed_.numbers[packed_.tree_begins[tree] + slot];
  }

  RandomForestShape shape_{GetParam(), Coordinates::ambient, {ColumnFamily::geodesic}, 40, 400, 2,
                           3};
  Matrix points_ = Manifold(shape_.signature).random(most_lanes, 1.0, 5);
  Forest forest_ = random_forest(shape_, points_, 5);
  PackedForest packed_ = pack(forest_);
  Matrix rows_ = forest_.columns.values(points_);
  std::vector<std::int32_t> keys_ = std::vector<std::int32_t>(rows_.n_rows() * packed_.n_keys());
};

// The machine that runs this may have SIMD; both ways must arrive where the definition does.
TEST_P(Walk, takes_rows_to_their_leaves_with_simd_and_without) {
  for (const std::size_t n_lanes : {1U, 15U, 16U, 17U, 64U, 100U, 256U}) {
    for (std::size_t tree = 0; tree < forest_.trees.size(); ++tree) {
      const Lanes lanes{forest_, packed_, n_lanes, tree, keys_.data(), rows_, false};
      std::array<std::uint32_t, most_lanes> best;
      std::array<std::uint32_t, most_lanes> plain;
      walk(lanes, best.data());
      walk_plain(lanes, plain.data());
      for (std::size_t lane = 0; lane < n_lanes; ++lane) {
        ASSERT_EQ(number(tree, best[lane]), expected(tree, lane));
        ASSERT_EQ(plain[lane], best[lane]);
      }
    }
  }
}

TEST_P(Walk, takes_one_row_through_many_trees_with_simd_and_without) {
  for (std::size_t row = 0; row < rows_.n_rows(); ++row) {
    const std::size_t first = row % 7;
    const std::size_t n_lanes = forest_.trees.size() - first;
    const Lanes lanes{forest_,
                      packed_,
                      n_lanes,
                      first,
                      keys_.data() + row * packed_.n_keys(),
                      MatrixView(std::as_const(rows_).row(row).data(), 1, rows_.n_cols()),
                      true};
    std::array<std::uint32_t, most_lanes> best;
    std::array<std::uint32_t, most_lanes> plain;
    walk(lanes, best.data());
    walk_plain(lanes, plain.data());
    for (std::size_t lane = 0; lane < n_lanes; ++lane) {
      ASSERT_EQ(number(first + lane, best[lane]), expected(first + lane, row));
      ASSERT_EQ(plain[lane], best[lane]);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Every, Walk, testing::Values("E3", "S3", "E20", "S20", "E300", "S300"),
                         [](const auto& item) { return std::string(item.param); });

TEST(PackedForest, keeps_every_node_once) {
  const RandomForestShape shape{"E3", Coordinates::ambient, {ColumnFamily::geodesic}, 20, 100, 1,
                                3};
  const Forest forest = random_forest(shape, Manifold("E3").random(50, 1.0, 1), 1);
  const PackedForest packed = pack(forest);
  for (std::size_t tree = 0; tree < forest.trees.size(); ++tree) {
    std::vector<int> n_times(forest.trees[tree].nodes.size(), 0);
    const std::size_t begin = packed.tree_begins[tree];
    // The place beside the root is empty.
    for (std::size_t slot = 0; slot <= n_times.size(); ++slot) {
      n_times[packed.numbers[begin + slot]] += slot == 1 ? 0 : 1;
    }
    EXPECT_EQ(n_times, std::vector<int>(n_times.size(), 1));
  }
}

TEST(PackedForest, orders_keys_as_their_numbers) {
  Random random(1);
  for (int item = 0; item < 100'000; ++item) {
    const double x = random.normal() * std::pow(10.0, 20 * random.normal());
    const double y = item % 2 == 0 ? x * (1 + 1e-7 * random.normal()) : random.normal();
    if (x < y) {
      ASSERT_LE(order_key(x), order_key(y));
    } else {
      ASSERT_GE(order_key(x), order_key(y));
    }
  }
  EXPECT_EQ(order_key(0.0), order_key(-0.0));
  EXPECT_LT(order_key(-1e-30), order_key(1e-30));
}

TEST(PredictRow, allocates_nothing) {
  const RandomForestShape shape{
      "H2 x S2", Coordinates::ambient, {ColumnFamily::geodesic}, 300, 50, 2, 3};
  const Matrix points = Manifold(shape.signature).random(50, 0.5, 1);
  const Predictor predictor(random_forest(shape, points, 1));
  const Matrix columns = predictor.forest().columns.values(points);
  std::array<double, 2> out{};
  largest_allocation() = 0;
  for (std::size_t row = 0; row < columns.n_rows(); ++row) {
    predictor.predict_row(columns.row(row), out);
  }
  EXPECT_EQ(largest_allocation(), 0U);
}

}  // namespace
}  // namespace bentwood
