#include "bentwood/base/dense.hpp"

#include <gtest/gtest.h>

#include "bentwood/base/random.hpp"

namespace bentwood {
namespace {

TEST(Dense, products_are_sums_of_products) {
  Random random(1);
  for (std::size_t size = 0; size < 23; ++size) {
    std::vector<double> a(size);
    std::vector<double> b(size);
    double sum = 0;
    for (std::size_t place = 0; place < size; ++place) {
      a[place] = random.normal();
      b[place] = random.normal();
      sum += a[place] * b[place];
    }
    EXPECT_NEAR(dot(a, b), sum, 1e-13);
  }
}

TEST(Dense, cholesky_solves_what_was_multiplied) {
  Random random(2);
  for (std::size_t size = 1; size < 20; ++size) {
    std::vector<std::vector<double>> factor(size, std::vector<double>(size));
    std::vector<double> x(size);
    for (std::size_t down = 0; down < size; ++down) {
      x[down] = random.normal();
      for (double& value : factor[down]) {
        value = random.normal();
      }
      factor[down][down] += 4;
    }
    std::vector<double> triangle;
    std::vector<double> b(size, 0);
    for (std::size_t down = 0; down < size; ++down) {
      for (std::size_t across = 0; across < size; ++across) {
        const double value = dot(factor[down], factor[across]);
        b[down] += value * x[across];
        if (across <= down) {
          triangle.push_back(value);
        }
      }
    }
    ASSERT_TRUE(solve_cholesky(triangle, b));
    for (std::size_t place = 0; place < size; ++place) {
      EXPECT_NEAR(b[place], x[place], 1e-9);
    }
  }
}

TEST(Dense, cholesky_refuses_what_is_not_positive_definite) {
  std::vector<double> triangle{1, 2, 1};
  std::vector<double> b{1, 1};
  EXPECT_FALSE(solve_cholesky(triangle, b));
}

}  // namespace
}  // namespace bentwood
