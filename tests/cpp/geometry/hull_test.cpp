#include "bentwood/geometry/hull.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>

#include "bentwood/base/error.hpp"
#include "bentwood/base/random.hpp"

namespace bentwood {
namespace {

/// On which side of the geodesic through a and b a point of H2 is: the sign of the determinant of the three.
double side(std::span<const double> a, std::span<const double> b, std::span<const double> c) {
  return a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) +
         a[2] * (b[0] * c[1] - b[1] * c[0]);
}

/// By definition: a point is no vertex where it lies in a geodesic triangle of three others.
std::vector<std::size_t> brute_force_hull(const Matrix& points) {
  std::vector<std::size_t> result;
  const std::size_t n = points.n_rows();
  for (std::size_t at = 0; at < n; ++at) {
    bool inside = false;
    for (std::size_t a = 0; a < n && !inside; ++a) {
      for (std::size_t b = 0; b < n && !inside; ++b) {
        for (std::size_t c = 0; c < n && !inside; ++c) {
          if (a != at && b != at && c != at &&
              side(points.row(a), points.row(b), points.row(c)) > 0) {
            inside = side(points.row(a), points.row(b), points.row(at)) >= 0 &&
                     side(points.row(b), points.row(c), points.row(at)) >= 0 &&
                     side(points.row(c), points.row(a), points.row(at)) >= 0;
          }
        }
      }
    }
    if (!inside) {
      result.push_back(at);
    }
  }
  return result;
}

TEST(ConvexHull, equals_a_brute_force_geodesic_hull) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Manifold plane("H2");
    const Matrix points = plane.random(4 + seed % 17, 0.3 + 0.02 * static_cast<double>(seed), seed);
    std::vector<std::size_t> found = convex_hull(plane, points);
    for (std::size_t place = 0; place < found.size(); ++place) {  // counter-clockwise
      const std::size_t next = found[(place + 1) % found.size()];
      const std::size_t after = found[(place + 2) % found.size()];
      EXPECT_GT(side(points.row(found[place]), points.row(next), points.row(after)), 0);
    }
    std::ranges::sort(found);
    EXPECT_EQ(found, brute_force_hull(points)) << seed;
  }
}

TEST(ConvexHull, is_the_same_in_all_coordinates_and_curvatures) {
  const Manifold plane("H3(-0.25)");
  const Matrix points = plane.random(60, 1.5, 1);
  const std::vector<std::size_t> expected = convex_hull(plane, points);
  EXPECT_GT(expected.size(), 4U);
  EXPECT_LT(expected.size(), 60U);
  for (const Coordinates coordinates :
       {Coordinates::poincare, Coordinates::klein, Coordinates::tangent}) {
    const Manifold other("H3(-0.25)", coordinates);
    EXPECT_EQ(convex_hull(other, other.convert(points, Coordinates::ambient, coordinates)),
              expected);
  }
}

// A vertex is what some hyperplane cuts off: no point of a hull in three dimensions may be missed or too many.
TEST(ConvexHull, of_more_dimensions_holds_all_points_and_needs_all_its_vertices) {
  const Manifold space("E3");
  const Matrix points = space.random(80, 1.0, 2);
  const std::vector<std::size_t> hull = convex_hull(space, points);
  const auto rows = [&](auto keep) {
    std::vector<double> numbers;
    for (std::size_t row = 0; row < 80; ++row) {
      if (keep(row)) {
        numbers.insert(numbers.end(), points.row(row).begin(), points.row(row).end());
      }
    }
    return Matrix(numbers.size() / 3, 3, numbers);
  };
  const auto is_vertex = [&](std::size_t row) { return std::ranges::binary_search(hull, row); };
  for (std::size_t row = 0; row < 80; ++row) {
    const Matrix one = rows([&](std::size_t other) { return other == row; });
    const Matrix rest = rows([&](std::size_t other) { return other != row && is_vertex(other); });
    EXPECT_EQ(nearest_pair(space, one, rest).overlap, !is_vertex(row)) << row;
  }
}

TEST(ConvexHull, takes_the_first_of_equal_points_and_no_point_on_an_edge) {
  const Matrix points(7, 2, {0, 0, 1, 0, 1, 1, 0, 1, 0.5, 0, 1, 1, 0.5, 0.5});
  EXPECT_EQ(convex_hull(Manifold("E2"), points), (std::vector<std::size_t>{0, 1, 2, 3}));
  EXPECT_EQ(convex_hull(Manifold("E2"), Matrix(2, 2, {3, 4, 3, 4})), (std::vector<std::size_t>{0}));
  EXPECT_EQ(convex_hull(Manifold("E1"), Matrix(4, 1, {2, 5, -1, 3})),
            (std::vector<std::size_t>{1, 2}));
  EXPECT_TRUE(convex_hull(Manifold("E2"), Matrix(0, 2)).empty());
}

