#include "bentwood/data/csv.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "bentwood/base/parallel.hpp"
#include "bentwood/base/random.hpp"
#include "data/messages.hpp"

namespace bentwood {
namespace {

using Numbers = std::vector<double>;
using Texts = std::vector<std::string>;

Table parsed(std::string_view text, CsvOptions options = {}) {
  return parse_csv(text, "points.csv", options);
}

std::string formatted(const Table& table, char delimiter = ',') {
  const std::vector<std::string> pieces = format_csv(table, delimiter);
  return std::accumulate(pieces.begin(), pieces.end(), std::string());
}

void expect_same(const Table& left, const Table& right) {
  ASSERT_EQ(left.names(), right.names());
  for (std::size_t col = 0; col < left.n_cols(); ++col) {
    EXPECT_EQ(left.columns()[col].values, right.columns()[col].values);
    EXPECT_EQ(left.columns()[col].not_a_number, right.columns()[col].not_a_number);
  }
  for (std::size_t row = 0; row < left.n_rows(); ++row) {
    EXPECT_EQ(left.place(row), right.place(row));
  }
}

TEST(Csv, tells_numeric_columns_from_text) {
  const Table table = parsed("x,name,y\n1,ant,-2.5e3\n+.5,bee,7\n");
  EXPECT_EQ(table.names(), (Texts{"x", "name", "y"}));
  EXPECT_EQ(std::get<Numbers>(table.column("x").values), (Numbers{1, 0.5}));
  EXPECT_EQ(std::get<Texts>(table.column("name").values), (Texts{"ant", "bee"}));
  EXPECT_EQ(std::get<Numbers>(table.column("y").values), (Numbers{-2500, 7}));
  EXPECT_EQ(table.place(1), "points.csv:3");
}

TEST(Csv, reads_the_same_with_a_byte_order_mark_carriage_returns_or_no_final_newline) {
  const Table clean = parsed("x,y\n1,a\n2,b\n");
  for (const std::string_view text :
       {"\xef\xbb\xbfx,y\n1,a\n2,b\n", "x,y\r\n1,a\r\n2,b\r\n", "x,y\n1,a\n2,b",
        "x,y\r\n1,a\r\n2,b", "x,y\n1,a\n2,b\n\n\n", "x,y\r\n1,a\r\n2,b\r\n\r\n", "x;y\n1;a\n2;b\n",
        "x\ty\n1\ta\n2\tb\n", "\"x\",\"y\"\n\"1\",\"a\"\n2,\"b\"\n", "x, y\n 1 , a\n2 ,\"b\" \n"}) {
    expect_same(parsed(text), clean);
  }
}

TEST(Csv, keeps_delimiters_quotes_and_newlines_inside_quotes_and_counts_lines_truly) {
  const Table table =
      parsed("id,text\n1,\"a,b\"\n2,\"say \"\"hi\"\"\"\n3,\"two\nlines\"\n4,\"\"\n5,x\n");
  EXPECT_EQ(std::get<Texts>(table.column("text").values),
            (Texts{"a,b", "say \"hi\"", "two\nlines", "", "x"}));
  EXPECT_EQ(table.place(2), "points.csv:4");
  EXPECT_EQ(table.place(3), "points.csv:6");
  EXPECT_EQ(message_of([&] { (void)table.numbers("text"); }),
            "points.csv:2: column \"text\" holds \"a,b\", expected a number");
}

TEST(Csv, names_the_columns_of_a_file_without_a_header) {
  CsvOptions options;
  options.header = false;
  const Table table = parsed("1,2\n3,4\n", options);
  EXPECT_EQ(table.names(), (Texts{"c1", "c2"}));
  EXPECT_EQ(table.n_rows(), 2U);
  EXPECT_EQ(table.place(0), "points.csv:1");
}

TEST(Csv, takes_the_column_names_that_pandas_gives_a_bare_matrix) {
  EXPECT_EQ(parsed("0,1,2\n.5,.5,.5\n").names(), (Texts{"0", "1", "2"}));
}

TEST(Csv, reads_nan_and_infinity_as_numbers_for_the_validation_to_refuse) {
  const Table table = parsed("x\nnan\n-inf\nNaN\nInfinity\n");
  const Numbers& x = std::get<Numbers>(table.column("x").values);
  EXPECT_TRUE(std::isnan(x[0]) && std::isnan(x[2]));
  EXPECT_EQ(x[1], -std::numeric_limits<double>::infinity());
  EXPECT_EQ(x[3], std::numeric_limits<double>::infinity());
}

TEST(Csv, does_not_take_other_spellings_for_numbers) {
  for (const std::string field :
       {"0x10", "1_000", "1 000", "1e", "--1", "+-1", "+", "nan(1)", "1,5", "1d3", "", "NA"}) {
    const Table table = parsed("x;y\n1;2\n" + field + ";3\n");
    EXPECT_FALSE(table.column("x").is_numeric()) << field;
    EXPECT_EQ(message_of([&] { (void)table.numbers("x"); }),
              "points.csv:3: column \"x\" holds " +
                  (field.empty() ? "nothing" : "\"" + field + "\"") + ", expected a number");
  }
}

TEST(Csv, says_what_is_wrong_and_in_which_line) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"", "points.csv: the file is empty"},
      {"\n\n\n", "points.csv: the file is empty"},
      {"\xef\xbb\xbf", "points.csv: the file is empty"},
      {"x,y\n", "points.csv: a header without rows"},
      {"x,y", "points.csv: a header without rows"},
      {"x,y\n1,2\n3\n", "points.csv:3: 1 field, expected 2"},
      {"x,y\n1,2\n3,4,5\n", "points.csv:3: 3 fields, expected 2"},
      {"x,y\n1,2,\n", "points.csv:2: 3 fields, expected 2"},
      {"x,y\n1,2,", "points.csv:2: 3 fields, expected 2"},
      {"x,y\n1,2\n\n3,4\n", "points.csv:3: the line is blank, expected 2 fields"},
      {"x,y\n\"a\nb\",2\n3\n", "points.csv:4: 1 field, expected 2"},
      {"x,y\n1,2\n3,1e999\n",
       "points.csv:3: column \"y\" holds \"1e999\", which is out of range: the largest number is "
       "1.8e308"},
      {"x,y\n\"1\",2\n3,-1e999\n",
       "points.csv:3: column \"y\" holds \"-1e999\", which is out of range: the largest number is "
       "1.8e308"},
      {"x,x\n1,2\n", "points.csv:1: two columns are named \"x\""},
      {"x,,y\n1,2,3\n", "points.csv:1: column 2 has no name"},
      {"0.5,0.25\n1,2\n",
       "points.csv:1: the first line holds numbers, expected column names; pass header = false if "
       "the "
       "file has no header"},
      {"x,y\n1,\"2\n3,4\n", "points.csv:2: the quote opened here is never closed"},
      {"x,y\n1,2\"\n",
       "points.csv:2: a quote stands inside a field; put the whole field in quotes and "
       "write \"\""},
      {"x,y\n1,\"2\"3\n",
       "points.csv:2: text follows a closing quote; write a quote inside quotes as \"\""},
      {"x,y\r1,2\r",
       "points.csv:1: a carriage return stands inside a line; expected lines to end with \\n or "
       "\\r\\n"},
      {std::string("\xff\xfex\0,\0y\0", 8), "points.csv: is UTF-16 or UTF-32 text, expected UTF-8"},
      {std::string("x,y\n1,\0\n", 9), "points.csv:2: holds a NUL byte, expected text"},
      {"x,y\n1,caf\xe9\n",
       "points.csv:2: column \"y\" holds \"caf\\xe9\", which is not UTF-8 text"},
      {"\xe9t\xe9\n1\n", "points.csv:1: column name \"\\xe9t\\xe9\" is not UTF-8"},
  };
  for (const auto& [text, message] : cases) {
    EXPECT_EQ(message_of([&] { (void)parsed(text); }), message);
  }
}

