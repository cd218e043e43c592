#include "bentwood/draw/regions.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "bentwood/base/error.hpp"
#include "bentwood/base/random.hpp"
#include "bentwood/draw/axes.hpp"
#include "bentwood/draw/palette.hpp"
#include "bentwood/draw/tree_regions.hpp"
#include "bentwood/infer/reference.hpp"
#include "draw/drawn_paths.hpp"

namespace bentwood {
namespace {

constexpr std::size_t n_classes = 3;

/// A tree in which every node above `depth` is cut, at random.
Tree full_tree(const Columns& columns, std::size_t depth, Random& random) {
  Tree tree;
  tree.width = n_classes;
  for (std::size_t label = 0; label < n_classes; ++label) {
    for (std::size_t other = 0; other < n_classes; ++other) {
      tree.values.push_back(label == other ? 0.75 : 0.125);
    }
  }
  const std::size_t n_inner = (std::size_t{1} << depth) - 1;
  for (std::size_t number = 0; number < 2 * n_inner + 1; ++number) {
    TreeNode node;
    if (number < n_inner) {
      const std::size_t column = random.below(columns.size());
      const bool circle = columns.columns()[column].kind == ColumnKind::circle;
      node.column = static_cast<std::int32_t>(column);
      node.threshold = circle ? std::numbers::pi * random.uniform() : random.normal();
      node.child = static_cast<std::uint32_t>(2 * number + 1);
    } else {
      node.child = static_cast<std::uint32_t>(random.below(n_classes));
    }
    tree.nodes.push_back(node);
    tree.weights.push_back(1);
  }
  return tree;
}

struct Case {
  const char* signature = "H2";
  Coordinates coordinates = Coordinates::ambient;
  bool pairs = false;
};

Forest make_forest(const Case& shape, std::size_t n_trees, std::size_t depth, std::uint64_t seed) {
  std::vector<ColumnFamily> families{ColumnFamily::geodesic};
  if (shape.pairs) {
    families.push_back(ColumnFamily::pairs);
  }
  Forest forest{.columns = Columns(Manifold(shape.signature, shape.coordinates), families),
                .classes = std::vector<std::string>{"ant", "bee", "<cat>"}};
  for (std::size_t tree = 0; tree < n_trees; ++tree) {
    Random random(seed, 0, tree);
    forest.trees.push_back(full_tree(forest.columns, depth, random));
  }
  return forest;
}

/// The picture's square, which a picture of 900 pixels has on its canvas.
PlaneFrame picture_frame(bool hyperbolic, PlanePoint low = {}, PlanePoint high = {}) {
  return hyperbolic ? PlaneFrame{{.hyperbolic = true}, 450, 514, 422}
                    : PlaneFrame{{false, low, high}, 467, 483, 405};
}

/// The class that the plain walk finds at a place of the canvas; none outside the disk.
std::optional<std::size_t> class_at(const Forest& forest, const PlaneFrame& frame,
                                    PlanePoint canvas) {
  const PlanePoint point = frame.at(canvas);
  if (frame.map.hyperbolic && std::hypot(point.x, point.y) > 0.9999) {
    return std::nullopt;
  }
  const Manifold& manifold = forest.columns.manifold();
  const double radius = manifold.signature().factors().front().radius();
  const Matrix drawn(1, 2, {radius * point.x, radius * point.y});
  const Matrix row =
      manifold.convert(drawn, frame.map.hyperbolic ? Coordinates::poincare : Coordinates::ambient,
                       manifold.coordinates());
  const Matrix values = predict_values(forest, row).values;
  return static_cast<std::size_t>(std::ranges::max_element(values.row(0)) - values.row(0).begin());
}

/// The class of a place more than a pixel away from any other.
std::optional<std::size_t> class_around(const Forest& forest, const PlaneFrame& frame,
                                        PlanePoint canvas) {
  const auto centre = class_at(forest, frame, canvas);
  for (const double dx : {-1.0, 0.0, 1.0}) {
    for (const double dy : {-1.0, 0.0, 1.0}) {
      if (class_at(forest, frame, {canvas.x + dx, canvas.y + dy}) != centre) {
        return std::nullopt;
      }
    }
  }
  return centre;
}

/// Calls back with places all over the picture.
void for_grid(const PlaneFrame& frame, double step,
              const std::function<void(PlanePoint)>& callback) {
  for (double x = frame.x - frame.half_side + step / 3; x < frame.x + frame.half_side; x += step) {
    for (double y = frame.y - frame.half_side + step / 3; y < frame.y + frame.half_side;
         y += step) {
      callback({x, y});
    }
  }
}

class Regions : public testing::TestWithParam<Case> {};

// The picture itself is read back: its arcs, their sense and their order are part of the claim.
TEST_P(Regions, of_a_tree_have_the_class_that_the_walk_predicts) {
  const bool hyperbolic = GetParam().signature[0] == 'H';
  const Matrix corners = Manifold("E2").convert(Matrix(2, 2, {-2, -2, 2, 2}), Coordinates::ambient,
                                                GetParam().coordinates);
  const PlaneFrame frame = picture_frame(hyperbolic, {-2.16, -2.16}, {2.16, 2.16});
  for (std::size_t depth = 1; depth <= 6; ++depth) {
    for (std::uint64_t seed = 0; seed < 4; ++seed) {
      const Forest forest = make_forest(GetParam(), 1, depth, seed);
      const std::vector<DrawnPath> paths =
          drawn_paths(region_picture(forest, {hyperbolic ? Matrix() : corners}));
      std::size_t n_checked = 0;
      for_grid(frame, 37, [&](PlanePoint place) {
        const auto expected = class_around(forest, frame, place);
        if (!expected) {
          return;
        }
        ++n_checked;
        std::vector<std::string> found;
        for (const DrawnPath& path : paths) {
          if (path.fill != "none" && path.covers(place)) {
            found.push_back(path.fill);
          }
        }
        ASSERT_EQ(found, std::vector<std::string>{std::string(class_colour(*expected))})
            << "depth " << depth << ", seed " << seed << " at " << place.x << ", " << place.y;
      });
      EXPECT_GT(n_checked, 250U);
    }
  }
}

TEST_P(Regions, of_a_forest_have_the_class_that_the_walk_predicts) {
  const bool hyperbolic = GetParam().signature[0] == 'H';
  const PlaneFrame frame = picture_frame(hyperbolic, {-2.16, -2.16}, {2.16, 2.16});
  const Matrix corners = Manifold("E2").convert(Matrix(2, 2, {-2, -2, 2, 2}), Coordinates::ambient,
                                                GetParam().coordinates);
  const Forest forest = make_forest(GetParam(), 5, 4, 11);
  const std::string picture = region_picture(forest, {hyperbolic ? Matrix() : corners});
  // All rectangles of a colour, as "Mx yhWvHh-Wz".
  const std::regex rectangle("M([-0-9.]+) ([-0-9.]+)h([0-9.]+)v([0-9.]+)h");
  std::size_t n_checked = 0;
  std::vector<std::string> paths(n_classes);
  for (std::size_t label = 0; label < n_classes; ++label) {
    const std::size_t fill = picture.find("z\" fill=\"" + std::string(class_colour(label)));
    if (fill != std::string::npos) {
      const std::size_t begin = picture.rfind("d=\"", fill);
      paths[label] = picture.substr(begin, fill - begin);
    }
  }
  for_grid(frame, 53, [&](PlanePoint place) {
    const auto expected = class_around(forest, frame, place);
    if (!expected) {
      return;
    }
    ++n_checked;
    for (std::size_t label = 0; label < n_classes; ++label) {
      bool covered = false;
      for (std::sregex_iterator match(paths[label].begin(), paths[label].end(), rectangle), end;
           match != end; ++match) {
        const double x = std::stod((*match)[1]);
        const double y = std::stod((*match)[2]);
        covered = covered || (place.x > x && place.x < x + std::stod((*match)[3]) && place.y > y &&
                              place.y < y + std::stod((*match)[4]));
      }
      ASSERT_EQ(covered, label == *expected) << place.x << ", " << place.y;
    }
  });
  EXPECT_GT(n_checked, 100U);
}

INSTANTIATE_TEST_SUITE_P(Planes, Regions,
                         testing::Values(Case{"H2", Coordinates::ambient, false},
                                         Case{"H2", Coordinates::ambient, true},
                                         Case{"H2(-0.25)", Coordinates::klein, true},
                                         Case{"H2(-4)", Coordinates::poincare, true},
                                         Case{"E2", Coordinates::ambient, false},
                                         Case{"E2", Coordinates::tangent, true}),
                         [](const testing::TestParamInfo<Case>& param_info) {
                           std::string name = param_info.param.signature;
                           std::erase_if(name, [](char letter) { return !std::isalnum(letter); });
                           return name + std::string(bentwood::name(param_info.param.coordinates)) +
                                  (param_info.param.pairs ? "Pairs" : "");
                         });

// Two circles cross at right angles where the squares of their radii add up to that of the distance
// of their centres: here 1 + r² = |c|².
TEST(Cuts, meet_the_rim_at_right_angles) {
  Random random(5);
  for (int trial = 0; trial < 1000; ++trial) {
    const Column column{.axis = 1 + random.below(2)};
    const double threshold = 2 * random.normal();
    const auto circle = poincare_circle(left_side(column, threshold, true));
    ASSERT_TRUE(circle.has_value());
    const auto [centre, radius] = *circle;
    const double square = centre.x * centre.x + centre.y * centre.y;
    EXPECT_NEAR(square, 1 + radius * radius, 1e-9 * square);
    // It crosses its axis at the distance that is the threshold.
    const double along = (column.axis == 1 ? centre.x : centre.y);
    EXPECT_NEAR(2 * std::atanh(along - std::copysign(radius, threshold)), threshold,
                1e-6 * std::abs(threshold));
  }
}

TEST(Cuts, are_drawn_as_arcs_at_right_angles_to_the_rim) {
  std::size_t n_arcs = 0;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    const Forest forest = make_forest({}, 1, 1, seed);
    for (const DrawnPath& path : drawn_paths(region_picture(forest, {Matrix()}))) {
      if (path.fill != "none") {
        continue;
      }
      ASSERT_EQ(path.arcs.size(), 1U);
      const DrawnArc& arc = path.arcs.front();
      for (const PlanePoint end : {arc.from, arc.to}) {
        EXPECT_NEAR(std::hypot(end.x - 450, end.y - 514), 422, 0.02);
      }
      const double x = (arc.circle.centre.x - 450) / 422;
      const double y = (arc.circle.centre.y - 514) / 422;
      const double radius = arc.circle.radius / 422;
      EXPECT_NEAR(x * x + y * y, 1 + radius * radius, 1e-3 * (x * x + y * y));
      ++n_arcs;
    }
  }
  EXPECT_EQ(n_arcs, 30U);
}

TEST(Cuts, through_the_origin_are_diameters) {
  Forest forest = make_forest({.pairs = true}, 1, 1, 0);
  TreeNode& root = forest.trees.front().nodes.front();
  root.column = 0;
  root.threshold = 0;
  EXPECT_NE(region_picture(forest, {Matrix()}).find("\"M450 936L450 92\""), std::string::npos);
  root.column = 2;
  root.threshold = std::numbers::pi / 4;
  EXPECT_NE(region_picture(forest, {Matrix()}).find("\"M151.6 812.4L748.4 215.6\""),
            std::string::npos);
}

// The cut of a node that nothing reaches on one side divides nothing.
TEST(Cuts, are_drawn_only_where_they_divide) {
  Forest forest = make_forest({}, 1, 2, 0);
  Tree& tree = forest.trees.front();
  tree.nodes[0].column = tree.nodes[1].column = 0;
  tree.nodes[2].column = 1;
  tree.nodes[0].threshold = -0.5;
  tree.nodes[1].threshold = 0.25;
  tree.nodes[2].threshold = 0;
  const TreeRegions regions = tree_regions(tree, forest.columns, {.hyperbolic = true});
  ASSERT_EQ(regions.cuts.size(), 2U);
  EXPECT_EQ(regions.cuts[0].node, 0U);
  EXPECT_EQ(regions.cuts[1].node, 2U);
  EXPECT_EQ(regions.leaves.size(), 3U);
  // From the root's cut to the rim.
  const PlanePoint ends[]{regions.cuts[1].from, regions.cuts[1].to};
  EXPECT_NEAR(std::min(ends[0].x, ends[1].x), std::tanh(-0.5), 1e-15);
  EXPECT_NEAR(std::max(ends[0].x, ends[1].x), 1, 1e-15);
  EXPECT_NEAR(ends[0].y, 0, 1e-15);
}

TEST(Cuts, far_beyond_the_picture_leave_it_whole) {
  for (const double threshold : {-800.0, -40.0, 40.0, 800.0}) {
    Forest forest = make_forest({}, 1, 1, 0);
    forest.trees.front().nodes.front().threshold = threshold;
    const TreeRegions regions =
        tree_regions(forest.trees.front(), forest.columns, {.hyperbolic = true});
    EXPECT_EQ(regions.leaves.size(), 1U);
    EXPECT_EQ(regions.leaves.front().node, threshold > 0 ? 1U : 2U);
    EXPECT_TRUE(regions.cuts.empty());
  }
}

double area(const Piece& piece) {
  double twice = 0;
  for (const PieceEdge& edge : piece) {
    twice += edge.from.x * edge.to.y - edge.from.y * edge.to.x;
    // What lies between an arc and its chord.
    twice += edge.turn - std::sin(edge.turn);
  }
  return twice / 2;
}

TEST(LeafRegions, tile_the_disk_and_the_window) {
  for (const bool hyperbolic : {true, false}) {
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
      const Forest forest = make_forest({hyperbolic ? "H2" : "E2", {}, true}, 1, 7, seed);
      const FlatMap map{hyperbolic, {-1, -2}, {3, 2}};
      double sum = 0;
      for (const LeafRegion& leaf :
           tree_regions(forest.trees.front(), forest.columns, map).leaves) {
        EXPECT_GE(area(leaf.piece), -1e-15);
        sum += area(leaf.piece);
      }
      EXPECT_NEAR(sum, hyperbolic ? std::numbers::pi : 16, 1e-12);
    }
  }
}

