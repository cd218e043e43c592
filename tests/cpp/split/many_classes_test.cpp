#include "bentwood/split/many_classes.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <vector>

#include "bentwood/base/random.hpp"
#include "bentwood/split/best_cut.hpp"
#include "bentwood/split/gini.hpp"
#include "bentwood/split/many_class_criteria.hpp"

namespace bentwood {
namespace {

/// Rows on a line or a circle, of classes that are not all there.
struct Problem {
  Matrix values;
  Column column;
  Target target;
  std::vector<double> weights;
};

Problem random_problem(std::uint64_t seed, std::size_t n_rows, std::size_t n_classes,
                       ColumnKind kind, bool whole_weights) {
  Random random(seed);
  Problem problem{.values = Matrix(n_rows, 1), .column = {}, .target = {}, .weights = {}};
  problem.column.kind = kind;
  problem.target.width = n_classes;
  for (std::size_t row = 0; row < n_rows; ++row) {
    problem.values(row, 0) = kind == ColumnKind::circle
                                 ? (2 * random.uniform() - 1) * std::numbers::pi
                                 : std::round(20 * random.normal());
    problem.target.classes.push_back(static_cast<std::uint32_t>(random.below(n_classes)));
    problem.weights.push_back(whole_weights ? static_cast<double>(1 + random.below(3))
                                            : std::exp(random.normal()));
  }
  return problem;
}

/// The best cut of every other row, and the node's own score.
struct Found {
  Cut cut;
  double base_score = 0;
  double weight = 0;
};

template <class Criterion>
Found search(const Problem& problem) {
  const RankedColumns columns(problem.values, std::span(&problem.column, 1));
  const ColumnOrder<std::uint32_t> column = columns.order(0);
  Criterion criterion(problem.target.width);
  criterion.set_rows(problem.target, problem.weights);
  std::vector<std::uint32_t> sorted;
  for (std::size_t place = 0; place < problem.values.n_rows(); ++place) {
    if (column.row_at[place] % 2 == 0) {
      sorted.push_back(column.row_at[place]);
    }
  }
  std::vector<std::uint32_t> all(problem.values.n_rows());
  std::iota(all.begin(), all.end(), 0U);
  // What another node has left behind does not matter.
  criterion.enter(std::span<const std::uint32_t>(all));
  criterion.enter(std::span<const std::uint32_t>(sorted));
  SweepBuffer buffer;
  return {best_cut(criterion, std::span<const std::uint32_t>(sorted), column, {},
                   -std::numeric_limits<double>::infinity(), buffer),
          criterion.base_score(), criterion.weight()};
}

class ManyClasses : public testing::TestWithParam<std::tuple<ColumnKind, bool>> {};

template <class Many, class Few>
void expect_same_cuts(ColumnKind kind, bool whole_weights) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const Problem problem =
        random_problem(seed, 20 + 10 * seed, seed % 2 == 0 ? 5 : 900, kind, whole_weights);
    const Found many = search<Many>(problem);
    const Found few = search<Few>(problem);
    ASSERT_EQ(many.cut.score, few.cut.score) << seed;
    ASSERT_EQ(many.cut.index, few.cut.index) << seed;
    ASSERT_EQ(many.base_score, few.base_score) << seed;
    ASSERT_EQ(many.weight, few.weight) << seed;
  }
}

TEST_P(ManyClasses, have_the_cuts_of_few_to_the_bit) {
  const auto [kind, whole_weights] = GetParam();
  expect_same_cuts<ManyClassGini, Gini<WeightedLabel>>(kind, whole_weights);
  expect_same_cuts<ManyClassEntropy, Entropy<WeightedLabel>>(kind, whole_weights);
}

// More classes than are summed anew for every row.
TEST_P(ManyClasses, have_the_cuts_of_few_but_for_rounding_where_sums_are_kept) {
  const auto [kind, whole_weights] = GetParam();
  const Problem problem = random_problem(3, 6000, 4000, kind, whole_weights);
  const Found gini = search<ManyClassGini>(problem);
  const Found entropy = search<ManyClassEntropy>(problem);
  EXPECT_NEAR(gini.cut.score / search<Gini<WeightedLabel>>(problem).cut.score, 1, 1e-13);
  EXPECT_NEAR(entropy.cut.score / search<Entropy<WeightedLabel>>(problem).cut.score, 1, 1e-13);
  if (whole_weights) {
    EXPECT_EQ(gini.cut.score, search<Gini<WeightedLabel>>(problem).cut.score);
  }
}

INSTANTIATE_TEST_SUITE_P(all, ManyClasses,
                         testing::Combine(testing::Values(ColumnKind::line, ColumnKind::circle),
                                          testing::Bool()));

TEST(ManyClassLabels, write_the_shares_of_the_classes_that_are_there) {
  Target target;
  target.width = 1000;
  target.classes = {7, 999, 7, 3};
  ManyClassGini criterion(1000);
  criterion.set_rows(target, std::vector<double>{1, 2, 1, 5});
  SparseShares shares{.begins = {0}};
  for (const std::vector<std::uint32_t>& rows :
       {std::vector<std::uint32_t>{0, 1, 2}, std::vector<std::uint32_t>{3}}) {
    criterion.enter(std::span<const std::uint32_t>(rows));
    criterion.write_shares(shares);
  }
  EXPECT_TRUE(criterion.is_pure());
  EXPECT_EQ(shares,
            (SparseShares{.begins = {0, 2, 3}, .classes = {7, 999, 3}, .shares = {0.5, 0.5, 1}}));
}

TEST(SumOfMany, is_the_sum_and_forgets_what_was_there) {
  for (const std::size_t size : {1U, 2U, 3U, 7U, 64U, 1000U}) {
    SumOfMany sum(size);
    EXPECT_EQ(sum.total(), 0);
    std::vector<double> numbers(size, 0.0);
    Random random(size);
    for (int change = 0; change < 500; ++change) {
      const std::size_t index = random.below(size);
      numbers[index] = std::ldexp(std::round(8 * random.normal()), change % 3 == 0 ? 300 : 0);
      sum.set(index, numbers[index]);
    }
    for (std::size_t index = 0; index < size; ++index) {
      numbers[index] = static_cast<double>(index);
      sum.set(index, numbers[index]);
    }
    EXPECT_EQ(sum.total(), std::accumulate(numbers.begin(), numbers.end(), 0.0)) << size;
  }
}

}  // namespace
}  // namespace bentwood
