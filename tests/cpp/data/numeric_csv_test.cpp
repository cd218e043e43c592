#include "bentwood/data/numeric_csv.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "bentwood/base/parallel.hpp"
#include "bentwood/base/random.hpp"
#include "bentwood/data/input.hpp"
#include "bentwood/data/text.hpp"

namespace bentwood {
namespace {

class NumericCsv : public testing::Test {
 protected:
  NumericCsv() {
    std::string name = (std::filesystem::temp_directory_path() / "bentwood_XXXXXX").string();
    folder_ = mkdtemp(name.data());
    path_ = (folder_ / "points.csv").string();
  }
  ~NumericCsv() override { std::filesystem::remove_all(folder_); }

  std::optional<Table> read(const std::string& text, std::size_t segment_size) {
    std::ofstream(path_, std::ios::binary) << text;
    CsvOptions options;
    options.block_size = 50;
    return read_numeric_csv(Input(path_), options, segment_size);
  }

  std::filesystem::path folder_;
  std::string path_;
};

std::string rows_of_numbers(const std::string& newline) {
  Random random(1);
  std::string text = "x,y" + newline;
  for (int row = 0; row < 300; ++row) {
    text += number_text(random.normal()) + "," + (row % 50 == 0 ? "-inf" : std::to_string(row));
    text += newline;
  }
  return text;
}

// The oracle is the reader of whole files.
TEST_F(NumericCsv, reads_the_same_table_as_the_reader_of_whole_files) {
  for (const std::string newline : {"\n", "\r\n"}) {
    const std::string rows = rows_of_numbers(newline);
    const std::string unfinished = rows.substr(0, rows.size() - newline.size());
    for (const std::string& text : {rows, unfinished, rows + newline, "\xef\xbb\xbf" + rows}) {
      const Table expected = parse_csv(text, path_);
      for (std::size_t segment_size = 60; segment_size < 400; segment_size += 17) {
        const ThreadLimit limit(segment_size > 380 ? 2 : 1);
        const std::optional<Table> table = read(text, segment_size);
        ASSERT_TRUE(table.has_value()) << segment_size;
        ASSERT_EQ(table->names(), expected.names());
        ASSERT_EQ(table->columns()[0].values, expected.columns()[0].values);
        ASSERT_EQ(table->columns()[1].values, expected.columns()[1].values);
        ASSERT_EQ(table->place(299), expected.place(299));
      }
    }
  }
}

TEST_F(NumericCsv, leaves_everything_else_to_the_reader_of_whole_files) {
  const ThreadLimit serial(1);
  const std::string rows = rows_of_numbers("\n");
  for (const std::string last :
       {"a,1\n", "1e999,1\n", "1\n", "1,2,3\n", "\"1\",2\n", "\n1,2\n", ",\n"}) {
    EXPECT_FALSE(read(rows + last, 200).has_value()) << last;
  }
  EXPECT_FALSE(read(rows + std::string("\0,1\n", 4), 200).has_value());
  EXPECT_FALSE(read("x,y\n\"1\",2\n" + rows.substr(4), 200).has_value());
  EXPECT_FALSE(read("x,x\n" + rows.substr(4), 200).has_value());
  EXPECT_FALSE(read(rows, 10).has_value());      // a line is longer than a segment
  EXPECT_FALSE(read(rows, 10'000).has_value());  // a small file
  EXPECT_FALSE(read_numeric_csv(Input("/dev/null"), {}, 200).has_value());
}

}  // namespace
}  // namespace bentwood
