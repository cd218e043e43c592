#include "bentwood/split/gaussian_mixture.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <vector>

#include "repetitions.hpp"
#include "split/cluster_columns.hpp"

namespace bentwood {
namespace {

struct NaiveComponent {
  Long weight = 0;
  Long mean = 0;
  Long variance = 0;

  [[nodiscard]] Long density(double value) const {
    const Long two_pi = 2 * std::acos(Long{-1});
    const Long deviation = static_cast<Long>(value) - mean;
    return weight * std::exp(-deviation * deviation / (2 * variance)) /
           std::sqrt(two_pi * variance);
  }
};

using NaiveMixture = std::array<NaiveComponent, 2>;

/// The densities of both components at every value.
struct NaiveDensities {
  NaiveDensities(const NaiveMixture& mixture, std::span<const double> values) {
    for (const double value : values) {
      low.push_back(mixture[0].density(value));
      high.push_back(mixture[1].density(value));
    }
  }
  [[nodiscard]] Long log_likelihood() const {
    Long sum = 0;
    for (std::size_t place = 0; place < low.size(); ++place) {
      sum += std::log(low[place] + high[place]);
    }
    return sum;
  }
  std::vector<Long> low;
  std::vector<Long> high;
};

/// A component from the share of every value that is its own.
NaiveComponent maximised(std::span<const double> values, const std::vector<Long>& shares,
                         Long least_variance) {
  Long total = 0;
  Long mean = 0;
  for (std::size_t place = 0; place < values.size(); ++place) {
    total += shares[place];
    mean += shares[place] * static_cast<Long>(values[place]);
  }
  mean /= total;
  Long variance = 0;
  for (std::size_t place = 0; place < values.size(); ++place) {
    const Long deviation = static_cast<Long>(values[place]) - mean;
    variance += shares[place] * deviation * deviation / total;
  }
  return {total / static_cast<Long>(values.size()), mean, std::max(variance, least_variance)};
}

NaiveMixture stepped(NaiveDensities densities, std::span<const double> values,
                     Long least_variance) {
  for (std::size_t place = 0; place < values.size(); ++place) {
    const Long both = densities.low[place] + densities.high[place];
    densities.low[place] /= both;
    densities.high[place] /= both;
  }
  return {maximised(values, densities.low, least_variance),
          maximised(values, densities.high, least_variance)};
}

NaiveMixture begun(std::span<const double> values, std::size_t n_left, Long least_variance) {
  std::vector<Long> low(values.size(), 0);
  std::vector<Long> high(values.size(), 1);
  std::fill_n(low.begin(), n_left, 1);
  std::fill_n(high.begin(), n_left, 0);
  return {maximised(values, low, least_variance), maximised(values, high, least_variance)};
}

/// Two clusters that overlap more or less, or values of a few kinds; standardised, ascending.
std::vector<double> random_values(Random& random) {
  std::vector<double> values(10 + random.below(40));
  const bool discrete = random.below(4) == 0;
  const double gap = 6 * random.uniform();
  for (double& value : values) {
    value = random.normal() + (random.below(3) == 0 ? gap : 0);
    value = discrete ? std::floor(value) : value;
  }
  values.front() -= 1;
  const auto mean =
      std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
  const auto deviation = static_cast<double>(std::sqrt(variance_of(values)));
  for (double& value : values) {
    value = (value - mean) / deviation;
  }
  std::ranges::sort(values);
  return values;
}

// Expectation maximisation by its definition, in long doubles and without running sums, on 10,000 columns.
TEST(GaussianMixture, is_what_plain_steps_find_and_no_step_is_for_the_worse) {
  std::size_t n_steps = 0;
  for (std::uint64_t seed = 0; seed < repetitions(10'000); ++seed) {
    Random random(seed);
    const std::vector<double> values = random_values(random);
    const std::size_t n_left = 1 + random.below(values.size() - 1);
    const double least_variance = random.below(2) == 0 ? 1e-3 : 0.2;
    const GaussianMixture found = gaussian_mixture(values, n_left, least_variance);
    NaiveDensities naive(begun(values, n_left, least_variance), values);
    const auto step_further = [&] {
      const Long last = naive.log_likelihood();
      naive = NaiveDensities(stepped(naive, values, least_variance), values);
      ASSERT_GE(naive.log_likelihood(), last - 1e-12L) << seed;
    };
    for (std::size_t step = 1; step < found.n_iterations; ++step) {
      ASSERT_NO_FATAL_FAILURE(step_further());
    }
    n_steps += found.n_iterations;
    // One step more gains next to nothing, and found has taken it or not.
    const Long before = naive.log_likelihood();
    ASSERT_NO_FATAL_FAILURE(step_further());
    const Long after = naive.log_likelihood();
    const auto log_found = static_cast<Long>(found.log_likelihood);
    ASSERT_GE(log_found, before - 1e-9L * std::abs(before)) << seed;
    ASSERT_LE(log_found, after + 1e-9L * std::abs(after)) << seed;
    NaiveMixture told;
    for (std::size_t side = 0; side < 2; ++side) {
      told.at(side) = {found.components.at(side).weight, found.components.at(side).mean,
                       found.components.at(side).variance};
      ASSERT_GE(found.components.at(side).variance, least_variance);
    }
    ASSERT_NEAR(static_cast<double>(NaiveDensities(told, values).log_likelihood()),
                found.log_likelihood, 1e-8);
    ASSERT_NEAR(found.components[0].weight + found.components[1].weight, 1, 1e-12);
    ASSERT_LE(found.components[0].mean, found.components[1].mean);
    ASSERT_NEAR(found.bic(),
                -2 * found.log_likelihood + 5 * std::log(static_cast<double>(values.size())), 1e-9);
  }
  EXPECT_GT(n_steps, repetitions(100'000));
}

TEST(GaussianMixture, cuts_where_between_the_means_the_other_component_takes_over) {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    Random random(seed, 1);
    const std::vector<double> values = random_values(random);
    const GaussianMixture found =
        gaussian_mixture(values, 1 + random.below(values.size() - 1), 1e-3);
    const auto& [low, high] = found.components;
    const NaiveComponent lower{low.weight, low.mean, low.variance};
    const NaiveComponent upper{high.weight, high.mean, high.variance};
    std::size_t expected = 0;
    for (const double value : values) {
      const bool is_low =
          value <= low.mean || (value < high.mean && lower.density(value) >= upper.density(value));
      expected += is_low ? 1U : 0U;
    }
    // Densities as good as equal may round to either side.
    const std::size_t cut = found.cut(values);
    if (cut != expected) {
      const double value = values[std::min(cut, expected)];
      ASSERT_NEAR(static_cast<double>(lower.density(value) / upper.density(value)), 1, 1e-9);
    }
  }
}

// Two clusters that overlap fit values at least as well as two that may not: the mixture is begun at Fast-BIC's cut, and only gains. Told apart
// hard where the mixture cuts, its clusters are none that Fast-BIC would have found better.
TEST(EmBic, is_as_good_as_fast_bic_and_its_hard_clusters_no_better) {
  std::size_t n_cut = 0;
  for (std::uint64_t seed = 0; seed < repetitions(10'000); ++seed) {
    Random random(seed, 2);
    const std::vector<double> sorted = random_column(random);
    ClusterCuts fast(ClusterCriterion::fast_bic);
    ClusterCuts mixture(ClusterCriterion::em_bic);
    const double best = fast.score(sorted);
    const double score = mixture.score(sorted);
    if (!(score < std::numeric_limits<double>::infinity())) {
      continue;
    }
    ++n_cut;
    const double scale = 1e-8 * (static_cast<double>(sorted.size()) + std::abs(best));
    const NaiveBics bics = naive_bics(sorted, fast.best());
    ASSERT_LE(score, static_cast<double>(bics.different - bics.one) + scale) << seed;
    ASSERT_GE(fast.score_of(mixture.best()), best - scale) << seed;
    // The cut of a mixture is the only one.
    for (std::size_t cut = 0; cut <= sorted.size(); ++cut) {
      ASSERT_EQ(mixture.score_of(cut) < std::numeric_limits<double>::infinity(),
                cut == mixture.best());
    }
    ASSERT_TRUE(may_cut(sorted, mixture.best(), {}));
    ASSERT_EQ(mixture.draw(1, 0.999), mixture.best());
  }
  EXPECT_GT(n_cut, repetitions(3000));
}

}  // namespace
}  // namespace bentwood