TEST(Csv, refuses_a_wide_header_over_many_short_rows_without_setting_memory_aside) {
  std::string text = "a0";
  for (int col = 1; col < 100'000; ++col) {
    text += ",a" + std::to_string(col);
  }
  text += std::string(100'000, '\n') + "1";
  EXPECT_EQ(message_of([&] { (void)parsed(text); }),
            "points.csv:2: the line is blank, expected 100000 fields");
}

TEST(Csv, refuses_a_delimiter_that_could_be_part_of_a_number) {
  CsvOptions options;
  options.delimiter = '.';
  EXPECT_EQ(message_of([&] { (void)parsed("x.y\n1.2\n", options); }),
            "delimiter \".\", expected a comma, semicolon, tab, bar, colon or space");
}

/// A table with everything that needs quotes, and numbers of all sizes.
Table awkward_table(std::size_t n_rows) {
  Random random(1);
  const Texts pieces{",", "\"", "\n", "\r\n", " ", "a", "b", "1", "\xc3\xa9", ";"};
  Numbers numbers;
  Texts texts;
  for (std::size_t row = 0; row < n_rows; ++row) {
    numbers.push_back(std::ldexp(random.normal(), static_cast<int>(random.below(600)) - 300));
    std::string text = "t";
    for (std::uint64_t left = random.below(6); left > 0; --left) {
      text += pieces[random.below(pieces.size())];
    }
    texts.push_back(text);
  }
  TableColumn last{"last", texts, {0, texts[0]}};
  return Table({{"x", numbers, {}}, {"a \"text\", quoted", texts, {0, texts[0]}}, last},
               "points.csv");
}

TEST(Csv, writes_what_reads_back_the_same_bits) {
  const Table table = awkward_table(2000);
  for (const char delimiter : {',', '\t', ';'}) {
    CsvOptions options;
    options.delimiter = delimiter;
    const Table back = parsed(formatted(table, delimiter), options);
    ASSERT_EQ(back.names(), table.names());
    for (std::size_t col = 0; col < table.n_cols(); ++col) {
      EXPECT_EQ(back.columns()[col].values, table.columns()[col].values);
    }
  }
}

// Block borders fall on every kind of character, inside and outside quotes.
TEST(Csv, does_not_depend_on_block_size_or_threads) {
  const std::string text = formatted(awkward_table(200));
  const Table whole = parsed(text);
  for (const std::size_t n_threads : {1U, 3U}) {
    const ThreadLimit limit(n_threads);
    for (std::size_t block_size = 1; block_size < 60; ++block_size) {
      CsvOptions options;
      options.block_size = block_size;
      expect_same(parsed(text, options), whole);
    }
  }
}

TEST(Csv, reports_the_first_error_of_the_file_for_any_block_size) {
  const std::string text = "x,y\n1,2\n3,4\n\"5\n6\",7\n8,\"9\n10,11\n12,13,14\n15\"\"\n";
  const std::string expected = message_of([&] { (void)parsed(text); });
  EXPECT_EQ(expected, "points.csv:6: the quote opened here is never closed");
  for (std::size_t block_size = 1; block_size < 40; ++block_size) {
    CsvOptions options;
    options.block_size = block_size;
    EXPECT_EQ(message_of([&] { (void)parsed(text, options); }), expected);
  }
}

TEST(Csv, keeps_a_row_whose_only_field_is_empty) {
  const Table table({{"x", Texts{"a", "", ""}, {0, "a"}}});
  EXPECT_EQ(formatted(table), "x\na\n\"\"\n\"\"\n");
  EXPECT_EQ(std::get<Texts>(parsed(formatted(table)).column("x").values), (Texts{"a", "", ""}));
}

TEST(Csv, writes_the_shortest_numbers_that_read_back) {
  EXPECT_EQ(formatted(Table({{"x", Numbers{0.1, 1e300, -2, 1.0 / 3}, {}}})),
            "x\n0.1\n1e+300\n-2\n0.3333333333333333\n");
}

TEST(Csv, keeps_integers_as_text_that_a_double_would_round) {
  const auto is_numeric = [](const std::string& field) {
    return parsed("x\n1\n" + field + "\n" + std::string(100, '0') + "\n").column("x").is_numeric();
  };
  for (const char* const exact : {"9007199254740992", "-9007199254740994", "+0009007199254740994",
                                  "100000000000000000000", "9007199254740993.0", "1e300"}) {
    EXPECT_TRUE(is_numeric(exact)) << exact;
  }
  for (const char* const rounded : {"9007199254740993", "-9007199254740993", "+0009007199254740993",
                                    "18446744073709551615", "100000000000000000001"}) {
    EXPECT_FALSE(is_numeric(rounded)) << rounded;
  }
}

TEST(Csv, refuses_to_write_nul_bytes) {
  const Table table({{"x", Texts{std::string("a\0b", 3)}, {}}});
  EXPECT_EQ(message_of([&] { (void)format_csv(table); }),
            "text \"a\\x00b\" holds a NUL byte, which no CSV file can");
}

}  // namespace
}  // namespace bentwood
