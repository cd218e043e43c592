#include "bentwood/split/cluster_cuts.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "bentwood/base/error.hpp"
#include "repetitions.hpp"
#include "split/cluster_columns.hpp"

namespace bentwood {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

ClusterLimits random_limits(Random& random) {
  constexpr std::array<double, 4> shares{0, 0.1, 0.25, 0.5};
  return {.min_rows = random.below(9), .min_share = shares.at(random.below(4))};
}

/// A criterion's score of a cut, from its definition.
Long naive_score(ClusterCriterion criterion, std::span<const double> sorted, std::size_t cut) {
  const NaiveBics bics = naive_bics(sorted, cut);
  switch (criterion) {
    case ClusterCriterion::two_means:
      return bics.two_means;
    case ClusterCriterion::fast_bic_raw:
      return std::min(bics.different, bics.equal);
    default:
      return std::min(bics.different, bics.equal) - bics.one;
  }
}

class ClusterCutsOf : public testing::TestWithParam<ClusterCriterion> {};

// 10,000 columns for each criterion; one object scores those of the same limits after each other, long ones before short ones.
TEST_P(ClusterCutsOf, scores_every_cut_as_the_definition_does) {
  std::size_t n_cut = 0;
  std::size_t n_whole = 0;
  for (std::uint64_t batch = 0; batch < repetitions(500); ++batch) {
    Random random(batch, 1);
    const ClusterLimits limits = random_limits(random);
    ClusterCuts cuts(GetParam(), limits);
    for (int column = 0; column < 20; ++column) {
      const std::vector<double> sorted = random_column(random);
      const double found = cuts.score(sorted);
      double lowest = infinity;
      for (std::size_t cut = 0; cut <= sorted.size(); ++cut) {
        if (!may_cut(sorted, cut, limits)) {
          ASSERT_EQ(cuts.score_of(cut), infinity) << batch << " " << column << " " << cut;
          continue;
        }
        const auto expected = static_cast<double>(naive_score(GetParam(), sorted, cut));
        const double scale = static_cast<double>(sorted.size()) + std::abs(expected);
        ASSERT_NEAR(cuts.score_of(cut), expected, 1e-10 * scale) << batch << " " << column;
        lowest = std::min(lowest, cuts.score_of(cut));
        ++n_cut;
      }
      ASSERT_EQ(found, lowest);
      if (found == infinity) {
        ++n_whole;
        continue;
      }
      ASSERT_EQ(cuts.score_of(cuts.best()), lowest);
      for (std::size_t cut = 0; cut < cuts.best(); ++cut) {
        ASSERT_GT(cuts.score_of(cut), lowest);
      }
    }
  }
  EXPECT_GT(n_cut, repetitions(100'000));
  EXPECT_GT(n_whole, repetitions(1000));
}

TEST_P(ClusterCutsOf, does_not_know_scale_or_place_but_for_the_raw_bic) {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    Random random(seed, 2);
    std::vector<double> sorted(50);
    for (double& value : sorted) {
      value = random.normal() + (random.below(2) == 0 ? 3 : 0);
    }
    std::ranges::sort(sorted);
    const double factor = std::pow(10.0, 300 * random.uniform() - 150);
    const double shift = 1000 * random.normal();
    std::vector<double> moved = sorted;
    for (double& value : moved) {
      value = (value + shift) * factor;
    }
    ClusterCuts cuts(GetParam());
    ClusterCuts others(GetParam());
    const double score = cuts.score(sorted);
    ASSERT_LT(score, infinity);
    const double expected =
        GetParam() == ClusterCriterion::fast_bic_raw ? score + 2 * 50 * std::log(factor) : score;
    ASSERT_NEAR(others.score(moved), expected, 1e-8 * (50 + std::abs(expected)));
  }
}

TEST_P(ClusterCutsOf, reversed_columns_have_the_mirrored_cuts) {
  Random random(3, 3);
  std::vector<double> sorted(80);
  for (double& value : sorted) {
    value = std::exp(random.normal());
  }
  std::ranges::sort(sorted);
  std::vector<double> mirrored(sorted.rbegin(), sorted.rend());
  for (double& value : mirrored) {
    value = -value;
  }
  ClusterCuts cuts(GetParam());
  ClusterCuts others(GetParam());
  cuts.score(sorted);
  others.score(mirrored);
  for (std::size_t cut = 8; cut <= 72; ++cut) {
    EXPECT_NEAR(cuts.score_of(cut), others.score_of(80 - cut), 1e-9);
  }
}

INSTANTIATE_TEST_SUITE_P(Every, ClusterCutsOf,
                         testing::Values(ClusterCriterion::two_means, ClusterCriterion::fast_bic,
                                         ClusterCriterion::fast_bic_raw),
                         [](const auto& item) { return std::string(name(item.param)); });

// What two published formulas say of one cut, worked out by hand.
TEST(ClusterCriteria, give_the_known_numbers) {
  const GaussianPart low{3, 2.0 / 3};
  const GaussianPart high{4, 1.25};
  EXPECT_NEAR(different_gaussians_bic(low, high), 38.831583, 5e-7);
  EXPECT_NEAR(equal_gaussians_bic(low, high), 37.209494, 5e-7);
  ClusterCuts cuts(ClusterCriterion::fast_bic_raw, {.min_rows = 1, .min_share = 0});
  EXPECT_NEAR(cuts.score(std::vector<double>{0, 1, 2, 10, 11, 12, 13}), 37.209494, 5e-7);
  EXPECT_EQ(cuts.best(), 3U);
}

// Three Gaussians in a row of 5: the equal variances win where they are, others where they are not.
TEST(ClusterCriteria, choose_between_equal_and_different_variances) {
  const auto winner_is_equal = [](double spread) {
    std::vector<double> column;
    for (int step = 0; step < 50; ++step) {
      column.push_back(step / 50.0);
      column.push_back(100 + spread * step);
    }
    std::ranges::sort(column);
    ClusterCuts cuts(ClusterCriterion::fast_bic_raw);
    const double score = cuts.score(column);
    return std::abs(score - static_cast<double>(naive_bics(column, cuts.best()).equal)) < 1e-6;
  };
  EXPECT_TRUE(winner_is_equal(0.02));
  EXPECT_FALSE(winner_is_equal(2));
}

TEST(ClusterCuts, leave_columns_whole_that_spread_no_more_than_rounding) {
  std::vector<double> column(40);
  std::iota(column.begin(), column.end(), 0.0);
  ClusterCuts cuts(ClusterCriterion::fast_bic);
  const auto deviation = static_cast<double>(std::sqrt(variance_of(column)));
  EXPECT_LT(cuts.score(column, 0.999 * deviation), infinity);
  EXPECT_EQ(cuts.score(column, 1.001 * deviation), infinity);
  EXPECT_EQ(cuts.score_of(20), infinity);
}

// Their range is beyond all numbers: there is nothing to compute with, and nothing to crash.
TEST(ClusterCuts, leave_columns_whole_whose_range_overflows) {
  std::vector<double> column(40);
  for (int place = 0; place < 40; ++place) {
    column[static_cast<std::size_t>(place)] = (place - 20) * 8e306;
  }
  column.front() = -1.7e308;
  column.back() = 1.7e308;
  for (const ClusterCriterion criterion : {ClusterCriterion::two_means, ClusterCriterion::em_bic}) {
    ClusterCuts cuts(criterion);
    EXPECT_EQ(cuts.score(column), infinity);
  }
}

/// A column with ties, evenly spread: many cuts are about as good.
std::vector<double> flat_column() {
  std::vector<double> column;
  for (int step = 0; step < 30; ++step) {
    column.insert(column.end(), static_cast<std::size_t>(1 + step % 3), step);
  }
  return column;
}

TEST(DrawnCuts, come_as_often_as_their_probabilities_say) {
  const std::vector<double> column = flat_column();
  const auto n = static_cast<double>(column.size());
  for (const double temperature : {0.01, 0.1, 1.0}) {
    ClusterCuts cuts(ClusterCriterion::fast_bic);
    const double lowest = cuts.score(column);
    std::vector<double> expected(column.size() + 1, 0.0);
    for (std::size_t cut = 0; cut < expected.size(); ++cut) {
      expected[cut] = std::exp(-(cuts.score_of(cut) - lowest) / (2 * n * temperature));
    }
    const double total = std::accumulate(expected.begin(), expected.end(), 0.0);
    constexpr double n_draws = 100'000;
    std::vector<double> found(expected.size(), 0.0);
    Random random(5);
    for (double draw = 0; draw < n_draws; ++draw) {
      found[cuts.draw(temperature, random.uniform())] += 1;
    }
    double chi_square = 0;
    double freedom = -1;
    for (std::size_t cut = 0; cut < expected.size(); ++cut) {
      const double mean = n_draws * expected[cut] / total;
      if (expected[cut] == 0) {
        EXPECT_EQ(found[cut], 0);
      } else if (mean > 5) {
        chi_square += (found[cut] - mean) * (found[cut] - mean) / mean;
        freedom += 1;
      }
    }
    EXPECT_GT(freedom, 10);
    // Five standard deviations.
    EXPECT_LT(chi_square, freedom + 5 * std::sqrt(2 * freedom)) << temperature;
  }
}

TEST(DrawnCuts, at_temperature_0_are_the_best) {
  ClusterCuts cuts(ClusterCriterion::two_means);
  cuts.score(flat_column());
  for (const double uniform : {0.0, 0.5, 1 - 0x1p-53}) {
    EXPECT_EQ(cuts.draw(0, uniform), cuts.best());
    // As good as 0; its reciprocal is not a number.
    EXPECT_EQ(cuts.draw(5e-324, uniform), cuts.best());
  }
}

TEST(DrawnCuts, are_cuts_that_may_be_whatever_the_random_number) {
  const std::vector<double> column = flat_column();
  ClusterCuts cuts(ClusterCriterion::fast_bic);
  cuts.score(column);
  for (const double temperature : {1e-6, 0.1, 1e300}) {
    for (int step = 0; step <= 1000; ++step) {
      const double uniform = std::min(step / 1000.0, 1 - 0x1p-53);
      ASSERT_LT(cuts.score_of(cuts.draw(temperature, uniform)), infinity);
    }
  }
}

// Where nothing is told apart any more, cuts that may not be are still not drawn, and all others are.
TEST(DrawnCuts, at_any_high_temperature_are_all_equally_likely) {
  ClusterCuts cuts(ClusterCriterion::fast_bic);
  const std::vector<double> column = flat_column();
  cuts.score(column);
  std::vector<std::size_t> allowed;
  for (std::size_t cut = 0; cut <= column.size(); ++cut) {
    if (cuts.score_of(cut) < infinity) {
      allowed.push_back(cut);
    }
  }
  for (const double temperature : {1e300, 1e308, infinity}) {
    for (std::size_t place = 0; place < allowed.size(); ++place) {
      const double uniform =
          (static_cast<double>(place) + 0.5) / static_cast<double>(allowed.size());
      EXPECT_EQ(cuts.draw(temperature, uniform), allowed[place]) << temperature;
    }
  }
}

TEST(ClusterCriteria, are_read_by_name) {
  for (const ClusterCriterion criterion :
       {ClusterCriterion::two_means, ClusterCriterion::fast_bic, ClusterCriterion::fast_bic_raw,
        ClusterCriterion::em_bic}) {
    EXPECT_EQ(parse_cluster_criterion(name(criterion)), criterion);
  }
  try {
    (void)parse_cluster_criterion("bic");
    FAIL();
  } catch (const InvalidInput& error) {
    EXPECT_STREQ(error.what(),
                 "criterion is \"bic\", expected \"two_means\", \"fast_bic\", \"fast_bic_raw\" or "
                 "\"em_bic\"");
  }
}

}  // namespace
}  // namespace bentwood
