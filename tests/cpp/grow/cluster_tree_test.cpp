#include "bentwood/grow/cluster_tree.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "bentwood/base/random.hpp"
#include "bentwood/infer/reference.hpp"
#include "bentwood/model/tree.hpp"
#include "repetitions.hpp"
#include "split/cluster_columns.hpp"

namespace bentwood {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// A curve in the first three columns, a column of whole numbers, one of clusters, a constant one, and noise.
Matrix curve_and_noise(std::size_t n_rows, std::uint64_t seed) {
  Random random(seed);
  Matrix points(n_rows, 7);
  for (std::size_t row = 0; row < n_rows; ++row) {
    const double time = 6 * random.uniform();
    points(row, 0) = time;
    points(row, 1) = 5 * std::cos(time) + 0.01 * random.normal();
    points(row, 2) = 100 * std::sin(time);
    points(row, 3) = static_cast<double>(random.below(6));
    points(row, 4) = random.normal() + (random.below(2) == 0 ? 8 : 0);
    points(row, 5) = 2.5;
    points(row, 6) = random.normal();
  }
  return points;
}

std::vector<std::uint32_t> drawn_bits(std::size_t n_rows, std::uint64_t seed, bool all = false) {
  std::vector<std::uint32_t> words((n_rows + 31) / 32, 0);
  Random random(seed);
  for (std::size_t row = 0; row < n_rows; ++row) {
    words[row / 32] |= (all || row == 0 || random.below(3) > 0 ? 1U : 0U) << (row % 32);
  }
  return words;
}

struct Grown {
  Tree tree;
  std::vector<double> importances;
  std::vector<double> doubts;
  /// The drawn rows that pass every node, by the plain walk.
  std::vector<std::vector<std::size_t>> rows;
};

Grown grow(const Matrix& points, const ClusterOptions& options,
           const std::vector<std::uint32_t>& drawn, std::uint64_t seed) {
  const std::vector<Column> columns(points.n_cols());
  const RankedColumns ranked(points, columns);
  const ClusterSoil soil(ranked);
  ClusterTreeGrower grower(soil, options);
  // A grower is used again and again: what it grew before must not matter.
  (void)grower.grow(drawn_bits(points.n_rows(), 99), 1234);
  GrownClusters found = grower.grow(drawn, seed);
  Grown result{
      std::move(found.grown.tree), std::move(found.grown.importances), std::move(found.doubts), {}};
  result.rows.resize(result.tree.nodes.size());
  for (std::size_t row = 0; row < points.n_rows(); ++row) {
    if (((drawn[row / 32] >> (row % 32)) & 1U) != 0) {
      for (const std::uint32_t node : decision_path(result.tree, columns, points.row(row))) {
        result.rows[node].push_back(row);
      }
    }
  }
  return result;
}

/// The numbers of rows in what a node cuts, ascending.
std::vector<double> cut_values(const Grown& grown, const Matrix& points, std::size_t node) {
  std::vector<double> values;
  const auto column = static_cast<std::size_t>(grown.tree.nodes[node].column);
  for (const std::size_t row : grown.rows[node]) {
    values.push_back(column < points.n_cols()
                         ? points(row, column)
                         : grown.tree.own.value(column - points.n_cols(), points.row(row).data()));
  }
  std::ranges::sort(values);
  return values;
}

struct Kind {
  Projection projection;
  ClusterCriterion criterion;
  double temperature;
};

class ClusterTrees : public testing::TestWithParam<Kind> {
 protected:
  [[nodiscard]] static ClusterOptions options() {
    ClusterOptions result;
    result.projection = GetParam().projection;
    result.criterion = GetParam().criterion;
    result.temperature = GetParam().temperature;
    result.min_samples_split = 40;
    result.density = 0.4;
    return result;
  }
};

TEST_P(ClusterTrees, send_every_row_where_it_was_when_they_grew) {
  for (std::uint64_t seed = 0; seed < repetitions(10); ++seed) {
    const Matrix points = curve_and_noise(700, seed);
    const auto drawn = drawn_bits(700, seed + 50);
    const Grown grown = grow(points, options(), drawn, seed);
    ASSERT_NO_THROW(check_tree(grown.tree, std::vector<Column>(7), {}));
    const auto n_all = static_cast<double>(grown.rows[0].size());
    EXPECT_GT(grown.tree.nodes.size(), 10U);
    for (std::size_t node = 0; node < grown.tree.nodes.size(); ++node) {
      const auto n = static_cast<double>(grown.rows[node].size());
      ASSERT_EQ(grown.tree.weights[node], n);
      if (grown.tree.nodes[node].is_leaf()) {
        ASSERT_EQ(grown.tree.values[grown.tree.nodes[node].child], n / n_all);
      }
    }
  }
}

TEST_P(ClusterTrees, keep_their_limits_at_every_cut) {
  for (std::uint64_t seed = 0; seed < repetitions(10); ++seed) {
    const Matrix points = curve_and_noise(500, seed + 10);
    ClusterOptions limited = options();
    limited.limits = {.min_rows = 7, .min_share = 0.2};
    limited.max_depth = 4;
    const Grown grown = grow(points, limited, drawn_bits(500, seed), seed);
    EXPECT_LE(depth(grown.tree), 4U);
    double n_divided = 0;
    for (std::size_t node = 0; node < grown.tree.nodes.size(); ++node) {
      if (grown.tree.nodes[node].is_leaf()) {
        continue;
      }
      ASSERT_GE(grown.rows[node].size(), 40U);
      const std::vector<double> values = cut_values(grown, points, node);
      const std::size_t n_left = grown.rows[grown.tree.nodes[node].child].size();
      ASSERT_TRUE(may_cut(values, n_left, limited.limits)) << node;
      // Anything between the two values would do; the threshold is as far from both as can be.
      const double threshold = grown.tree.nodes[node].threshold;
      ASSERT_NEAR(threshold, (values[n_left - 1] + values[n_left]) / 2,
                  1e-12 * (1 + std::abs(threshold)));
      n_divided += static_cast<double>(grown.rows[node].size());
    }
    double sum = 0;
    for (const double importance : grown.importances) {
      sum += importance;
    }
    EXPECT_NEAR(sum, n_divided, 1e-9 * n_divided);
    // Nothing can be cut in a constant column.
    EXPECT_EQ(GetParam().projection == Projection::sparse ? 0 : grown.importances[5], 0);
  }
}

// Whatever the criterion, by the Gaussians of the two parts: 1/(1 + exp(-2 - d/0.6)), d the difference of their BIC to that of one, a row.
TEST_P(ClusterTrees, doubt_their_cuts_by_the_gaussians_of_the_parts) {
  const Matrix points = curve_and_noise(600, 21);
  const Grown grown = grow(points, options(), drawn_bits(600, 22), 23);
  ASSERT_EQ(grown.doubts.size(), grown.tree.nodes.size());
  double least = 1;
  double most = 0;
  for (std::size_t node = 0; node < grown.tree.nodes.size(); ++node) {
    if (grown.tree.nodes[node].is_leaf()) {
      ASSERT_EQ(grown.doubts[node], 1);
      continue;
    }
    const std::vector<double> values = cut_values(grown, points, node);
    const NaiveBics bics = naive_bics(values, grown.rows[grown.tree.nodes[node].child].size());
    const auto difference = static_cast<double>(std::min(bics.different, bics.equal) - bics.one) /
                            static_cast<double>(values.size());
    ASSERT_NEAR(grown.doubts[node], 1 / (1 + std::exp(-2 - difference / 0.6)), 1e-9);
    least = std::min(least, grown.doubts[node]);
    most = std::max(most, grown.doubts[node]);
  }
  // They tell clusters from what is even.
  EXPECT_LT(least, 0.7);
  EXPECT_GT(most, 0.8);
}

// The same rows in the same places, whatever unit a column is measured in: powers of two, which do not round.
TEST_P(ClusterTrees, do_not_know_the_scale_of_columns) {
  if (GetParam().projection == Projection::sparse ||
      GetParam().criterion == ClusterCriterion::fast_bic_raw) {
    GTEST_SKIP() << "sums of columns as they are, and raw BICs, know it by their definition";
  }
  const Matrix points = curve_and_noise(600, 3);
  const auto drawn = drawn_bits(600, 4);
  Matrix scaled(600, 7);
  constexpr std::array<int, 7> exponents{0, -300, 17, 250, -3, 9, -40};
  for (std::size_t row = 0; row < 600; ++row) {
    for (std::size_t column = 0; column < 7; ++column) {
      scaled(row, column) = std::ldexp(points(row, column), exponents.at(column));
    }
  }
  const Grown grown = grow(points, options(), drawn, 5);
  const Grown again = grow(scaled, options(), drawn, 5);
  EXPECT_EQ(grown.rows, again.rows);
  EXPECT_EQ(grown.importances, again.importances);
}

TEST_P(ClusterTrees, take_the_best_cut_at_temperature_0) {
  if (GetParam().criterion == ClusterCriterion::em_bic) {
    GTEST_SKIP() << "a mixture has one cut";
  }
  ClusterOptions cold = options();
  cold.temperature = 0;
  const Matrix points = curve_and_noise(400, 6);
  const Grown grown = grow(points, cold, drawn_bits(400, 6), 7);
  for (std::size_t node = 0; node < grown.tree.nodes.size(); ++node) {
    if (grown.tree.nodes[node].is_leaf()) {
      continue;
    }
    const std::size_t n_left = grown.rows[grown.tree.nodes[node].child].size();
    const auto score = [&](const std::vector<double>& values, std::size_t cut) {
      const NaiveBics bics = naive_bics(values, cut);
      if (cold.criterion == ClusterCriterion::two_means) {
        return static_cast<double>(bics.two_means);
      }
      const bool raw = cold.criterion == ClusterCriterion::fast_bic_raw;
      return static_cast<double>(std::min(bics.different, bics.equal) - (raw ? 0 : bics.one));
    };
    const auto best_of = [&](const std::vector<double>& values) {
      double best = infinity;
      for (std::size_t cut = 1; cut < values.size(); ++cut) {
        if (may_cut(values, cut, cold.limits)) {
          best = std::min(best, score(values, cut));
        }
      }
      return best;
    };
    const std::vector<double> values = cut_values(grown, points, node);
    const double found = score(values, n_left);
    ASSERT_NEAR(found, best_of(values), 1e-8 * (1 + std::abs(found)));
    // Of the columns alone the best is taken, too.
    for (std::size_t column = 0; column < 7 && cold.projection == Projection::axis; ++column) {
      std::vector<double> others;
      for (const std::size_t row : grown.rows[node]) {
        others.push_back(points(row, column));
      }
      std::ranges::sort(others);
      ASSERT_LE(found, best_of(others) + 1e-8 * (1 + std::abs(found)));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Every, ClusterTrees,
                         testing::Values(Kind{Projection::guided, ClusterCriterion::fast_bic, 0.1},
                                         Kind{Projection::guided, ClusterCriterion::two_means, 0},
                                         Kind{Projection::guided, ClusterCriterion::em_bic, 0.1},
                                         Kind{Projection::sparse, ClusterCriterion::fast_bic, 0.1},
                                         Kind{Projection::sparse, ClusterCriterion::fast_bic_raw,
                                              0},
                                         Kind{Projection::axis, ClusterCriterion::fast_bic, 0.5},
                                         Kind{Projection::axis, ClusterCriterion::two_means, 0}),
                         [](const auto& item) {
                           return std::string(name(item.param.projection)) + "_" +
                                  std::string(name(item.param.criterion)) +
                                  std::to_string(item.index);
                         });

// Numbers next to the largest and the smallest that there are: what is grown is a tree, with finite coefficients and thresholds.
TEST(ClusterTreesOfExtremes, are_whole) {
  const Matrix points = curve_and_noise(400, 8);
  for (const double scale : {5e-324, 1e-315, 1e-309, 1e-300, 1e300, 1e306}) {
    for (const Projection projection : {Projection::guided, Projection::sparse, Projection::axis}) {
      Matrix extreme(400, 7);
      for (std::size_t row = 0; row < 400; ++row) {
        for (std::size_t column = 0; column < 7; ++column) {
          // Centred, so that the ranges of some columns overflow; one column keeps its scale.
          const double centred = points(row, column) - (column == 4 ? 4 : 0);
          extreme(row, column) =
              column == 4 ? centred : std::clamp(centred * scale, -1.79e308, 1.79e308);
        }
      }
      ClusterOptions options;
      options.projection = projection;
      options.density = 0.6;
      options.min_samples_split = 30;
      for (std::uint64_t seed = 0; seed < 10; ++seed) {
        const Grown grown = grow(extreme, options, drawn_bits(400, seed), seed);
        ASSERT_NO_THROW(check_tree(grown.tree, std::vector<Column>(7), {})) << scale;
        for (std::size_t node = 0; node < grown.tree.nodes.size(); ++node) {
          ASSERT_EQ(grown.tree.weights[node], static_cast<double>(grown.rows[node].size()));
        }
      }
    }
  }
}

// A column whose range overflows over all rows, though not within each of two halves that another column tells apart.
TEST(ClusterTreesOfExtremes, use_columns_that_are_too_wide_only_as_a_whole) {
  Random random(9);
  Matrix points(400, 3);
  for (std::size_t row = 0; row < 400; ++row) {
    const bool high = row % 2 == 0;
    points(row, 0) = random.normal() + (high ? 50 : 0);
    points(row, 1) = (high ? 1.2e308 : -1.2e308) + 1e307 * random.normal();
    points(row, 2) = random.normal();
  }
  ClusterOptions options;
  options.min_samples_split = 30;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Grown grown = grow(points, options, drawn_bits(400, seed), seed);
    ASSERT_NO_THROW(check_tree(grown.tree, std::vector<Column>(3), {}));
    EXPECT_GT(grown.tree.nodes.size(), 5U);
    for (std::size_t node = 0; node < grown.tree.nodes.size(); ++node) {
      ASSERT_EQ(grown.tree.weights[node], static_cast<double>(grown.rows[node].size()));
    }
  }
}

TEST(ClusterSoil, knows_how_widely_every_column_is_spread) {
  Random random(12);
  Matrix points(301, 4);
  for (std::size_t row = 0; row < 301; ++row) {
    points(row, 0) = 1e9 + random.normal();
    points(row, 1) = 1e-320 * random.normal();
    points(row, 2) = row % 2 == 0 ? 1.7e308 : -1.7e308;
    points(row, 3) = 4;
  }
  const std::vector<Column> columns(4);
  const RankedColumns ranked(points, columns);
  const ClusterSoil soil(ranked);
  for (std::size_t column = 0; column < 4; ++column) {
    std::vector<double> values;
    for (std::size_t row = 0; row < 301; ++row) {
      values.push_back(points(row, column));
      ASSERT_EQ(soil.by_column(column, row), points(row, column));
    }
    const auto expected = static_cast<double>(std::sqrt(variance_of(values)));
    EXPECT_NEAR(soil.scales[column], expected, 1e-3 * expected) << column;
  }
}

// Sums that cancel leave rounding: it looks like structure to whoever does not know.
TEST(ClusterTreesOfCopies, do_not_cut_what_rounding_leaves) {
  Random random(10);
  Matrix points(500, 2);
  for (std::size_t row = 0; row < 500; ++row) {
    points(row, 0) = random.normal();
    points(row, 1) = points(row, 0) * 3;
  }
  ClusterOptions options;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    const Grown grown = grow(points, options, drawn_bits(500, seed), seed);
    for (std::size_t own = 0; own < grown.tree.own.size(); ++own) {
      const auto coefficients = grown.tree.own.coefficients_of(own);
      ASSERT_TRUE(coefficients.size() == 2 && coefficients[0] * coefficients[1] > 0);
    }
  }
}

// Five columns of two clusters each, the first the clearest, and two of noise. All five are equals, so that every one is at the root of some tree; noise
// is at none. A criterion that cannot say what is good enough takes the clearest alone.
TEST(ClusterTreesOfManyClusters, begin_with_any_that_is_clear) {
  Random random(13);
  Matrix points(600, 7);
  for (std::size_t row = 0; row < 600; ++row) {
    for (std::size_t column = 0; column < 7; ++column) {
      const double apart = column == 0 ? 60 : column < 5 ? 12 : 0;
      points(row, column) = random.normal() + (random.below(2) == 0 ? apart : 0);
    }
  }
  for (const ClusterCriterion criterion :
       {ClusterCriterion::fast_bic, ClusterCriterion::em_bic, ClusterCriterion::two_means}) {
    ClusterOptions options;
    options.criterion = criterion;
    options.max_depth = 1;
    std::vector<double> n_roots(7, 0.0);
    constexpr std::size_t n_trees = 60;
    for (std::uint64_t seed = 0; seed < n_trees; ++seed) {
      const Grown grown = grow(points, options, drawn_bits(600, 1, true), seed);
      for (std::size_t column = 0; column < 7; ++column) {
        n_roots[column] += grown.importances[column] > 0 ? 1 : 0;
      }
    }
    EXPECT_EQ(n_roots[5] + n_roots[6], 0);
    for (std::size_t column = 1; column < 5; ++column) {
      if (criterion == ClusterCriterion::two_means) {
        EXPECT_LT(n_roots[column], n_roots[0] / 2) << column;
      } else {
        EXPECT_GT(n_roots[column], n_trees / 12) << column;
      }
    }
  }
}

TEST(ClusterTreesOfFewRows, are_leaves) {
  const Matrix points = curve_and_noise(9, 11);
  EXPECT_EQ(grow(points, {}, drawn_bits(9, 1, true), 1).tree.nodes.size(), 1U);
  const Matrix one = curve_and_noise(1, 11);
  EXPECT_EQ(grow(one, {}, {1U}, 1).tree.nodes.size(), 1U);
  // 60 rows that are all alike.
  EXPECT_EQ(grow(Matrix(60, 2), {}, drawn_bits(60, 1, true), 1).tree.nodes.size(), 1U);
}

}  // namespace
}  // namespace bentwood