TEST(RegionPicture, colours_values_on_a_scale_and_shows_it) {
  Forest forest = make_forest({}, 1, 2, 3);
  forest.task = Task::regression;
  forest.classes = {};
  forest.output_names = {"mass", "height", "age"};
  for (std::uint32_t leaf = 3; leaf < 7; ++leaf) {
    forest.trees.front().nodes[leaf].child = leaf % 3;
  }
  const std::vector<double> values{-1, 0.5, 2};
  const Matrix rows = Manifold("H2").random(3, 1, 1);
  const std::string picture = region_picture(forest, {rows, {}, values}, {.output = 1});
  EXPECT_NE(picture.find(">height</text>"), std::string::npos);
  EXPECT_NE(picture.find("fill=\"" + scale_colour(0)), std::string::npos);
  EXPECT_NE(picture.find("fill=\"" + scale_colour(1)), std::string::npos);
  EXPECT_NE(picture.find(">-1</text>"), std::string::npos);
  EXPECT_NE(picture.find(">2</text>"), std::string::npos);
  EXPECT_EQ(scale_colour(0), "#440154");
  EXPECT_EQ(scale_colour(1), "#fde725");
  EXPECT_EQ(scale_colour(-3), scale_colour(0));
  EXPECT_EQ(scale_colour(std::nextafter(1, 2)), scale_colour(1));
}

