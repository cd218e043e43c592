#include "bentwood/geometry/manifold.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "bentwood/base/error.hpp"
#include "bentwood/base/parallel.hpp"

namespace bentwood {
namespace {

std::vector<double> values(const Matrix& matrix) {
  return {matrix.data(), matrix.data() + matrix.n_rows() * matrix.n_cols()};
}

/// The laws run on every kind of factor and a product, in all coordinates. Klein coordinates cover half a
/// sphere, hence the small spread there.
class ManifoldLaws : public testing::TestWithParam<std::tuple<std::string, Coordinates>> {
 protected:
  Manifold manifold_{std::get<0>(GetParam()), std::get<1>(GetParam())};
  double spread_ = std::get<1>(GetParam()) == Coordinates::klein ? 0.1 : 0.5;
  Matrix x_ = manifold_.random(300, spread_, 1);
  Matrix y_ = manifold_.random(300, spread_, 2);
};

TEST_P(ManifoldLaws, distance_is_symmetric_to_the_bit_and_exactly_zero_at_home) {
  EXPECT_EQ(manifold_.distance(x_, y_), manifold_.distance(y_, x_));
  for (const double distance : manifold_.distance(x_, x_)) {
    EXPECT_EQ(distance, 0);
  }
}

TEST_P(ManifoldLaws, all_pairs_are_the_rowwise_distances) {
  const Matrix pairs = manifold_.pairwise_distance(x_, y_);
  const std::vector<double> rowwise = manifold_.distance(x_, y_);
  for (std::size_t row = 0; row < x_.n_rows(); ++row) {
    EXPECT_EQ(pairs(row, row), rowwise[row]);
  }
  const Matrix own = manifold_.pairwise_distance(x_, x_);
  for (std::size_t row = 0; row < x_.n_rows(); ++row) {
    EXPECT_EQ(own(row, row), 0);
    for (std::size_t column = 0; column < row; ++column) {
      EXPECT_EQ(own(row, column), own(column, row));
    }
  }
}

TEST_P(ManifoldLaws, exp_undoes_log) {
  const Matrix there = manifold_.exp(x_, manifold_.log(x_, y_));
  for (const double distance : manifold_.distance(there, y_)) {
    EXPECT_NEAR(distance, 0, 1e-12);
  }
}

TEST_P(ManifoldLaws, midpoints_are_equidistant) {
  const Matrix middle = manifold_.midpoint(x_, y_);
  const std::vector<double> first = manifold_.distance(x_, middle);
  const std::vector<double> second = manifold_.distance(middle, y_);
  const std::vector<double> whole = manifold_.distance(x_, y_);
  for (std::size_t row = 0; row < first.size(); ++row) {
    EXPECT_NEAR(first[row], second[row], 1e-12);
    EXPECT_NEAR(first[row] + second[row], whole[row], 1e-12);
  }
}

TEST_P(ManifoldLaws, conversions_to_the_ambient_space_and_back_return) {
  const Coordinates own = manifold_.coordinates();
  const Matrix ambient = manifold_.convert(x_, own, Coordinates::ambient);
  const Matrix back = manifold_.convert(ambient, Coordinates::ambient, own);
  for (std::size_t row = 0; row < x_.n_rows(); ++row) {
    for (std::size_t column = 0; column < x_.n_cols(); ++column) {
      EXPECT_NEAR(back(row, column), x_(row, column), 1e-13);
    }
  }
}

TEST_P(ManifoldLaws, threads_change_no_bit) {
  std::vector<std::vector<double>> results;
  for (const std::size_t n_threads : {1U, 2U, 3U, 8U}) {
    const ThreadLimit limit(n_threads);
    const Matrix x = manifold_.random(9000, spread_, 1);
    std::vector<double> all = values(manifold_.natural_coordinates(x));
    const std::vector<double> mean = values(manifold_.mean(x));
    all.insert(all.end(), mean.begin(), mean.end());
    results.push_back(all);
  }
  for (const auto& result : results) {
    EXPECT_EQ(result, results.front());
  }
}

INSTANTIATE_TEST_SUITE_P(EveryManifold, ManifoldLaws,
                         testing::Combine(testing::Values("H1", "H2", "H7(-0.3)", "S1", "S3(0.5)",
                                                          "E3", "H2(-0.5) x S2 x E1"),
                                          testing::Values(Coordinates::ambient,
                                                          Coordinates::poincare, Coordinates::klein,
                                                          Coordinates::tangent)));

TEST(Manifold, measures_the_textbook_distance_in_the_disk) {
  const Manifold disk("H2", Coordinates::poincare);
  const Matrix origin(1, 2);
  const Matrix half(1, 2, {0.5, 0.0});
  EXPECT_DOUBLE_EQ(disk.distance(origin, half)[0], std::log(3.0));
}

// Large results are written past the caches, by squares of rows and columns; those of one set are mirrored.
TEST(Manifold, measures_large_sets_as_it_does_small_ones) {
  const Manifold manifold("H2 x S2");
  const Matrix x = manifold.random(777, 0.5, 1);
  const Matrix y = manifold.random(779, 0.5, 2);
  for (const auto& [others, pairs] : {std::pair(x, manifold.pairwise_distance(x, x)),
                                      std::pair(y, manifold.pairwise_distance(x, y))}) {
    for (std::size_t column = 0; column < others.n_rows(); column += 7) {
      const MatrixView one(others.row(column).data(), 1, others.n_cols());
      const Matrix expected = manifold.pairwise_distance(x, one);
      for (std::size_t row = 0; row < x.n_rows(); ++row) {
        ASSERT_EQ(pairs(row, column), expected(row, 0)) << row << ", " << column;
      }
    }
  }
}

TEST(Manifold, names_its_natural_columns_after_the_factors) {
  const std::vector<std::string> expected{"h1.rapidity1", "h1.rapidity2", "s2.angle1", "e3.x1"};
  EXPECT_EQ(Manifold("H2 x S1 x E1").natural_names(), expected);
}

TEST(Manifold, names_the_first_row_off_the_manifold) {
  const Manifold manifold("H1");
  const Matrix points(2, 2, {1, 0, 2, 0});
  try {
    static_cast<void>(manifold.natural_coordinates(points));
    FAIL();
  } catch (const InvalidInput& error) {
    EXPECT_STREQ(
        error.what(),
        "row 1: off the hyperboloid H1: <x,x> = -4, expected -1 (x_0 = 2, expected 1 within "
        "2.8e-14 of it); 1 row is off; project the points first");
  }
}

TEST(Manifold, takes_float32_points_at_their_own_precision) {
  const Manifold manifold("H2");
  const Matrix exact = manifold.random(100, 1.0, 3);
  Matrix rounded = exact;
  for (std::size_t row = 0; row < rounded.n_rows(); ++row) {
    for (double& value : rounded.row(row)) {
      value = static_cast<double>(static_cast<float>(value));
    }
  }
  EXPECT_THROW(static_cast<void>(manifold.radii(rounded)), InvalidInput);
  EXPECT_NO_THROW(static_cast<void>(manifold.radii({rounded, Precision::float32})));
}

TEST(Manifold, stops_when_the_user_asks) {
  const Manifold manifold("H2");
  const Matrix points = manifold.random(20'000, 1.0, 3);
  const InterruptCheck check([] { return true; });
  EXPECT_THROW(static_cast<void>(manifold.pairwise_distance(points, points)), Interrupted);
}

}  // namespace
}  // namespace bentwood
