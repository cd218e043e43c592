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

struct WalkCase {
  const char* name;
  const char* signature;
  std::vector<ColumnFamily> families{ColumnFamily::geodesic};
  bool sums = false;
};

std::ostream& operator<<(std::ostream& out, const WalkCase& item) { return out << item.name; }

class Walk : public testing::TestWithParam<WalkCase> {
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

  RandomForestShape shape_{
      GetParam().signature, Coordinates::ambient, GetParam().families, 40, 400, 2, 3,
      GetParam().sums};
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
        ASSERT_EQ(packed_.leaf_numbers[best[lane]], expected(tree, lane));
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
      ASSERT_EQ(packed_.leaf_numbers[best[lane]], expected(first + lane, row));
      ASSERT_EQ(plain[lane], best[lane]);
    }
  }
}

const std::vector<ColumnFamily> horospheres{ColumnFamily::horosphere};
const std::vector<ColumnFamily> all_families{ColumnFamily::geodesic, ColumnFamily::pairs,
                                             ColumnFamily::horosphere, ColumnFamily::chordal};

// Few and many columns, whose keys are looked up in one to eight registers or in memory; lines, circles, and columns that trees have made.
INSTANTIATE_TEST_SUITE_P(
    Every, Walk,
    testing::Values(WalkCase{"E3", "E3"}, WalkCase{"S3", "S3"}, WalkCase{"E10", "E10"},
                    WalkCase{"E20", "E20"}, WalkCase{"S20", "S20"}, WalkCase{"E30", "E30"},
                    WalkCase{"E45", "E45"}, WalkCase{"S60", "S60"}, WalkCase{"E300", "E300"},
                    WalkCase{"S300", "S300"}, WalkCase{"horospheres", "H2", horospheres},
                    WalkCase{"horospheres_of_two_factors", "H2 x H3", horospheres},
                    WalkCase{"sums", "E5", {ColumnFamily::geodesic}, true},
                    WalkCase{"all_families", "H3 x S2 x H2", all_families, true}),
    [](const auto& item) { return std::string(item.param.name); });

TEST(PackedForest, keeps_every_node_once) {
  const RandomForestShape shape{"E3", Coordinates::ambient, {ColumnFamily::geodesic}, 20, 100, 1,
                                3};
  const Forest forest = random_forest(shape, Manifold("E3").random(50, 1.0, 1), 1);
  const PackedForest packed = pack(forest);
  for (std::size_t tree = 0; tree < forest.trees.size(); ++tree) {
    std::vector<int> n_times(forest.trees[tree].nodes.size(), 0);
    const std::uint32_t end = tree + 1 < packed.roots.size()
                                  ? packed.roots[tree + 1]
                                  : static_cast<std::uint32_t>(packed.blocks.size());
    for (std::uint32_t number = packed.roots[tree]; number < end; ++number) {
      const PackedBlock& block = packed.blocks[number];
      for (unsigned node = 0; node + 1 < block.n_exits; ++node) {
        ++n_times[packed.node_numbers[number * PackedBlock::most_nodes + node]];
      }
      for (unsigned exit = 0; exit < block.n_exits; ++exit) {
        if (((block.inner >> exit) & 1U) == 0) {
          ++n_times[packed.leaf_numbers[number * PackedBlock::most_exits + exit]];
        }
      }
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
  predictor.pack();
  const Matrix columns = predictor.forest().columns.values(points);
  std::array<double, 2> out{};
  predictor.predict_row(columns.row(0), out);  // this thread's first
  largest_allocation() = 0;
  for (std::size_t row = 0; row < columns.n_rows(); ++row) {
    predictor.predict_row(columns.row(row), out);
  }
  EXPECT_EQ(largest_allocation(), 0U);
}

}  // namespace
}  // namespace bentwood