TEST(RegionPicture, has_the_colours_of_the_palette_and_a_legend) {
  const Forest forest = make_forest({.pairs = true}, 1, 6, 2);
  const Matrix rows = Manifold("H2").random(9, 1, 4);
  const std::vector<std::int64_t> labels{0, 1, 2, 0, 1, 2, 0, 1, 2};
  const std::string picture = region_picture(forest, {rows, labels});
  std::set<std::string> fills;
  for (const DrawnPath& path : drawn_paths(picture)) {
    fills.insert(path.fill);
  }
  std::set<std::string> expected{"none"};
  for (std::size_t label = 0; label < n_classes; ++label) {
    expected.emplace(class_colour(label));
  }
  EXPECT_EQ(fills, expected);
  for (const char* name : {">ant</text>", ">bee</text>", ">&lt;cat&gt;</text>"}) {
    EXPECT_NE(picture.find(name), std::string::npos);
  }
  EXPECT_NE(picture.find("<title id=\"title\">A tree with 64 leaves on H2</title>"),
            std::string::npos);
  EXPECT_NE(picture.find("The regions of a tree with 64 leaves on the Poincaré disk, coloured by "
                         "predicted class, with 9 points."),
            std::string::npos);
}

TEST(RegionPicture, has_rings_around_the_points_that_are_marked) {
  const Forest forest = make_forest({}, 2, 2, 0);
  const Matrix rows = Manifold("H2").random(3, 1, 4);
  const std::vector<std::int64_t> labels{0, 1, 2};
  const std::vector<std::uint8_t> ringed{1, 0, 1};
  const auto n_rings = [](const std::string& picture) {
    std::size_t count = 0;
    const std::string ring = "stroke=\"#1a1a1a\"";
    for (std::size_t at = picture.find(ring); at != std::string::npos;
         at = picture.find(ring, at + 1)) {
      ++count;
    }
    return count;
  };
  const RegionPoints points{.rows = rows, .classes = labels, .ringed = ringed};
  const std::string picture = region_picture(forest, points, {.ring_name = "wrong"});
  EXPECT_EQ(n_rings(picture), 3U);  // two points and the legend
  EXPECT_NE(picture.find(">wrong</text>"), std::string::npos);
  EXPECT_NE(picture.find("with 3 points, 2 of them ringed."), std::string::npos);
  EXPECT_EQ(n_rings(region_picture(forest, {rows, labels})), 0U);
}

