#include "bentwood/draw/poincare_disk.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <regex>
#include <string>
#include <vector>

#include "bentwood/base/error.hpp"
#include "bentwood/base/random.hpp"
#include "bentwood/draw/disk_geodesic.hpp"

namespace bentwood {
namespace {

PlanePoint draw_point(Random& random) {
  const double radius = 0.999 * std::sqrt(random.uniform());
  const double angle = 2 * std::numbers::pi * random.uniform();
  return {radius * std::cos(angle), radius * std::sin(angle)};
}

// Two circles cross at right angles where the squares of their radii add up to that of the distance
// of their centres.
TEST(GeodesicCircle, goes_through_both_points_and_meets_the_rim_at_right_angles) {
  Random random(1);
  for (int trial = 0; trial < 1000; ++trial) {
    const PlanePoint a = draw_point(random);
    const PlanePoint b = draw_point(random);
    const auto circle = geodesic_circle(a, b);
    ASSERT_TRUE(circle.has_value());
    const auto [centre, radius] = *circle;
    const double square = radius * radius;
    EXPECT_NEAR(std::hypot(centre.x - a.x, centre.y - a.y), radius, 1e-9 * radius);
    EXPECT_NEAR(std::hypot(centre.x - b.x, centre.y - b.y), radius, 1e-9 * radius);
    EXPECT_NEAR(centre.x * centre.x + centre.y * centre.y, 1 + square, 1e-8 * (1 + square));
  }
}

TEST(GeodesicCircle, is_a_straight_line_through_the_origin) {
  EXPECT_FALSE(geodesic_circle({0, 0}, {0.3, 0.4}).has_value());
  EXPECT_FALSE(geodesic_circle({-0.3, -0.4}, {0.6, 0.8}).has_value());
  EXPECT_FALSE(geodesic_circle({0.1, 0.2}, {0.1, 0.2}).has_value());
}

TEST(RapidityCircle, crosses_the_axis_at_its_distance_and_the_rim_at_right_angles) {
  for (const double rapidity : {-2.0, -0.5, 0.1, 1.0, 3.0}) {
    const auto [centre, radius] = rapidity_circle(rapidity);
    const double crossing = centre.x - std::copysign(radius, rapidity);
    EXPECT_NEAR(2 * std::atanh(crossing), rapidity, 1e-12);
    EXPECT_NEAR(centre.x * centre.x, 1 + radius * radius, 1e-10 * centre.x * centre.x);
  }
}

std::string picture_of_an_edge(PlanePoint a, PlanePoint b) {
  const Matrix points(2, 2, {a.x, a.y, b.x, b.y});
  const std::vector<std::array<std::size_t, 2>> edges{{0, 1}};
  DiskPictureOptions options;
  options.edges = edges;
  options.grid = false;
  return poincare_disk_picture(points, {}, options);
}

// Of the two arcs an SVG path can mean, the geodesic is the one that bulges towards the disk's
// centre.
TEST(PoincareDiskPicture, bends_edges_towards_the_centre) {
  const std::regex arc(R"(M(\S+) (\S+) A(\S+) \S+ 0 0 (\d) (\S+) (\S+)\")");
  const double centre_x = 450;
  const double centre_y = 64 + 450;
  Random random(2);
  for (int trial = 0; trial < 200; ++trial) {
    const std::string picture = picture_of_an_edge(draw_point(random), draw_point(random));
    std::smatch match;
    ASSERT_TRUE(std::regex_search(picture, match, arc)) << picture;
    const double x1 = std::stod(match[1]) - centre_x;
    const double y1 = std::stod(match[2]) - centre_y;
    const double x2 = std::stod(match[5]) - centre_x;
    const double y2 = std::stod(match[6]) - centre_y;
    // Sweep 1 turns clockwise as seen on the screen, so the arc bulges to the left of its way.
    const double sign = match[4] == "1" ? 1 : -1;
    const double bulge_x = sign * (y2 - y1);
    const double bulge_y = -sign * (x2 - x1);
    EXPECT_LT(bulge_x * (x1 + x2) + bulge_y * (y1 + y2), 0);
  }
}

TEST(PoincareDiskPicture, joins_points_on_a_diameter_by_a_line) {
  EXPECT_NE(picture_of_an_edge({0, 0}, {0.5, 0}).find("M450 514 L661 514"), std::string::npos);
}

TEST(PoincareDiskPicture, draws_edges_within_a_class_in_its_colour) {
  const Matrix points(3, 2, {0, 0, 0.5, 0, 0, 0.5});
  const std::vector<std::int64_t> labels{1, 1, 0};
  const std::vector<std::array<std::size_t, 2>> edges{{0, 1}, {0, 2}};
  DiskPictureOptions options;
  options.edges = edges;
  options.grid = false;
  const std::string picture = poincare_disk_picture(points, labels, options);
  const auto stroke = [&](const std::string& path) {
    std::smatch match;
    const std::regex line("<path d=\"" + path + "\"[^>]* stroke=\"([^\"]*)\"");
    return std::regex_search(picture, match, line) ? match[1].str() : "no path";
  };
  EXPECT_EQ(stroke("M450 514 L661 514"), "#D55E00");
  EXPECT_EQ(stroke("M450 514 L450 303"), "#8b93a1");
}

TEST(PoincareDiskPicture, draws_every_point_in_the_colour_of_its_class) {
  const Matrix points(3, 2, {0, 0, 0.5, 0, 0, 0.5});
  const std::vector<std::int64_t> labels{0, 1, 9};
  DiskPictureOptions options;
  options.grid = false;
  const std::string picture = poincare_disk_picture(points, labels, options);
  EXPECT_NE(picture.find("<circle cx=\"450\" cy=\"514\" r=\"6\" fill=\"#0072B2\""),
            std::string::npos);
  EXPECT_NE(picture.find("<circle cx=\"661\" cy=\"514\" r=\"6\" fill=\"#D55E00\""),
            std::string::npos);
  EXPECT_NE(picture.find("<rect x=\"444.6\" y=\"297.6\" width=\"10.8\" height=\"10.8\" "
                         "fill=\"#114400\""),
            std::string::npos);
}

TEST(PoincareDiskPicture, rings_the_points_it_is_told_to_and_says_what_a_ring_means) {
  const Matrix points(2, 2, {0, 0, 0.5, 0});
  const std::vector<std::uint8_t> ringed{0, 1};
  DiskPictureOptions options;
  options.grid = false;
  options.class_names = {"only"};
  options.ringed = ringed;
  options.ring_name = "wrong";
  const std::string picture = poincare_disk_picture(points, {}, options);
  EXPECT_NE(picture.find("<circle cx=\"661\" cy=\"514\" r=\"8.5\" fill=\"none\""),
            std::string::npos);
  EXPECT_EQ(picture.find("<circle cx=\"450\" cy=\"514\" r=\"8.5\""), std::string::npos);
  EXPECT_NE(picture.find(">wrong</text>"), std::string::npos);
  EXPECT_NE(picture.find("coloured by 1 classes, 1 of them ringed."), std::string::npos);
  options.ringed = std::span(ringed).first(1);
  try {
    static_cast<void>(poincare_disk_picture(points, {}, options));
    FAIL() << "accepted";
  } catch (const InvalidInput& error) {
    EXPECT_STREQ(error.what(), "expected for each of the 2 points whether it is ringed, found 1");
  }
}

TEST(PoincareDiskPicture, scales_a_disk_of_another_radius) {
  DiskPictureOptions options;
  options.disk_radius = 4;
  EXPECT_NE(poincare_disk_picture(Matrix(1, 2, {2, 0}), {}, options).find("<circle cx=\"661\""),
            std::string::npos);
}

TEST(PoincareDiskPicture, holds_no_script_and_no_address_to_fetch) {
  DiskPictureOptions options;
  options.title = "<script>alert(1)</script>";
  options.class_names = {"\"><image href=\"http://x\">"};
  const std::string picture = poincare_disk_picture(Matrix(1, 2), {}, options);
  EXPECT_EQ(picture.find("<script"), std::string::npos);
  EXPECT_EQ(picture.find("<image"), std::string::npos);
  EXPECT_EQ(picture.find("href=\""), std::string::npos);
}

TEST(PoincareDiskPicture, names_what_cannot_be_drawn) {
  const auto message = [](const Matrix& points, std::vector<std::int64_t> labels = {},
                          const std::vector<std::array<std::size_t, 2>>& edges = {}) {
    DiskPictureOptions options;
    options.edges = edges;
    try {
      static_cast<void>(poincare_disk_picture(points, labels, options));
    } catch (const InvalidInput& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  EXPECT_EQ(message(Matrix(1, 3)), "a picture of the disk needs points with 2 columns, found 3");
  EXPECT_EQ(message(Matrix(2, 2, {0, 0, 0.6, 0.8})),
            "row 1 lies outside the Poincaré disk: norm 1, expected less than 1");
  EXPECT_EQ(message(Matrix(1, 2, {std::nan(""), 0})),
            "row 0 lies outside the Poincaré disk: norm nan, expected less than 1");
  EXPECT_EQ(message(Matrix(2, 2), {0}), "expected one label for each of the 2 points, found 1");
  EXPECT_EQ(message(Matrix(1, 2), {-1}), "row 0 has label -1, expected 0 or more");
  EXPECT_EQ(message(Matrix(2, 2), {}, {{0, 2}}), "edge (0, 2) needs 3 rows, found 2");
  EXPECT_EQ(message(Matrix(0, 2), {}, {{0, 2}}), "edge (0, 2) needs 3 rows, found 0");
}

}  // namespace
}  // namespace bentwood
