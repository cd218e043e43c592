#include "bentwood/base/weights.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <string>

#include "bentwood/base/error.hpp"

namespace bentwood {
namespace {

using Numbers = std::vector<double>;

std::string message(const std::function<void()>& work) {
  try {
    work();
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return "";
}

std::string refusal(const Numbers& weights, std::size_t n_rows) {
  return message([&] { check_weights(weights, n_rows); });
}

TEST(Weights, are_finite_numbers_one_per_row_and_not_all_of_them_0) {
  EXPECT_EQ(refusal({1, 0, 1.7e308, 5e-324}, 4), "");
  EXPECT_EQ(refusal({1, 2}, 3), "2 weights for 3 rows, expected one each");
  EXPECT_EQ(refusal({1, -1}, 2), "row 1: the weight is -1, expected a finite number >= 0");
  EXPECT_EQ(refusal({std::nan(""), 1}, 2),
            "row 0: the weight is nan, expected a finite number >= 0");
  EXPECT_EQ(refusal({std::numeric_limits<double>::infinity(), 1}, 2),
            "row 0: the weight is inf, expected a finite number >= 0");
  EXPECT_EQ(refusal({0, 0}, 2), "all weights are 0, expected one above 0");
}

TEST(Weights, have_a_scale_that_is_a_power_of_two_and_makes_their_cubes_numbers) {
  EXPECT_EQ(weight_scale({}), 1);
  EXPECT_EQ(weight_scale(Numbers{0, 3, 1e60, 1e10}), 1);
  for (const Numbers& weights : {Numbers{1e308, 1e300}, Numbers{5e-324, 0, 5e-324},
                                 Numbers{1e-310, 1e-300}, Numbers{1e-10, 1e-65}}) {
    const double scale = weight_scale(weights);
    int exponent = 0;
    EXPECT_EQ(std::frexp(scale, &exponent), 0.5);
    for (const double weight : weights) {
      const double scaled = weight * scale;
      EXPECT_EQ(scaled / scale, weight);
      EXPECT_TRUE(weight == 0 || std::isnormal(scaled * scaled * scaled)) << weight;
    }
  }
}

TEST(Weights, may_not_be_so_different_that_some_would_vanish) {
  EXPECT_EQ(message([] { static_cast<void>(weight_scale(Numbers{1, 0, 1e-60})); }), "");
  EXPECT_EQ(message([] { static_cast<void>(weight_scale(Numbers{1, 2, 1e-61, 1})); }),
            "row 2: the weight is 1e-61 and the largest is 2, expected 0 or at least 1e-60 times "
            "the largest: less would vanish in their sum");
  EXPECT_EQ(message([] { static_cast<void>(weight_scale(Numbers{1e308, 5e-324})); }),
            "row 1: the weight is 5e-324 and the largest is 1e+308, expected 0 or at least 1e-60 "
            "times the largest: less would vanish in their sum");
}

TEST(Weights, are_multiplied_by_those_of_classes_to_numbers_alone) {
  const std::vector<std::uint32_t> classes{0, 1, 1};
  Numbers weights{2, 3, 0};
  weigh_classes(classes, Numbers{0, 5}, weights);
  EXPECT_EQ(weights, (Numbers{0, 15, 0}));
  const auto problem = [&](double weight, double of_class) {
    Numbers all{1, weight, 1};
    return message([&] { weigh_classes(classes, Numbers{1, of_class}, all); });
  };
  EXPECT_EQ(
      problem(1e200, 1e200),
      "row 1: the weight is 1e+200 and that of its class 1e+200, expected a product that is a "
      "number above 0");
  EXPECT_EQ(problem(5e-324, 0.25),
            "row 1: the weight is 5e-324 and that of its class 0.25, expected a product that is a "
            "number above 0");
}

}  // namespace
}  // namespace bentwood