TEST(RegionPicture, takes_other_names_for_the_classes) {
  const Forest forest = make_forest({}, 2, 2, 0);
  const std::string picture = region_picture(forest, {Matrix()}, {.class_names = {"x", "y", "z"}});
  EXPECT_NE(picture.find(">y</text>"), std::string::npos);
  EXPECT_EQ(picture.find(">bee</text>"), std::string::npos);
  EXPECT_NE(region_picture(forest, {Matrix()}).find(">bee</text>"), std::string::npos);
}

TEST(RegionPicture, of_one_tree_of_a_forest_is_that_of_the_tree) {
  const Forest forest = make_forest({.pairs = true}, 3, 4, 6);
  Forest second = forest;
  second.trees = {forest.trees[1]};
  const std::vector<DrawnPath> left =
      drawn_paths(region_picture(forest, {Matrix()}, {.title = "t", .tree = 1}));
  const std::vector<DrawnPath> right = drawn_paths(region_picture(second, {Matrix()}));
  ASSERT_EQ(left.size(), right.size());
  for (std::size_t path = 0; path < left.size(); ++path) {
    EXPECT_EQ(left[path].fill, right[path].fill);
    EXPECT_EQ(left[path].corners.size(), right[path].corners.size());
  }
}

TEST(RegionPicture, of_points_far_from_the_origin_has_a_window) {
  const Forest forest = make_forest({"E2"}, 1, 2, 0);
  for (const Matrix& rows : {Matrix(1, 2, {1e17, -1e17}), Matrix(2, 2, {1e300, 0, 1e300, 0})}) {
    EXPECT_EQ(region_picture(forest, {rows}).find("nan"), std::string::npos);
  }
}

