#include "bentwood/draw/disk_cuts.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>
#include <vector>

#include "bentwood/base/random.hpp"
#include "bentwood/draw/regions.hpp"
#include "bentwood/infer/reference.hpp"
#include "model/random_forest.hpp"

namespace bentwood {
namespace {

/// A tree of geodesics, half-turns and horospheres on a curved disk.
Forest random_disk_forest(std::uint64_t seed) {
  const RandomForestShape shape{
      "H2(-0.5)",
      Coordinates::poincare,
      {ColumnFamily::geodesic, ColumnFamily::pairs, ColumnFamily::horosphere},
      1,
      12,
      1,
      4};
  const Manifold manifold(shape.signature, shape.coordinates);
  return random_forest(shape, manifold.random(60, 1, seed), seed);
}

std::vector<std::uint32_t> path_of(const Forest& forest, PlanePoint point) {
  const double radius = std::sqrt(2.0);
  const Matrix row = forest.columns.values(Matrix(1, 2, {radius * point.x, radius * point.y}));
  return decision_path(forest.trees[0], forest.columns.columns(), row.row(0));
}

PlanePoint middle_of(const DiskCut& cut) {
  const PlanePoint chord{cut.from.x / 2 + cut.to.x / 2, cut.from.y / 2 + cut.to.y / 2};
  if (!cut.circle) {
    return chord;
  }
  const double x = chord.x - cut.circle->centre.x;
  const double y = chord.y - cut.circle->centre.y;
  const double scale = cut.circle->radius / std::hypot(x, y);
  return {cut.circle->centre.x + scale * x, cut.circle->centre.y + scale * y};
}

/// The distance of a point from the part of the curve that is drawn, or so much that it is not near.
double distance(const DiskCut& cut, PlanePoint point) {
  const double chord_x = cut.to.x - cut.from.x;
  const double chord_y = cut.to.y - cut.from.y;
  const double squared = chord_x * chord_x + chord_y * chord_y;
  if (!cut.circle) {
    const double share = std::clamp(
        ((point.x - cut.from.x) * chord_x + (point.y - cut.from.y) * chord_y) / squared, 0.0, 1.0);
    return std::hypot(point.x - cut.from.x - share * chord_x,
                      point.y - cut.from.y - share * chord_y);
  }
  const auto angle = [&](PlanePoint at) {
    return std::atan2(at.y - cut.circle->centre.y, at.x - cut.circle->centre.x);
  };
  const double half =
      std::abs(std::remainder(angle(cut.to) - angle(cut.from), 2 * std::numbers::pi)) / 2;
  const bool within =
      std::abs(std::remainder(angle(point) - angle(middle_of(cut)), 2 * std::numbers::pi)) <= half;
  const double to_circle =
      std::abs(std::hypot(point.x - cut.circle->centre.x, point.y - cut.circle->centre.y) -
               cut.circle->radius);
  const double to_ends = std::min(std::hypot(point.x - cut.from.x, point.y - cut.from.y),
                                  std::hypot(point.x - cut.to.x, point.y - cut.to.y));
  return within ? to_circle : to_ends;
}

// A little to either side of the middle of every part the node is reached, and sends the two sides apart.
TEST(DiskCuts, divide_what_reaches_their_nodes) {
  std::size_t n_parts = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const Forest forest = random_disk_forest(seed);
    for (const DiskCut& cut : disk_cuts(forest.trees[0], forest.columns)) {
      const PlanePoint middle = middle_of(cut);
      if (std::hypot(middle.x, middle.y) > 0.99 ||
          std::hypot(cut.to.x - cut.from.x, cut.to.y - cut.from.y) < 1e-4) {
        continue;
      }
      PlanePoint normal{cut.to.y - cut.from.y, cut.from.x - cut.to.x};
      const double length = std::hypot(normal.x, normal.y);
      std::vector<std::uint32_t> next;
      for (const double step : {-1e-7, 1e-7}) {
        const std::vector<std::uint32_t> path = path_of(
            forest, {middle.x + step * normal.x / length, middle.y + step * normal.y / length});
        const auto place = std::ranges::find(path, cut.node);
        ASSERT_NE(place, path.end()) << "seed " << seed << ", node " << cut.node;
        next.push_back(*(place + 1));
      }
      EXPECT_NE(next[0], next[1]) << "seed " << seed << ", node " << cut.node;
      ++n_parts;
    }
  }
  EXPECT_GT(n_parts, 300U);
}

// Wherever two neighbours reach different leaves a cut runs between them.
TEST(DiskCuts, are_all_there) {
  Random random(3);
  std::size_t n_changes = 0;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    const Forest forest = random_disk_forest(seed);
    const std::vector<DiskCut> cuts = disk_cuts(forest.trees[0], forest.columns);
    for (int item = 0; item < 300; ++item) {
      const double radius = 0.97 * std::sqrt(random.uniform());
      const double angle = 2 * std::numbers::pi * random.uniform();
      const PlanePoint point{radius * std::cos(angle), radius * std::sin(angle)};
      const PlanePoint neighbour{point.x + 0.01 * random.normal(),
                                 point.y + 0.01 * random.normal()};
      if (std::hypot(neighbour.x, neighbour.y) > 0.99 ||
          path_of(forest, point) == path_of(forest, neighbour)) {
        continue;
      }
      double nearest = std::numeric_limits<double>::infinity();
      for (const DiskCut& cut : cuts) {
        nearest = std::min(nearest, distance(cut, point));
      }
      EXPECT_LE(nearest,
                std::hypot(point.x - neighbour.x, point.y - neighbour.y) * (1 + 1e-6) + 1e-8);
      ++n_changes;
    }
  }
  EXPECT_GT(n_changes, 100U);
}

TEST(DiskCuts, touch_the_rim_where_they_are_horospheres) {
  Tree tree;
  tree.nodes = {{1, 2, 1}, {0, TreeNode::leaf, 0}, {0, TreeNode::leaf, 0}};
  tree.weights = {2, 1, 1};
  tree.width = 1;
  tree.values = {1};
  const Columns columns(Manifold("H2"), {ColumnFamily::geodesic, ColumnFamily::horosphere});
  tree.own.add_horosphere(columns.polar_places()[0], std::vector<double>{0.6, 0.8}, 1);
  const std::vector<DiskCut> cuts = disk_cuts(tree, columns);
  ASSERT_GE(cuts.size(), 3U);
  for (const DiskCut& cut : cuts) {
    // B_w = 0 goes through the origin.
    EXPECT_NEAR(cut.circle->radius, 0.5, 1e-15);
    EXPECT_NEAR(cut.circle->centre.x, 0.3, 1e-15);
    EXPECT_NEAR(cut.circle->centre.y, 0.4, 1e-15);
  }
}

TEST(DiskCuts, are_drawn_over_the_regions_of_a_tree) {
  Forest forest = random_disk_forest(1);
  ASSERT_FALSE(forest.trees[0].own.empty());
  const Matrix none(0, 2);
  const std::string picture = region_picture(forest, {.rows = none}, {.pixel = 10});
  const std::vector<DiskCut> cuts = disk_cuts(forest.trees[0], forest.columns);
  std::ptrdiff_t n_arcs = 0;
  for (std::size_t place = picture.find("A"); place != std::string::npos;
       place = picture.find("A", place + 1)) {
    ++n_arcs;
  }
  EXPECT_GE(n_arcs,
            std::ranges::count_if(cuts, [](const DiskCut& cut) { return cut.circle.has_value(); }));
}

}  // namespace
}  // namespace bentwood
