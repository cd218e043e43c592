#include "bentwood/data/table.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "bentwood/data/csv.hpp"
#include "bentwood/data/dataset.hpp"
#include "bentwood/data/text.hpp"
#include "data/messages.hpp"

namespace bentwood {
namespace {

using Texts = std::vector<std::string>;

Table points(std::string_view text) { return parse_csv(text, "points.csv"); }

TEST(Table, lists_the_columns_there_are) {
  const Table table = points("x,y,label\n1,2,a\n");
  EXPECT_EQ(message_of([&] { (void)table.column("z"); }),
            "points.csv: no column \"z\", found \"x\", \"y\", \"label\"");
  const Table wide = points("a,b,c,d,e,f,g,h,i,j,k,l,m,n\n1,1,1,1,1,1,1,1,1,1,1,1,1,1\n");
  EXPECT_EQ(
      message_of([&] { (void)wide.column("z"); }),
      "points.csv: no column \"z\", found \"a\", \"b\", \"c\", \"d\", \"e\", \"f\", \"g\", \"h\", "
      "\"i\", \"j\", \"k\", \"l\" and 2 more");
}

TEST(Table, refuses_columns_that_do_not_fit) {
  const std::vector<double> one{1};
  const std::vector<double> two{1, 2};
  EXPECT_EQ(message_of([&] { (void)Table({{"x", one, {}}, {"x", one, {}}}); }),
            "two columns are named \"x\"");
  EXPECT_EQ(message_of([&] { (void)Table({{"x", one, {}}, {"y", two, {}}}, "t"); }),
            "t: column \"y\" has 2 rows, expected 1 as in column \"x\"");
  Table table({{"x", one, {}}});
  EXPECT_EQ(message_of([&] { table.add({"x", one, {}}); }),
            "there is a column named \"x\" already");
  EXPECT_EQ(message_of([&] { table.add({"y", two, {}}); }), "column \"y\" has 2 rows, expected 1");
}

TEST(Table, gives_a_matrix_of_columns_in_the_order_asked_for) {
  const Matrix matrix = points("x,y,z\n1,2,3\n4,5,6\n").matrix(Texts{"z", "x"});
  EXPECT_EQ(std::vector<double>(matrix.data(), matrix.data() + 4),
            (std::vector<double>{3, 1, 6, 4}));
}

TEST(Dataset, takes_all_other_numeric_columns_as_features) {
  const Dataset dataset =
      select(points("x,name,y,w,label\n1,n,2,1,0\n3,m,4,0,1\n"), {"label", "w", {}});
  EXPECT_EQ(dataset.feature_names, (Texts{"x", "y"}));
  EXPECT_EQ(dataset.ignored, (Texts{"name"}));
  EXPECT_EQ(dataset.weights, (std::vector<double>{1, 0}));
  EXPECT_EQ(dataset.label->name, "label");
  EXPECT_EQ(dataset.points(1, 0), 3);
}

TEST(Dataset, says_which_column_is_wrong) {
  const auto message = [](std::string_view text, const DatasetColumns& columns) {
    return message_of([&] { (void)select(points(text), columns); });
  };
  EXPECT_EQ(message("x,y\n1,2\n", {"label", {}, {}}),
            "points.csv: no column \"label\", found \"x\", \"y\"");
  EXPECT_EQ(
      message("x,y\n1,2\n", {"x", {}, {"x"}}),
      "points.csv: column \"x\" is asked for twice, expected each of label, weight and features to "
      "be another column");
  EXPECT_EQ(message("x,y\n1,2\n", {"x", "y", {}}),
            "points.csv: no numeric column is left for the features");
  EXPECT_EQ(message("x,y\na,2\n", {{}, {}, {"x"}}),
            "points.csv:2: column \"x\" holds \"a\", expected a number");
  EXPECT_EQ(message("x;y\n1;2\n1,5;3\n", {}),
            "points.csv:3: column \"x\" holds \"1,5\", expected a number");
  EXPECT_EQ(message("x,y\n,2\n1,3\n", {}),
            "points.csv:2: column \"x\" holds nothing, expected a number");
  EXPECT_EQ(message("x,w\n1,1\n1,-1\n", {{}, "w", {}}),
            "points.csv:3: weight -1 in column \"w\", expected a finite number >= 0");
  EXPECT_EQ(message("x,w\n1,nan\n", {{}, "w", {}}),
            "points.csv:2: weight nan in column \"w\", expected a finite number >= 0");
  EXPECT_EQ(message("x,w\n1,0\n1,0\n", {{}, "w", {}}),
            "points.csv: all weights in column \"w\" are 0");
}

TEST(Text, keeps_messages_on_one_line_of_valid_utf8) {
  EXPECT_EQ(shown("a\nb\xff\xc3\xa4\xc2\x85"), "\"a\\x0ab\\xff\xc3\xa4\\xc2\\x85\"");
  EXPECT_EQ(shown(std::string(1'000'000, 'x')), "\"" + std::string(40, 'x') + "...\"");
}

TEST(Text, knows_utf8_from_its_imitations) {
  for (const std::string_view good :
       {"", "abc", "\xc3\xa4", "\xe2\x82\xac", "\xf0\x9f\x90\x9c", "\xf4\x8f\xbf\xbf"}) {
    EXPECT_TRUE(is_utf8(good));
  }
  for (const std::string_view bad :
       {"\x80", "\xc3", "\xc0\x80", "\xe0\x80\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80",
        "\xf8\x88\x80\x80\x80", "\xff", "\xc3\x28"}) {
    EXPECT_FALSE(is_utf8(bad));
  }
}

TEST(Text, writes_every_code_point_so_that_it_reads_back) {
  for (std::uint32_t each = 0; each < 0x110000; each += each < 0x900 ? 1 : 97) {
    if (is_code_point(each)) {
      std::string text;
      append_utf8(text, each);
      ASSERT_EQ(utf8_length(text), text.size());
      ASSERT_EQ(code_point(text), each);
    }
  }
}

}  // namespace
}  // namespace bentwood
