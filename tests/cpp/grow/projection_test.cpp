#include "bentwood/grow/projection.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "bentwood/base/error.hpp"

namespace bentwood {
namespace {

constexpr int n_draws = 50'000;

bool ascends(const std::vector<std::uint32_t>& columns) {
  return std::ranges::adjacent_find(columns, std::ranges::greater_equal()) == columns.end();
}

/// Whether a count is as near to n_draws · share as five standard deviations.
bool fits(int count, double share) {
  return std::abs(count - n_draws * share) < 5 * std::sqrt(n_draws * share * (1 - share)) + 1e-9;
}

TEST(SparseProjections, have_every_column_with_the_probability_of_the_density) {
  for (const double density : {0.05, 0.3, 1.0}) {
    constexpr std::size_t n_columns = 6;
    NodeRandom random(3);
    ProjectionTerms terms;
    std::vector<int> counts(n_columns, 0);
    std::map<std::size_t, int> sizes;
    int n_negative = 0;
    int n_signs = 0;
    for (int draw = 0; draw < n_draws; ++draw) {
      draw_sparse(n_columns, density, random, terms);
      ASSERT_TRUE(!terms.columns.empty() && ascends(terms.columns));
      ASSERT_EQ(terms.columns.size(), terms.coefficients.size());
      ASSERT_LT(terms.columns.back(), n_columns);
      ++sizes[terms.columns.size()];
      for (std::size_t term = 0; term < terms.columns.size(); ++term) {
        ++counts[terms.columns[term]];
        ASSERT_EQ(std::abs(terms.coefficients[term]), 1);
        n_signs += term > 0 ? 1 : 0;
        n_negative += terms.coefficients[term] < 0 ? 1 : 0;
      }
      ASSERT_EQ(terms.coefficients.front(), 1);
    }
    // Given that there is one at all.
    const double some = 1 - std::pow(1 - density, n_columns);
    for (const int count : counts) {
      EXPECT_TRUE(fits(count, density / some)) << density << " " << count;
    }
    EXPECT_TRUE(fits(sizes[1], n_columns * density * std::pow(1 - density, n_columns - 1) / some));
    EXPECT_NEAR(n_negative, n_signs / 2.0, 5 * std::sqrt(n_signs / 4.0) + 1e-9);
  }
}

// One column in a hundred million draws, if they were made one after the other.
TEST(SparseProjections, of_next_to_no_density_are_single_columns_at_once) {
  for (const double density : {1e-9, 1e-300, 5e-324}) {
    NodeRandom random(4);
    ProjectionTerms terms;
    std::set<std::uint32_t> seen;
    for (int draw = 0; draw < 200; ++draw) {
      draw_sparse(5, density, random, terms);
      ASSERT_EQ(terms.columns.size(), 1U);
      seen.insert(terms.columns.front());
    }
    EXPECT_EQ(seen, (std::set<std::uint32_t>{0, 1, 2, 3, 4})) << density;
  }
}

TEST(GuidedProjections, have_the_first_ranks_most_often) {
  const std::vector<std::uint32_t> ranking{7, 2, 9, 4};
  const std::vector<double> scales{1, 1, 0.5, 1, 4, 1, 1, 2, 1, 8};
  NodeRandom random(5);
  ProjectionTerms terms;
  std::map<std::uint32_t, int> alone;
  std::map<std::size_t, int> sizes;
  for (int draw = 0; draw < n_draws; ++draw) {
    draw_guided(ranking, scales, random, terms);
    ASSERT_TRUE(ascends(terms.columns));
    ASSERT_GT(terms.coefficients.front(), 0);
    ++sizes[terms.columns.size()];
    for (std::size_t term = 0; term < terms.columns.size(); ++term) {
      const double scale = terms.columns.size() == 1 ? 1 : scales[terms.columns[term]];
      ASSERT_EQ(std::abs(terms.coefficients[term]), 1 / scale);
    }
    if (terms.columns.size() == 1) {
      ++alone[terms.columns.front()];
    }
  }
  EXPECT_TRUE(fits(sizes[1], 0.2) && fits(sizes[2], 0.3) && fits(sizes[3], 0.3) &&
              fits(sizes[4], 0.2));
  const double all = 1 - std::pow(0.6, 4);
  for (std::size_t rank = 0; rank < 4; ++rank) {
    EXPECT_TRUE(
        fits(alone[ranking[rank]], 0.2 * 0.4 * std::pow(0.6, static_cast<double>(rank)) / all));
  }
}

TEST(GuidedProjections, of_few_columns_have_no_more_terms_than_there_are) {
  const std::vector<double> scales{1, 2};
  NodeRandom random(6);
  ProjectionTerms terms;
  for (int draw = 0; draw < 1000; ++draw) {
    draw_guided(std::vector<std::uint32_t>{1}, scales, random, terms);
    ASSERT_EQ(terms.columns, std::vector<std::uint32_t>{1});
    ASSERT_EQ(terms.coefficients, std::vector<double>{1});
    draw_guided(std::vector<std::uint32_t>{1, 0}, scales, random, terms);
    ASSERT_LE(terms.columns.size(), 2U);
  }
}

// The reciprocal of the smallest numbers is infinite, and infinity times 0 cannot be sorted.
TEST(GuidedProjections, have_finite_coefficients_whatever_the_scales) {
  const std::vector<double> scales{5e-324, 1e-310, 1.7e308};
  NodeRandom random(7);
  ProjectionTerms terms;
  for (int draw = 0; draw < 1000; ++draw) {
    draw_guided(std::vector<std::uint32_t>{0, 1, 2}, scales, random, terms);
    for (const double coefficient : terms.coefficients) {
      ASSERT_TRUE(std::isfinite(coefficient) && coefficient != 0);
    }
  }
}

TEST(Projections, are_read_by_name) {
  for (const Projection projection : {Projection::guided, Projection::sparse, Projection::axis}) {
    EXPECT_EQ(parse_projection(name(projection)), projection);
  }
  try {
    (void)parse_projection("dense");
    FAIL();
  } catch (const InvalidInput& error) {
    EXPECT_STREQ(error.what(),
                 "projection is \"dense\", expected \"guided\", \"sparse\" or \"axis\"");
  }
}

}  // namespace
}  // namespace bentwood