double lorentz(std::span<const double> a, std::span<const double> b) {
  double sum = -a[0] * b[0];
  for (std::size_t axis = 1; axis < a.size(); ++axis) {
    sum += a[axis] * b[axis];
  }
  return sum;
}

/// The least value of a function that falls and then rises on [0, 1].
double least(const std::function<double(double)>& function) {
  double low = 0;
  double high = 1;
  for (int count = 0; count < 60; ++count) {
    const double third = (high - low) / 3;
    if (function(low + third) < function(high - third)) {
      high -= third;
    } else {
      low += third;
    }
  }
  return function(0.5 * (low + high));
}

/// The shortest distance between geodesic segments: in the plane a nearest pair of hulls lies on two of them.
double brute_force_distance(const Matrix& some, const Matrix& others, double radius) {
  const auto between = [](const Matrix& points, std::size_t from, std::size_t to, double time) {
    std::vector<double> result(points.n_cols());
    for (std::size_t axis = 0; axis < result.size(); ++axis) {
      result[axis] = (1 - time) * points(from, axis) + time * points(to, axis);
    }
    return result;
  };
  double best = INFINITY;
  for (std::size_t a = 0; a < some.n_rows(); ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      for (std::size_t c = 0; c < others.n_rows(); ++c) {
        for (std::size_t d = 0; d < c; ++d) {
          best = std::min(best, least([&](double time) {
                            const std::vector<double> x = between(some, a, b, time);
                            return least([&](double other_time) {
                              const std::vector<double> y = between(others, c, d, other_time);
                              return -lorentz(x, y) / std::sqrt(lorentz(x, x) * lorentz(y, y));
                            });
                          }));
        }
      }
    }
  }
  return radius * std::acosh(best);
}

TEST(NearestPair, is_that_of_all_points_and_segments) {
  const Manifold plane("H2(-0.5)");
  std::size_t n_apart = 0;
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const Matrix some = plane.random(4, 0.7, 2 * seed);
    Matrix others = plane.random(4, 0.7, 2 * seed + 1);
    // Moved along an axis by a boost of rapidity 2.
    for (std::size_t row = 0; row < 4; ++row) {
      const double first = others(row, 0);
      others(row, 0) = std::cosh(2) * first + std::sinh(2) * others(row, 1);
      others(row, 1) = std::sinh(2) * first + std::cosh(2) * others(row, 1);
    }
    const NearestPair found = nearest_pair(plane, some, others);
    if (found.overlap) {
      EXPECT_NEAR(found.distance, 0, 1e-12);
      continue;
    }
    ++n_apart;
    const double expected =
        brute_force_distance(some, others, plane.signature().factors().front().radius());
    EXPECT_NEAR(found.distance, expected, 1e-7 * expected) << seed;
    EXPECT_NEAR(plane.distance(found.first, found.second)[0], found.distance, 1e-12);
    EXPECT_NEAR(plane.distance(found.first, found.midpoint)[0], found.distance / 2, 1e-9);
  }
  EXPECT_GT(n_apart, 6U);
}

// Sets on either side of a hyperplane are at least as far apart as the pair says: the hyperplanes through both points at right angles
// to the geodesic between them have all points behind them.
TEST(NearestPair, is_proved_by_two_hyperplanes_in_many_dimensions) {
  for (const std::size_t dim : {3U, 10U, 40U}) {
    const Manifold space(Signature({{Geometry::hyperbolic, dim, -1}}));
    const Matrix some = space.random(100, 0.4, dim);
    Matrix others = space.random(80, 0.4, dim + 1);
    for (std::size_t row = 0; row < others.n_rows(); ++row) {
      const double first = others(row, 0);
      others(row, 0) = std::cosh(4) * first + std::sinh(4) * others(row, 1);
      others(row, 1) = std::sinh(4) * first + std::cosh(4) * others(row, 1);
    }
    const NearestPair found = nearest_pair(space, some, others);
    ASSERT_FALSE(found.overlap);
    EXPECT_GT(found.distance, 0.1);
    // The unit normal at a towards b is (b - cosh(d) a) / sinh(d).
    const double cosh = std::cosh(found.distance);
    const double sinh = std::sinh(found.distance);
    const auto behind = [&](const Matrix& a, const Matrix& b, const Matrix& points) {
      for (std::size_t row = 0; row < points.n_rows(); ++row) {
        const double level =
            (lorentz(points.row(row), b.row(0)) - cosh * lorentz(points.row(row), a.row(0))) / sinh;
        EXPECT_LT(level, 1e-6 * points(row, 0));
      }
    };
    behind(found.first, found.second, some);
    behind(found.second, found.first, others);
  }
}

