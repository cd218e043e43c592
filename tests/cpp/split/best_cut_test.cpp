#include "bentwood/split/best_cut.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <vector>

#include "bentwood/base/random.hpp"
#include "bentwood/model/tree.hpp"
#include "bentwood/split/entropy.hpp"
#include "bentwood/split/gini.hpp"
#include "bentwood/split/squared_error.hpp"

namespace bentwood {
namespace {

enum class Kind { gini, entropy, squared_error, two_outputs };

/// A small set with ties, weights and 2 to 5 classes, or outputs.
struct Problem {
  Matrix values;
  Column column;
  Target target;
  std::vector<double> weights;
  CutLimits limits;
};

Problem random_problem(std::uint64_t seed, ColumnKind kind, Kind criterion, bool whole_weights) {
  Random random(seed, static_cast<std::uint64_t>(criterion) * 2 + (whole_weights ? 1 : 0));
  Problem problem;
  const std::size_t n = 2 + random.below(random.below(10) == 0 ? 200 : 14);
  problem.column.kind = kind;
  problem.values = Matrix(n, 1);
  const bool has_ties = random.below(2) == 0;
  for (std::size_t row = 0; row < n; ++row) {
    double value = kind == ColumnKind::circle ? (2 * random.uniform() - 1) * std::numbers::pi
                                              : random.normal();
    if (has_ties) {
      // Few different values; on the circle antipodes among them, which fold onto each other.
      value = kind == ColumnKind::circle
                  ? std::atan2(std::array{0.0, 1.0, 1.0, -1.0}[random.below(4)],
                               std::array{1.0, -1.0, 2.0, -2.0}[random.below(4)])
                  : static_cast<double>(random.below(5));
    }
    problem.values(row, 0) = value;
  }
  problem.target.task = criterion == Kind::gini || criterion == Kind::entropy ? Task::classification
                                                                              : Task::regression;
  if (problem.target.task == Task::classification) {
    problem.target.width = 2 + random.below(4);
    for (std::size_t row = 0; row < n; ++row) {
      problem.target.classes.push_back(
          static_cast<std::uint32_t>(random.below(problem.target.width)));
    }
  } else {
    problem.target.width = criterion == Kind::two_outputs ? 2 : 1;
    problem.target.outputs = Matrix(n, problem.target.width);
    for (std::size_t row = 0; row < n; ++row) {
      for (double& output : problem.target.outputs.row(row)) {
        output = 100 + random.normal();
      }
    }
  }
  for (std::size_t row = 0; row < n; ++row) {
    problem.weights.push_back(whole_weights ? static_cast<double>(1 + random.below(3))
                                            : 0.1 + random.uniform());
  }
  problem.limits.min_rows = 1 + random.below(3);
  problem.limits.min_weight = random.below(4) == 0 ? 2 * random.uniform() : 0;
  return problem;
}

/// W times the impurity of the rows, from its definition.
double weighted_impurity(const Problem& problem, Kind criterion,
                         const std::vector<std::size_t>& rows) {
  double total = 0;
  for (const std::size_t row : rows) {
    total += problem.weights[row];
  }
  double impurity = 0;
  if (problem.target.task == Task::classification) {
    for (std::uint32_t label = 0; label < problem.target.width; ++label) {
      double share = 0;
      for (const std::size_t row : rows) {
        share += problem.target.classes[row] == label ? problem.weights[row] / total : 0;
      }
      if (share > 0) {
        impurity += criterion == Kind::gini ? share * (1 - share) : -share * std::log2(share);
      }
    }
    return total * impurity;
  }
  for (std::size_t output = 0; output < problem.target.width; ++output) {
    double mean = 0;
    for (const std::size_t row : rows) {
      mean += problem.weights[row] * problem.target.outputs(row, output) / total;
    }
    for (const std::size_t row : rows) {
      const double error = problem.target.outputs(row, output) - mean;
      impurity += problem.weights[row] * error * error;
    }
  }
  return impurity / static_cast<double>(problem.target.width);
}

struct Partition {
  std::vector<std::size_t> left;
  std::vector<std::size_t> right;
};

Partition partition_at(const Problem& problem, double threshold) {
  Partition result;
  for (std::size_t row = 0; row < problem.values.n_rows(); ++row) {
    (goes_left(problem.column.kind, problem.values(row, 0), threshold) ? result.left : result.right)
        .push_back(row);
  }
  return result;
}

bool is_allowed(const Problem& problem, const Partition& parts) {
  for (const auto* rows : {&parts.left, &parts.right}) {
    double weight = 0;
    for (const std::size_t row : *rows) {
      weight += problem.weights[row];
    }
    if (rows->size() < problem.limits.min_rows || weight < problem.limits.min_weight - 1e-12) {
      return false;
    }
  }
  return true;
}

double impurity_of_parts(const Problem& problem, Kind criterion, const Partition& parts) {
  return weighted_impurity(problem, criterion, parts.left) +
         weighted_impurity(problem, criterion, parts.right);
}

/// The least impurity over every threshold between, before and after all values; infinite where none is allowed.
double exhaustive_search(const Problem& problem, Kind criterion) {
  std::vector<double> levels;
  for (std::size_t row = 0; row < problem.values.n_rows(); ++row) {
    const double value = problem.values(row, 0);
    levels.push_back(problem.column.kind == ColumnKind::circle ? fold(value).turn : value);
  }
  if (problem.column.kind == ColumnKind::circle) {
    levels.push_back(0);
    levels.push_back(std::nextafter(std::numbers::pi, 0));
  }
  double least = std::numeric_limits<double>::infinity();
  for (const double threshold : levels) {
    const Partition parts = partition_at(problem, threshold);
    if (is_allowed(problem, parts)) {
      least = std::min(least, impurity_of_parts(problem, criterion, parts));
    }
  }
  return least;
}

struct Found {
  bool exists = false;
  double threshold = 0;
  /// W times the impurity of both parts, from the score.
  double impurity = 0;
};

template <class Criterion>
Found search(const Problem& problem, Kind kind) {
  const RankedColumns columns(problem.values, std::span(&problem.column, 1));
  const ColumnOrder<std::uint32_t> column = columns.order(0);
  Criterion criterion(problem.target.width);
  criterion.set_rows(problem.target, problem.weights);
  std::vector<std::uint32_t> rows(problem.values.n_rows());
  std::iota(rows.begin(), rows.end(), 0U);
  criterion.enter(std::span<const std::uint32_t>(rows));
  const std::span sorted(column.row_at, rows.size());
  SweepBuffer buffer;
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const Cut cut = best_cut(criterion, sorted, column, problem.limits, -infinity, buffer);
  if (cut.score == -infinity) {
    return {};
  }
  Found found{true, 0, 0};
  if (cut.index + 1 == sorted.size()) {
    found.threshold = columns.wrapped_threshold(0, sorted.back(), sorted.front()).threshold;
  } else {
    found.threshold = columns.threshold(0, sorted[cut.index], sorted[cut.index + 1]);
  }
  std::vector<std::size_t> all(rows.begin(), rows.end());
  found.impurity = weighted_impurity(problem, kind, all) -
                   (cut.score - criterion.base_score()) / criterion.unit();
  return found;
}

Found search(const Problem& problem, Kind kind, bool whole_weights) {
  switch (kind) {
    case Kind::gini:
      return whole_weights ? search<Gini<CountedLabel>>(problem, kind)
                           : search<Gini<WeightedLabel>>(problem, kind);
    case Kind::entropy:
      return whole_weights ? search<Entropy<CountedLabel>>(problem, kind)
                           : search<Entropy<WeightedLabel>>(problem, kind);
    case Kind::squared_error:
      return search<SquaredError<1>>(problem, kind);
    case Kind::two_outputs:
      break;
  }
  return search<SquaredError<0>>(problem, kind);
}

class BestCut : public testing::TestWithParam<std::tuple<ColumnKind, Kind, bool>> {};

// Compared by impurity, not by threshold: several thresholds may be optimal. The impurity is that of the parts
// which the stored threshold makes, so a threshold that does not reproduce its partition fails here.
TEST_P(BestCut, is_as_good_as_the_exhaustive_search) {
  const auto [column_kind, criterion, whole_weights] = GetParam();
  for (std::uint64_t seed = 0; seed < 1500; ++seed) {
    const Problem problem = random_problem(seed, column_kind, criterion, whole_weights);
    const double least = exhaustive_search(problem, criterion);
    const Found found = search(problem, criterion, whole_weights);
    ASSERT_EQ(found.exists, std::isfinite(least)) << "seed " << seed;
    if (!found.exists) {
      continue;
    }
    const Partition parts = partition_at(problem, found.threshold);
    ASSERT_TRUE(is_allowed(problem, parts)) << "seed " << seed;
    const double impurity = impurity_of_parts(problem, criterion, parts);
    ASSERT_NEAR(impurity, least, 1e-9) << "seed " << seed;
    ASSERT_NEAR(found.impurity, impurity, 1e-9) << "seed " << seed;
  }
}

INSTANTIATE_TEST_SUITE_P(all, BestCut,
                         testing::Combine(testing::Values(ColumnKind::line, ColumnKind::circle),
                                          testing::Values(Kind::gini, Kind::entropy,
                                                          Kind::squared_error, Kind::two_outputs),
                                          testing::Bool()));

// A light part's impurity must not drown in the rounding errors of a heavy part's sums.
TEST(BestCut, is_as_good_as_the_exhaustive_search_where_weights_differ_by_decades) {
  for (const double light : {1e-4, 1e-8, 1e-12}) {
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
      Problem problem;
      Random random(seed);
      constexpr std::size_t n_rows = 40;
      problem.values = Matrix(n_rows, 1);
      problem.target.width = 2;
      for (std::size_t row = 0; row < n_rows; ++row) {
        const bool is_heavy = row < n_rows / 2;
        problem.values(row, 0) = random.uniform() + (is_heavy ? 0 : 1);
        problem.target.classes.push_back(is_heavy ? 0
                                                  : static_cast<std::uint32_t>(random.below(2)));
        problem.weights.push_back(is_heavy ? 1 : light);
      }
      const Found found = search(problem, Kind::gini, false);
      const double least = exhaustive_search(problem, Kind::gini);
      const Partition parts = partition_at(problem, found.threshold);
      ASSERT_LE(impurity_of_parts(problem, Kind::gini, parts), least * (1 + 1e-3) + 1e-300);
    }
  }
}

TEST(CountedLabel, holds_what_can_be_squared) {
  Target target;
  target.width = 2;
  EXPECT_TRUE(CountedLabel::can_hold(target, std::vector<double>{0, 255, 3}));
  EXPECT_FALSE(CountedLabel::can_hold(target, std::vector<double>{256}));
  EXPECT_FALSE(CountedLabel::can_hold(target, std::vector<double>{0.5}));
  EXPECT_TRUE(CountedLabel::can_hold(target, std::vector<double>(11'000'000, 255)));
  EXPECT_FALSE(CountedLabel::can_hold(target, std::vector<double>(12'000'000, 255)));
  target.width = 257;
  EXPECT_FALSE(CountedLabel::can_hold(target, std::vector<double>{1}));
}

TEST(SmallLabel, holds_sixteen_classes_and_fifteen_draws) {
  Target target;
  target.width = 16;
  EXPECT_TRUE(SmallLabel::can_hold(target, std::vector<double>{0, 15}));
  EXPECT_FALSE(SmallLabel::can_hold(target, std::vector<double>{16}));
  target.width = 17;
  EXPECT_FALSE(SmallLabel::can_hold(target, std::vector<double>{1}));
  const SmallLabel label = SmallLabel::of(15, 14);
  EXPECT_EQ(label.label, 15);
  EXPECT_EQ(label.weight, 14);
}

}  // namespace
}  // namespace bentwood
