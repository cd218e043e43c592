#include "bentwood/linear/signed_columns.hpp"

#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <algorithm>

#include "bentwood/base/random.hpp"

namespace bentwood {
namespace {

struct Problem {
  Problem(std::size_t n_rows, std::size_t dim) : features(n_rows, dim) {
    Random random(1);
    for (std::size_t row = 0; row < n_rows; ++row) {
      signs.push_back(random.uniform() < 0.4 ? 1 : -1);
      costs.push_back(row % 5 == 0 ? 0 : random.uniform());
      for (double& value : features.row(row)) {
        value = random.normal() + signs.back();
      }
    }
    for (std::size_t axis = 0; axis < dim; ++axis) {
      weights.push_back(0.3 * random.normal());
    }
  }
  Matrix features;
  std::vector<double> signs;
  std::vector<double> costs;
  std::vector<double> weights;
};

class MarginSumsOf : public testing::TestWithParam<std::size_t> {};
INSTANTIATE_TEST_SUITE_P(dims, MarginSumsOf, testing::Values(1, 2, 3, 4));

TEST_P(MarginSumsOf, are_those_of_the_definition) {
  const std::size_t dim = GetParam();
  const Problem problem(101, dim);
  const SignedColumns columns({problem.features, problem.signs, problem.costs});
  const MarginSums found = margin_sums(columns, 0, columns.stride(), problem.weights);
  MarginSums expected;
  for (std::size_t row = 0; row < 101; ++row) {
    double margin = 0;
    for (std::size_t axis = 0; axis < dim; ++axis) {
      margin += problem.signs[row] * problem.features(row, axis) * problem.weights[axis];
    }
    if (margin >= 1) {
      continue;
    }
    expected.loss += problem.costs[row] * (1 - margin) * (1 - margin);
    for (std::size_t down = 0; down < dim; ++down) {
      expected.pull.at(down) +=
          problem.costs[row] * (1 - margin) * problem.signs[row] * problem.features(row, down);
      for (std::size_t across = 0; across <= down; ++across) {
        expected.bend.at(down * (down + 1) / 2 + across) +=
            problem.costs[row] * problem.features(row, down) * problem.features(row, across);
      }
    }
  }
  EXPECT_NEAR(found.loss, expected.loss, 1e-12);
  for (std::size_t place = 0; place < found.pull.size(); ++place) {
    EXPECT_NEAR(found.pull.at(place), expected.pull.at(place), 1e-12);
  }
  for (std::size_t place = 0; place < found.bend.size(); ++place) {
    EXPECT_NEAR(found.bend.at(place), expected.bend.at(place), 1e-12);
  }
}

TEST_P(MarginSumsOf, have_the_same_bits_for_all_instructions) {
  const Problem problem(1000, GetParam());
  const SignedColumns columns({problem.features, problem.signs, problem.costs});
  const auto sums = [&] { return margin_sums(columns, 8, columns.stride(), problem.weights); };
  const MarginSums expected = sums();
  for (const std::int64_t target : {HWY_SCALAR, HWY_AVX2, HWY_AVX3}) {
    if ((hwy::SupportedTargets() & target) == 0) {
      continue;
    }
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    const MarginSums found = sums();
    hwy::SetSupportedTargetsForTest(0);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    EXPECT_EQ(found.loss, expected.loss);
    EXPECT_EQ(found.pull, expected.pull);
    EXPECT_EQ(found.bend, expected.bend);
  }
}

}  // namespace
}  // namespace bentwood
