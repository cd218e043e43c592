#include "bentwood/geometry/columns.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bentwood/base/parallel.hpp"
#include "data/messages.hpp"

namespace bentwood {
namespace {

const std::vector<ColumnFamily> both{ColumnFamily::geodesic, ColumnFamily::pairs};

std::vector<std::string> names(const Columns& columns) {
  std::vector<std::string> result;
  for (const Column& column : columns.columns()) {
    result.push_back(columns.name(column));
  }
  return result;
}

TEST(Columns, are_the_natural_coordinates_by_default) {
  const Manifold manifold("H2 x S1 x E2");
  const Columns columns(manifold);
  EXPECT_EQ(names(columns), manifold.natural_names());
  const Matrix points = manifold.random(50, 0.5, 1);
  const Matrix values = columns.values(points);
  const Matrix natural = manifold.natural_coordinates(points);
  for (std::size_t row = 0; row < points.n_rows(); ++row) {
    for (std::size_t column = 0; column < columns.size(); ++column) {
      EXPECT_EQ(values(row, column), natural(row, column));
    }
  }
}

TEST(Columns, know_their_kind_factor_and_axes) {
  const Columns columns(Manifold("H2 x S3"), both);
  EXPECT_EQ(names(columns),
            (std::vector<std::string>{"h1.rapidity1", "h1.rapidity2", "s2.angle1", "s2.angle2",
                                      "s2.angle3", "h1.angle1-2", "s2.angle1-2", "s2.angle1-3",
                                      "s2.angle2-3"}));
  const Column& rapidity = columns.columns()[1];
  EXPECT_EQ(rapidity.kind, ColumnKind::line);
  EXPECT_EQ(rapidity.factor, 0U);
  EXPECT_EQ(rapidity.axis, 2U);
  EXPECT_EQ(rapidity.second_axis, 0U);
  EXPECT_EQ(columns.columns()[2].kind, ColumnKind::circle);
  const Column& pair = columns.columns()[8];
  EXPECT_EQ(pair.kind, ColumnKind::circle);
  EXPECT_EQ(pair.family, ColumnFamily::pairs);
  EXPECT_EQ(pair.factor, 1U);
  EXPECT_EQ(pair.axis, 2U);
  EXPECT_EQ(pair.second_axis, 3U);
}

class PairColumns : public testing::TestWithParam<Coordinates> {};

TEST_P(PairColumns, are_the_angles_of_ambient_coordinates) {
  const Manifold manifold("H3 x E2 x S2", GetParam());
  const Columns columns(manifold, both);
  ASSERT_EQ(columns.size(), 12U);
  const Matrix points = manifold.random(100, 0.1, 3);
  const Matrix ambient = manifold.convert(points, GetParam(), Coordinates::ambient);
  const Matrix values = columns.values(points);
  for (std::size_t row = 0; row < points.n_rows(); ++row) {
    const auto angle = [&](std::size_t first, std::size_t second) {
      return std::atan2(ambient(row, second), ambient(row, first));
    };
    // H: x_0 is column 0; E has no x_0; S begins with its x_0 at column 6.
    EXPECT_EQ(values(row, 7), angle(1, 2));
    EXPECT_EQ(values(row, 8), angle(1, 3));
    EXPECT_EQ(values(row, 9), angle(2, 3));
    EXPECT_EQ(values(row, 10), angle(4, 5));
    EXPECT_EQ(values(row, 11), angle(7, 8));
  }
}

TEST_P(PairColumns, do_not_depend_on_the_other_rows_or_the_threads) {
  const Manifold manifold("H2 x S2", GetParam());
  const Columns columns(manifold, both);
  const Matrix points = manifold.random(5000, 0.1, 4);
  const Matrix all = columns.values(points);
  const ThreadLimit limit(3);
  const Matrix again = columns.values(points);
  for (const std::size_t row : {0U, 1U, 4095U, 4096U, 4999U}) {
    const Matrix alone = columns.values(MatrixView(points.row(row).data(), 1, points.n_cols()));
    for (std::size_t column = 0; column < columns.size(); ++column) {
      EXPECT_EQ(alone(0, column), all(row, column));
      EXPECT_EQ(again(row, column), all(row, column));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Every, PairColumns,
                         testing::Values(Coordinates::ambient, Coordinates::poincare,
                                         Coordinates::klein, Coordinates::tangent),
                         [](const auto& item) { return std::string(name(item.param)); });

TEST(HorosphereColumns, leave_out_the_rapidities_where_nothing_else_is_asked_for) {
  const Manifold manifold("H2 x S1 x H3 x E1");
  const Columns alone(manifold, {ColumnFamily::horosphere});
  EXPECT_EQ(names(alone), (std::vector<std::string>{"s2.angle1", "e4.x1"}));
  EXPECT_EQ(alone.polar_places(), (std::vector<PolarPlace>{{0, 2, 2}, {2, 6, 3}}));
  EXPECT_EQ(alone.row_width(), 11U);
  EXPECT_EQ(alone.n_importances(), 4U);
  EXPECT_EQ(alone.horosphere_name(alone.polar_places()[1]), "h3.horosphere");
  const Columns besides(manifold, {ColumnFamily::horosphere, ColumnFamily::geodesic});
  EXPECT_EQ(names(besides), manifold.natural_names());
  EXPECT_EQ(besides.polar_places()[0], (PolarPlace{0, 7, 2}));
  EXPECT_EQ(besides.row_width(), 16U);
}

// Manifold::busemann takes another way: from Lorentz products, with a logarithm.
TEST(HorosphereColumns, carry_what_busemann_functions_need) {
  for (const Coordinates coordinates : {Coordinates::ambient, Coordinates::poincare}) {
    const Manifold manifold("E1 x H3(-0.3)", coordinates);
    const Manifold factor("H3(-0.3)", coordinates);
    const Columns columns(manifold, {ColumnFamily::horosphere});
    const Matrix points = manifold.random(200, 2, 5);
    const Matrix values = columns.values(points);
    const std::vector<double> ideal{0.48, -0.6, 0.64};
    Matrix parts = Matrix::uninitialized(points.n_rows(), points.n_cols() - 1);
    for (std::size_t row = 0; row < points.n_rows(); ++row) {
      std::ranges::copy(points.row(row).subspan(1), parts.row(row).begin());
    }
    const std::vector<double> expected = factor.busemann(parts, ideal);
    const double root = std::sqrt(0.3);
    for (std::size_t row = 0; row < points.n_rows(); ++row) {
      const double level =
          horosphere_level(values.row(row).data() + columns.polar_places()[0].place, ideal);
      EXPECT_NEAR(std::log(level), root * expected[row], 1e-12 * (1 + std::abs(expected[row])));
      EXPECT_EQ(values(row, 0), points(row, 0));
    }
  }
}

TEST(HorosphereColumns, know_the_origin) {
  const Columns columns(Manifold("H2", Coordinates::poincare), {ColumnFamily::horosphere});
  const Matrix values = columns.values(Matrix(1, 2, {0, 0}));
  EXPECT_EQ(horosphere_level(values.data(), std::vector<double>{0.6, 0.8}), 1);
}

std::string idle(std::string_view signature, std::vector<ColumnFamily> families) {
  return idle_splits(Columns(Manifold(signature), std::move(families)));
}

TEST(IdleSplits, are_refused_where_there_are_no_others) {
  using enum ColumnFamily;
  EXPECT_EQ(
      message_of([] { (void)idle("S2 x E1", {horosphere}); }),
      "S2 x E1 has no hyperbolic factor, and so no horospheres: expected one such as H2, or splits "
      "of another kind besides");
  EXPECT_EQ(message_of([] { (void)idle("H2", {chordal}); }),
            "H2 has no spherical factor, and so no chordal columns: expected one such as S2, or "
            "splits of another kind besides");
  EXPECT_EQ(message_of([] { (void)idle("H1 x E1", {chordal, pairs}); }),
            "H1 x E1 has no factor of two dimensions, and so no pairs of axes: expected one such "
            "as H2, or splits of another kind besides");
}

TEST(IdleSplits, are_told_where_others_have_something_to_cut) {
  using enum ColumnFamily;
  EXPECT_EQ(idle("E2", {geodesic, horosphere}),
            "E2 has no hyperbolic factor, and so no horospheres: \"horosphere\" among the splits "
            "does nothing");
  EXPECT_EQ(idle("H1 x E1", {chordal, pairs, geodesic}),
            "H1 x E1 has no factor of two dimensions, and so no pairs of axes: \"pairs\" among "
            "the splits does nothing; H1 x E1 has no spherical factor, and so no chordal columns: "
            "\"chordal\" among the splits does nothing");
  EXPECT_EQ(idle("S2", {horosphere, chordal}),
            "S2 has no hyperbolic factor, and so no horospheres: \"horosphere\" among the splits "
            "does nothing");
}

TEST(IdleSplits, are_none_where_all_have_something_to_cut) {
  using enum ColumnFamily;
  EXPECT_EQ(idle("E1", {geodesic}), "");
  EXPECT_EQ(idle("H1 x E2", {pairs, horosphere}), "");
  EXPECT_EQ(idle("H1 x S1", {horosphere, chordal}), "");
}

TEST(ColumnFamilies, are_read_by_name) {
  EXPECT_EQ(parse_column_family("horosphere"), ColumnFamily::horosphere);
  EXPECT_EQ(parse_column_family("geodesic"), ColumnFamily::geodesic);
  EXPECT_EQ(parse_column_family("pairs"), ColumnFamily::pairs);
  EXPECT_EQ(name(ColumnFamily::pairs), "pairs");
  EXPECT_EQ(
      message_of([] { (void)parse_column_family("oblique"); }),
      "splits has \"oblique\", expected \"geodesic\", \"pairs\", \"horosphere\" or \"chordal\"");
}

TEST(ColumnFamilies, are_given_once_each_and_sorted) {
  const Manifold plane("E2");
  EXPECT_EQ(message_of([&] { Columns(plane, {}); }),
            "splits is empty, expected \"geodesic\", \"pairs\", \"horosphere\" or \"chordal\"");
  EXPECT_EQ(message_of([&] { Columns(plane, {ColumnFamily::pairs, ColumnFamily::pairs}); }),
            "splits has \"pairs\" twice");
  EXPECT_EQ(Columns(plane, {ColumnFamily::pairs, ColumnFamily::geodesic}).families(), both);
}

}  // namespace
}  // namespace bentwood
