#include "bentwood/linear/hyperclasses.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "bentwood/base/random.hpp"

namespace bentwood {
namespace {

struct Problem {
  Problem(std::size_t n_classes, std::size_t dim, std::uint64_t seed, double scale,
          double curvature)
      : manifold(Signature({{Geometry::hyperbolic, dim, curvature}}), Coordinates::tangent) {
    Random random(seed);
    const std::size_t n_rows = 12 * n_classes;
    const double radius = 1 / std::sqrt(-curvature);
    vectors = Matrix(n_rows, dim);
    Matrix centres(n_classes, dim);
    for (std::size_t label = 0; label < n_classes; ++label) {
      for (double& value : centres.row(label)) {
        value = scale * radius * random.normal();
      }
    }
    for (std::size_t row = 0; row < n_rows; ++row) {
      classes.push_back(static_cast<std::uint32_t>(row % n_classes));
      weights.push_back(row % 5 == 4 ? 0 : 0.5 + random.uniform());
      for (std::size_t axis = 0; axis < dim; ++axis) {
        vectors(row, axis) = centres(classes.back(), axis) + 0.5 * radius * random.normal();
      }
    }
    rows.resize(n_rows);
    std::iota(rows.begin(), rows.end(), 0U);
    points = PolarPoints(manifold, vectors);
  }

  Manifold manifold;
  Matrix vectors;
  PolarPoints points;
  std::vector<std::uint32_t> rows;
  std::vector<std::uint32_t> classes;
  std::vector<double> weights;
};

/// From the definition: means of all rows of a cluster and ancestors by the manifold itself.
struct Slow {
  explicit Slow(const Problem& problem, std::size_t n_classes) : problem_(problem) {
    std::vector<std::vector<std::uint32_t>> clusters;
    for (std::uint32_t label = 0; label < n_classes; ++label) {
      clusters.push_back({label});
    }
    while (clusters.size() > 1) {
      double best = -1;
      std::size_t at[2] = {0, 0};
      for (std::size_t a = 0; a < clusters.size(); ++a) {
        for (std::size_t b = a + 1; b < clusters.size(); ++b) {
          const Matrix ancestor =
              problem.manifold.lowest_common_ancestor(mean(clusters[a]), mean(clusters[b]));
          const double radius = problem.manifold.radii(ancestor)(0, 0) /
                                problem.manifold.signature().factors()[0].radius();
          if (radius > best) {
            best = radius;
            at[0] = a;
            at[1] = b;
          }
        }
      }
      std::vector<std::uint32_t> both = clusters[at[0]];
      both.insert(both.end(), clusters[at[1]].begin(), clusters[at[1]].end());
      std::ranges::sort(both);
      clusters.erase(clusters.begin() + static_cast<std::ptrdiff_t>(at[1]));
      clusters.erase(clusters.begin() + static_cast<std::ptrdiff_t>(at[0]));
      clusters.push_back(both);
      merged.push_back(both);
      radii.push_back(best);
    }
  }

  [[nodiscard]] Matrix mean(const std::vector<std::uint32_t>& cluster) const {
    std::vector<double> weights;
    for (std::size_t row = 0; row < problem_.rows.size(); ++row) {
      const bool in = std::ranges::find(cluster, problem_.classes[row]) != cluster.end();
      weights.push_back(in ? problem_.weights[row] : 0);
    }
    return problem_.manifold.mean(problem_.vectors, weights, MeanKind::einstein);
  }

  const Problem& problem_;
  std::vector<std::vector<std::uint32_t>> merged;
  std::vector<double> radii;
};

TEST(Hyperclasses, are_those_of_means_and_ancestors_by_the_manifold) {
  std::uint64_t seed = 0;
  for (const std::size_t dim : {2U, 3U, 6U}) {
    for (const double scale : {0.5, 2.0, 6.0}) {
      for (const double curvature : {-1.0, -0.3}) {
        for (const std::size_t n_classes : {2U, 3U, 7U}) {
          const Problem problem(n_classes, dim, ++seed, scale, curvature);
          const Slow expected(problem, n_classes);
          const Hyperclasses found = hyperclasses(problem.points, problem.rows, problem.classes,
                                                  problem.weights, n_classes);
          ASSERT_EQ(found.merged.size(), n_classes - 2);
          for (std::size_t merge = 0; merge < n_classes - 1; ++merge) {
            EXPECT_NEAR(found.ancestor_radii[merge], expected.radii[merge], 1e-9);
            if (merge + 2 < n_classes) {
              EXPECT_EQ(found.merged[merge], expected.merged[merge]);
            }
          }
        }
      }
    }
  }
}

TEST(Hyperclasses, linkage_is_a_tree_of_ascending_heights) {
  const Problem problem(8, 3, 99, 2, -1);
  const Hyperclasses found =
      hyperclasses(problem.points, problem.rows, problem.classes, problem.weights, 8);
  ASSERT_EQ(found.linkage.n_rows(), 7U);
  std::vector<double> heights(15, 0);
  std::vector<double> sizes(15, 1);
  std::vector<int> uses(15, 0);
  for (std::size_t merge = 0; merge < 7; ++merge) {
    const auto a = static_cast<std::size_t>(found.linkage(merge, 0));
    const auto b = static_cast<std::size_t>(found.linkage(merge, 1));
    ASSERT_LT(a, b);
    ASSERT_LT(b, 8 + merge);
    ++uses[a];
    ++uses[b];
    heights[8 + merge] = found.linkage(merge, 2);
    sizes[8 + merge] = sizes[a] + sizes[b];
    EXPECT_GE(heights[8 + merge], std::max(heights[a], heights[b]));
    EXPECT_EQ(found.linkage(merge, 3), sizes[8 + merge]);
  }
  EXPECT_TRUE(std::all_of(uses.begin(), uses.end() - 1, [](int n) { return n == 1; }));
}

TEST(Hyperclasses, classes_without_rows_are_not_there) {
  const Problem problem(3, 2, 5, 2, -1);
  std::vector<std::uint32_t> classes = problem.classes;
  for (std::uint32_t& label : classes) {
    label = 2 * label + 1;
  }
  const Hyperclasses found =
      hyperclasses(problem.points, problem.rows, classes, problem.weights, 9);
  EXPECT_EQ(found.classes, (std::vector<std::uint32_t>{1, 3, 5}));
  EXPECT_EQ(found.merged.size(), 1U);
  const Hyperclasses none = hyperclasses(problem.points, {}, {}, {}, 3);
  EXPECT_TRUE(none.classes.empty());
  EXPECT_TRUE(none.merged.empty());
}

}  // namespace
}  // namespace bentwood
