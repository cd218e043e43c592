#include "bentwood/base/random.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numeric>
#include <set>
#include <span>

namespace bentwood {
namespace {

TEST(Random, is_a_pure_function_of_seed_purpose_and_item) {
  Random first(1, 2, 3);
  Random second(1, 2, 3);
  for (int draw = 0; draw < 100; ++draw) {
    EXPECT_EQ(first.bits(), second.bits());
  }
}

TEST(Random, gives_different_streams_to_different_seeds_purposes_and_items) {
  const std::set<std::uint64_t> first_draws{Random(1, 2, 3).bits(), Random(9, 2, 3).bits(),
                                            Random(1, 9, 3).bits(), Random(1, 2, 9).bits()};
  EXPECT_EQ(first_draws.size(), 4U);
}

// The known answer of Philox-4x64-10 for zero counter and key, from the Random123 distribution.
TEST(Random, is_philox) { EXPECT_EQ(Random(0).bits(), 0x16554d9eca36314cULL); }

TEST(Random, normal_draws_have_mean_zero_and_variance_one) {
  Random random(7);
  constexpr int n_draws = 200'000;
  double sum = 0;
  double sum_of_squares = 0;
  for (int draw = 0; draw < n_draws; ++draw) {
    const double value = random.normal();
    sum += value;
    sum_of_squares += value * value;
  }
  EXPECT_NEAR(sum / n_draws, 0, 5 / std::sqrt(n_draws));
  EXPECT_NEAR(sum_of_squares / n_draws, 1, 5 * std::sqrt(2.0 / n_draws));
}

TEST(Random, below_hits_every_value_equally_often) {
  Random random(11);
  std::array<int, 6> counts{};
  constexpr int n_draws = 60'000;
  for (int draw = 0; draw < n_draws; ++draw) {
    ++counts.at(random.below(counts.size()));
  }
  for (const int count : counts) {
    EXPECT_NEAR(count, n_draws / 6.0, 5 * std::sqrt(n_draws / 6.0));
  }
}

TEST(Random, shuffle_is_a_permutation) {
  std::array<int, 50> items{};
  std::iota(items.begin(), items.end(), 0);
  Random(3).shuffle(std::span<int>(items));
  EXPECT_FALSE(std::is_sorted(items.begin(), items.end()));
  EXPECT_EQ(std::set<int>(items.begin(), items.end()).size(), items.size());
}

}  // namespace
}  // namespace bentwood