TEST(RegionPicture, names_what_cannot_be_drawn) {
  const auto message = [](const Forest& forest, const RegionPoints& points,
                          const RegionPictureOptions& options = {}) {
    try {
      static_cast<void>(region_picture(forest, points, options));
    } catch (const InvalidInput& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  for (const char* signature : {"H3", "S2", "E1", "H2 x E2", "E1 x E1"}) {
    EXPECT_EQ(message({.columns = Columns(Manifold(signature))}, {Matrix()}),
              "the model is on " + Signature(signature).text() +
                  ", and regions can be drawn on H2 and E2 only");
  }
  EXPECT_EQ(message({.columns = Columns(Manifold("H2"))}, {Matrix()}), "the forest has no trees");
  Forest forest = make_forest({}, 2, 1, 0);
  EXPECT_EQ(message(forest, {Matrix()}, {.tree = 2}),
            "there is no tree 2: the model has 2, counted from 0");
  const Matrix rows = Manifold("H2").random(2, 1, 0);
  const std::vector<std::int64_t> one{0};
  EXPECT_EQ(message(forest, {rows, one}), "expected one label for each of the 2 points, found 1");
  const std::vector<std::int64_t> large{0, 3};
  EXPECT_EQ(message(forest, {rows, large}), "row 1 has class 3, expected 0 to 2");
  const std::vector<std::uint8_t> ring{1};
  EXPECT_EQ(message(forest, {.rows = rows, .ringed = ring}),
            "expected for each of the 2 points whether it is ringed, found 1");
  EXPECT_EQ(message(forest, {Matrix()}, {.pixel = 0}),
            "size is 900 and pixel 0, expected at least 100 and a positive number");
  EXPECT_EQ(message(make_forest({"E2"}, 1, 1, 0), {Matrix(2, 2, {1e308, 0, -1e308, 0})}),
            "the points lie farther apart than a number can say; scale them down");
  EXPECT_EQ(message(forest, {Matrix()}, {.class_names = {"ant"}}),
            "expected one name for each of the 3 classes, found 1");
  forest.task = Task::regression;
  EXPECT_EQ(message(forest, {Matrix()}, {.output = 3}),
            "there is no output 3: the model has 3, counted from 0");
}

TEST(TickValues, are_few_and_round) {
  EXPECT_EQ(tick_values(-2.16, 2.16), (std::vector<double>{-2, -1, 0, 1, 2}));
  EXPECT_EQ(tick_values(0, 1).size(), 6U);
  EXPECT_EQ(tick_values(3, 3), std::vector<double>{3});
  EXPECT_LE(tick_values(1e17, 1e17 + 32).size(), 8U);
  for (const double high : {1e-3, 0.7, 3.0, 99.0, 1e300}) {
    EXPECT_GE(tick_values(0, high).size(), 3U) << high;
    EXPECT_LE(tick_values(0, high).size(), 8U) << high;
  }
}

}  // namespace
}  // namespace bentwood
