#include "bentwood/ensemble/importances.hpp"

#include <gtest/gtest.h>

namespace bentwood {
namespace {

TEST(MeanImportances, are_the_mean_of_shares_over_the_trees_that_gain) {
  const Matrix gains(3, 2, {3, 1, 0, 0, 0, 8});
  const std::vector<double> found = mean_importances(gains);
  EXPECT_DOUBLE_EQ(found[0], 0.375);
  EXPECT_DOUBLE_EQ(found[1], 0.625);
}

TEST(MeanImportances, of_trees_that_gain_nothing_are_0) {
  EXPECT_EQ(mean_importances(Matrix(4, 2)), (std::vector<double>{0, 0}));
}

TEST(MeanImportances, go_on_from_those_of_earlier_trees) {
  const std::vector<double> earlier = {0.25, 0.75};
  const std::vector<double> found = mean_importances(Matrix(2, 2, {5, 0, 0, 0}), earlier, 2);
  EXPECT_DOUBLE_EQ(found[0], 0.5);
  EXPECT_DOUBLE_EQ(found[1], 0.5);
}

}  // namespace
}  // namespace bentwood
