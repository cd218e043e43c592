#include "bentwood/data/word2vec.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <utility>

#include "data/messages.hpp"

namespace bentwood {
namespace {

TEST(Word2vec, reads_words_and_numbers_and_writes_them_back) {
  const std::string text = "2 3\nant 0.1 -2 3e-05\nb\xc3\xa9 4 5 6\n";
  const Table table = parse_word2vec(text, "w.vec");
  EXPECT_EQ(table.names(), (std::vector<std::string>{"word", "c1", "c2", "c3"}));
  EXPECT_EQ(table.text("word"), (std::vector<std::string>{"ant", "b\xc3\xa9"}));
  EXPECT_EQ(table.numbers("c3")[0], 3e-5);
  EXPECT_EQ(table.place(1), "w.vec:3");
  const std::vector<std::string> pieces = format_word2vec(table);
  EXPECT_EQ(std::accumulate(pieces.begin(), pieces.end(), std::string()), text);
}

TEST(Word2vec, ignores_the_space_that_the_first_program_left_at_line_ends) {
  EXPECT_EQ(parse_word2vec("1 2\nant 1 2 \r\n", "w.vec").numbers("c2")[0], 2);
}

TEST(Word2vec, says_what_is_wrong_and_in_which_line) {
  const std::string header =
      "w.vec:1: expected a first line with the number of words and of dimensions, such as \"1000 "
      "50\"";
  const std::vector<std::pair<std::string, std::string>> cases{
      {"", "w.vec: the file is empty"},
      {"ant 1 2\n", header},
      {"1\n", header},
      {"0 3\n", header},
      {"1 2 3\n", header},
      {"2 2\nant 1 2\n", "w.vec: 1 words, expected the 2 announced in line 1"},
      {"99999999999999 99999999999999\nant 1 2\n",
       "w.vec: 1 words, expected the 99999999999999 announced in line 1"},
      {"1 99999999999999\nant 1 2\n", "w.vec:2: 2 numbers, expected 99999999999999"},
      {"2 2\nant 1 2\nbee 1\n", "w.vec:3: 1 numbers, expected 2"},
      {"2 2\nant 1 2\nbee 1 2 3\n", "w.vec:3: 3 numbers, expected 2"},
      {"1 2\nant 1 x\n", "w.vec:2: \"x\": expected a number"},
      {"1 2\nant 1 1e999\n", "w.vec:2: \"1e999\": out of range: the largest number is 1.8e308"},
      {"2 1\nant 1\nant 2\n", "w.vec:3: the word \"ant\" is in line 2 already"},
      {"1 1\n\xff 1\n", "w.vec:2: word \"\\xff\" is not UTF-8"},
  };
  for (const auto& [text, message] : cases) {
    EXPECT_EQ(message_of([&] { (void)parse_word2vec(text, "w.vec"); }), message);
  }
}

TEST(Word2vec, refuses_to_write_words_with_spaces) {
  const Table table(
      {{"word", std::vector<std::string>{"a b"}, {}}, {"x", std::vector<double>{1}, {}}});
  EXPECT_EQ(message_of([&] { (void)format_word2vec(table); }),
            "row 0: the word \"a b\" is empty or holds a space, which word2vec text cannot");
}

}  // namespace
}  // namespace bentwood
