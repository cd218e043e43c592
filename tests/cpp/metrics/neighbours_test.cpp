#include "bentwood/metrics/neighbours.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "bentwood/base/parallel.hpp"
#include "metrics/random_rows.hpp"

namespace bentwood {
namespace {

using metrics_test::message;
using metrics_test::random_labels;
using metrics_test::random_levels;
using Labels = std::vector<std::int64_t>;
using Sizes = std::vector<std::size_t>;

/// Neighbours found at random, and distances with many ties.
struct Sample {
  explicit Sample(std::uint64_t seed) : Sample(seed, 3 + Random(seed, 1).below(20)) {}
  Sample(std::uint64_t seed, std::size_t n) : n_rows(n), distances(n, n) {
    Random random(seed);
    n_found = 1 + random.below(n_rows - 1);
    for (std::size_t row = 0; row < n_rows; ++row) {
      std::vector<std::int64_t> others(n_rows);
      std::iota(others.begin(), others.end(), 0);
      others.erase(others.begin() + static_cast<std::ptrdiff_t>(row));
      random.shuffle(std::span(others));
      found.insert(found.end(), others.begin(),
                   others.begin() + static_cast<std::ptrdiff_t>(n_found));
    }
    distances = random_levels(random, n_rows, n_rows, 1 + random.below(12));
    labels = random_labels(random, n_rows, 1 + random.below(4));
    for (std::size_t size = 1; size <= n_found; ++size) {
      sizes.push_back(size);
    }
  }

  [[nodiscard]] NeighbourRows neighbours() const { return {found.data(), n_rows, n_found}; }
  [[nodiscard]] TrueDistances strips() const {
    return [this](std::size_t begin, std::size_t end) {
      const double* first = distances.data() + begin * n_rows;
      return Matrix(end - begin, n_rows, std::vector(first, first + (end - begin) * n_rows));
    };
  }

  std::size_t n_rows;
  std::size_t n_found = 0;
  Labels found;
  Matrix distances;
  Labels labels;
  Sizes sizes;
};

/// Whether fewer than `size` others are nearer.
bool is_near(const Sample& sample, std::size_t row, std::size_t other, std::size_t size) {
  std::size_t n_nearer = 0;
  for (std::size_t rival = 0; rival < sample.n_rows; ++rival) {
    const bool nearer = sample.distances(row, rival) < sample.distances(row, other);
    n_nearer += rival != row && nearer ? 1U : 0U;
  }
  return n_nearer < size;
}

struct Counts {
  double hits = 0;
  double truly = 0;
};

/// Every true neighbour asked for one by one; `is_true` takes row, other row and size.
template <class IsTrue>
Counts counts_of_the_definition(const Sample& sample, std::size_t row, std::size_t size,
                                IsTrue is_true) {
  Counts counts;
  const auto first = sample.neighbours().row(row).first(size);
  for (std::size_t other = 0; other < sample.n_rows; ++other) {
    if (other != row && is_true(row, other, size)) {
      counts.truly += 1;
      counts.hits +=
          static_cast<double>(std::ranges::count(first, static_cast<std::int64_t>(other)));
    }
  }
  return counts;
}

template <class IsTrue>
void expect_the_definition(const Sample& sample, const NeighbourScores& scores, IsTrue is_true) {
  for (std::size_t row = 0; row < sample.n_rows; ++row) {
    for (std::size_t place = 0; place < sample.sizes.size(); ++place) {
      const std::size_t size = sample.sizes[place];
      const Counts counts = counts_of_the_definition(sample, row, size, is_true);
      EXPECT_EQ(scores.precision(row, place), counts.hits / static_cast<double>(size));
      EXPECT_EQ(scores.recall(row, place), counts.truly > 0 ? counts.hits / counts.truly : 0);
    }
  }
}

TEST(DistanceNeighbourScores, are_those_of_the_definition) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const Sample sample(seed);
    expect_the_definition(
        sample, distance_neighbour_scores(sample.neighbours(), sample.strips(), sample.sizes),
        [&](std::size_t row, std::size_t other, std::size_t size) {
          return is_near(sample, row, other, size);
        });
  }
}

TEST(ClassNeighbourScores, are_those_of_the_definition) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const Sample sample(seed);
    expect_the_definition(sample,
                          class_neighbour_scores(sample.neighbours(), sample.labels, sample.sizes),
                          [&](std::size_t row, std::size_t other, std::size_t /*size*/) {
                            return sample.labels[row] == sample.labels[other];
                          });
  }
}

TEST(DistanceNeighbourScores, have_recall_equal_to_precision_where_no_distances_are_equal) {
  Sample sample(7, 20);
  Random random(8);
  for (std::size_t row = 0; row < sample.n_rows; ++row) {
    for (double& distance : sample.distances.row(row)) {
      distance = random.uniform();
    }
  }
  const NeighbourScores scores =
      distance_neighbour_scores(sample.neighbours(), sample.strips(), sample.sizes);
  EXPECT_TRUE(std::equal(scores.precision.data(),
                         scores.precision.data() + sample.n_rows * sample.sizes.size(),
                         scores.recall.data()));
}

