#include "bentwood/split/target.hpp"

#include <gtest/gtest.h>

namespace bentwood {
namespace {

TEST(DoubtOfClasses, is_told_where_more_than_half_of_the_rows_have_a_class_of_their_own) {
  EXPECT_EQ(doubt_of_classes(364, 364, "the label", "--task regression"),
            "the label has 364 different values in 364 rows: is it an identifier, or a number to "
            "predict (--task regression)?");
  EXPECT_EQ(doubt_of_classes(51, 100, "y", ""),
            "y has 51 different values in 100 rows: is it an identifier?");
  EXPECT_EQ(doubt_of_classes(50, 100, "y", ""), "");
  EXPECT_EQ(doubt_of_classes(2, 100, "y", ""), "");
}

TEST(DoubtOfClasses, needs_more_than_a_handful_of_rows) {
  EXPECT_EQ(doubt_of_classes(20, 20, "y", ""), "");
  EXPECT_EQ(doubt_of_classes(21, 21, "y", ""),
            "y has 21 different values in 21 rows: is it an identifier?");
}

}  // namespace
}  // namespace bentwood