TEST(NearestPair, of_hulls_that_overlap_is_a_common_point) {
  const Manifold space("H4", Coordinates::poincare);
  const NearestPair found =
      nearest_pair(space, space.random(200, 1.0, 1), space.random(200, 1.0, 2));
  EXPECT_TRUE(found.overlap);
  EXPECT_EQ(space.distance(found.first, found.second)[0], 0);
}

// Squares of such numbers vanish or overflow: the pair is that of points of ordinary size, scaled.
TEST(NearestPair, of_points_however_near_the_origin_is_found) {
  for (const char* const signature : {"E2", "H2", "H2(-1e-20)"}) {
    const Manifold plane(signature, Coordinates::tangent);
    const double largest = plane.signature().factors().front().geometry == Geometry::euclidean
                               ? 1e300
                               : 1e-9 * plane.signature().factors().front().radius();
    for (const double size : {1e-290, 1e-200, 1e-160, 1e-60, largest}) {
      const Matrix some(2, 2, {2 * size, 0, 2 * size, 4 * size});
      const Matrix others(3, 2, {0, 0, -2 * size, 4 * size, -2 * size, 0});
      const NearestPair found = nearest_pair(plane, some, others);
      EXPECT_FALSE(found.overlap) << signature << " " << size;
      EXPECT_NEAR(found.distance / size, 2, 1e-6) << signature << " " << size;
      EXPECT_NEAR(found.first(0, 0) / size, 2, 1e-6) << signature << " " << size;
      EXPECT_NEAR(found.second(0, 0) / size, 0, 1e-6) << signature << " " << size;
      EXPECT_NEAR(found.midpoint(0, 0) / size, 1, 1e-6) << signature << " " << size;
    }
  }
}

// Of denormal numbers few digits are left, but never a NaN.
TEST(NearestPair, of_denormal_points_is_finite) {
  for (const char* const signature : {"E2", "H2", "H2(-1e-20)", "H3", "H5"}) {
    const Manifold space(signature, Coordinates::tangent);
    for (const double size : {5e-324, 1e-323, 1e-310}) {
      Matrix some(2, space.dim());
      Matrix others(2, space.dim());
      some(0, 0) = size;
      others(1, 1) = size;
      const NearestPair found = nearest_pair(space, some, others);
      EXPECT_LE(found.distance, size) << signature << " " << size;
      for (const Matrix& point : {found.first, found.second, found.midpoint}) {
        for (const double value : point.row(0)) {
          EXPECT_LE(std::abs(value), 2 * size) << signature << " " << size;
        }
      }
    }
  }
}

TEST(NearestPair, of_points_at_one_place_is_that_place) {
  for (const char* const signature : {"E3", "H3", "E4", "H4(-2)"}) {
    const Manifold space(signature, Coordinates::tangent);
    const Matrix origins(5, space.dim());
    const NearestPair found = nearest_pair(space, origins, Matrix(2, space.dim()));
    EXPECT_TRUE(found.overlap);
    EXPECT_EQ(found.distance, 0);
    for (const Matrix& point : {found.first, found.second, found.midpoint}) {
      for (const double value : point.row(0)) {
        EXPECT_EQ(value, 0);
      }
    }
    EXPECT_EQ(convex_hull(space, origins), (std::vector<std::size_t>{0}));
  }
}

std::string message_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return "";
}

TEST(NearestPair, of_points_beyond_the_range_of_numbers_is_refused) {
  const Matrix some(3, 2, {1.5e308, 1.7e308, 1.3e308, -1.7e308, 1e308, 1.3e308});
  const Matrix others(2, 2, {9e18, 9e18, -1.7e308, 0});
  const std::string message = "row 1: a distance is out of the range of float64 on E2";
  EXPECT_EQ(message_of([&] { (void)nearest_pair(Manifold("E2"), some, others); }), message);
  EXPECT_EQ(message_of([&] { (void)convex_hull(Manifold("E2"), some); }), message);
}

TEST(NearestPair, names_what_it_cannot_do) {
  const Matrix none(0, 3);
  EXPECT_EQ(message_of([&] { (void)nearest_pair(Manifold("H2"), none, none); }),
            "there are 0 and 0 points, expected at least one of each");
  EXPECT_EQ(message_of([&] { (void)convex_hull(Manifold("S2"), none); }),
            "the signature is S2, expected one hyperbolic or Euclidean factor: others have no flat "
            "map");
}

}  // namespace
}  // namespace bentwood