TEST(DistanceNeighbourScores, take_infinitely_far_rows_for_equally_far) {
  Sample sample(9, 6);
  for (std::size_t row = 0; row < sample.n_rows; ++row) {
    for (double& distance : sample.distances.row(row)) {
      distance = std::numeric_limits<double>::infinity();
    }
  }
  const NeighbourScores scores =
      distance_neighbour_scores(sample.neighbours(), sample.strips(), sample.sizes);
  EXPECT_EQ(scores.precision(0, 0), 1);
  EXPECT_EQ(scores.recall(0, 0), 1.0 / 5);
}

// More rows than a strip has.
TEST(DistanceNeighbourScores, do_not_depend_on_strips_and_threads) {
  const std::size_t n_rows = 3'000;
  Labels found(n_rows * 2);
  for (std::size_t row = 0; row < n_rows; ++row) {
    found[2 * row] = static_cast<std::int64_t>((row + 1) % n_rows);
    found[2 * row + 1] = static_cast<std::int64_t>((row + 5) % n_rows);
  }
  const NeighbourRows neighbours(found.data(), n_rows, 2);
  // Along a line: the row after is one of the two nearest, but for the last, and the fifth after is not.
  std::size_t n_strips = 0;
  const TrueDistances distances = [&](std::size_t begin, std::size_t end) {
    ++n_strips;
    Matrix strip(end - begin, n_rows);
    for (std::size_t row = begin; row < end; ++row) {
      for (std::size_t other = 0; other < n_rows; ++other) {
        strip(row - begin, other) = std::abs(static_cast<double>(row) - static_cast<double>(other));
      }
    }
    return strip;
  };
  for (const std::size_t n_threads : {1U, 4U}) {
    const ThreadLimit limit(n_threads);
    n_strips = 0;
    const NeighbourScores scores = distance_neighbour_scores(neighbours, distances, Sizes{1, 2});
    EXPECT_GT(n_strips, 1U);
    for (std::size_t row = 0; row < n_rows; ++row) {
      const double hits = row + 1 < n_rows ? 1 : 0;
      EXPECT_EQ(scores.precision(row, 0), hits);
      EXPECT_EQ(scores.precision(row, 1), hits / 2);
      EXPECT_EQ(scores.recall(row, 0), row == 0 ? 1 : hits / 2);
    }
  }
}

TEST(NeighbourScores, name_what_is_wrong) {
  const auto answer = [](const Labels& found, std::size_t n_found, const Sizes& sizes) {
    return message([&] {
      static_cast<void>(class_neighbour_scores({found.data(), found.size() / n_found, n_found},
                                               Labels{0, 0, 1}, sizes));
    });
  };
  EXPECT_EQ(answer({1, 2, 0, 2, 0, 1}, 2, {1, 2}), "accepted");
  EXPECT_EQ(answer({1, 2, 0, 3, 0, 1}, 2, {1}), "row 1: a neighbour is 3, expected 0 to 2");
  EXPECT_EQ(answer({1, 2, 0, -1, 0, 1}, 2, {1}), "row 1: a neighbour is -1, expected 0 to 2");
  EXPECT_EQ(answer({1, 2, 0, 1, 0, 1}, 2, {1}),
            "row 1: is its own neighbour, expected other rows alone");
  EXPECT_EQ(answer({1, 2, 0, 2, 1, 1}, 2, {1}), "row 2: neighbour 1 is there twice, expected once");
  EXPECT_EQ(answer({1, 2, 0, 2, 0, 1}, 2, {3}), "the number of neighbours is 3, expected 1 to 2");
  EXPECT_EQ(message([] {
              static_cast<void>(class_neighbour_scores({nullptr, 3, 0}, Labels{0, 0, 1},
                                                       std::vector<std::size_t>{1}));
            }),
            "no neighbours of the rows, expected at least one of each");
  EXPECT_EQ(answer({1, 2, 0, 2, 0, 1}, 2, {0}), "the number of neighbours is 0, expected 1 to 2");
  EXPECT_EQ(answer({1, 0}, 1, {1}), "3 labels for 2 rows, expected one each");
  EXPECT_EQ(answer({}, 1, {1}), "no rows, expected at least one");

  const Labels found{1, 0};
  const auto told = [&](const Matrix& distances) {
    return message([&] {
      static_cast<void>(distance_neighbour_scores(
          {found.data(), 2, 1}, [&](std::size_t, std::size_t) { return distances; }, Sizes{1}));
    });
  };
  EXPECT_EQ(told(Matrix(2, 2, {0, 1, std::nan(""), 0})),
            "row 1: the true distance from row 0 is nan, expected at least 0");
  EXPECT_EQ(told(Matrix(1, 2)),
            "the true distances of rows 0 to 1 are 1 by 2 numbers, expected 2 by 2");
}

}  // namespace
}  // namespace bentwood
