#include "bentwood/metrics/paired_test.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "bentwood/metrics/student_t.hpp"
#include "metrics/random_rows.hpp"

namespace bentwood {
namespace {

using metrics_test::message;
using Scores = std::vector<double>;

/// ∫ cos^(ν-1) from `angle` to π/2 by the rule of Gauss and Legendre with five points in each of many steps.
long double cosine_integral(long double angle, long double degrees_of_freedom) {
  constexpr int n_steps = 2000;
  const long double half = (std::numbers::pi_v<long double> / 2 - angle) / n_steps / 2;
  const long double near = std::sqrt(5 - 2 * std::sqrt(10 / 7.0L)) / 3 * half;
  const long double far = std::sqrt(5 + 2 * std::sqrt(10 / 7.0L)) / 3 * half;
  const long double near_weight = (322 + 13 * std::sqrt(70.0L)) / 900;
  const long double far_weight = (322 - 13 * std::sqrt(70.0L)) / 900;
  const auto density = [&](long double theta) {
    return std::pow(std::cos(theta), degrees_of_freedom - 1);
  };
  long double sum = 0;
  for (int index = 0; index < n_steps; ++index) {
    const long double middle = angle + static_cast<long double>(2 * index + 1) * half;
    sum += 128 / 225.0L * density(middle) +
           near_weight * (density(middle - near) + density(middle + near)) +
           far_weight * (density(middle - far) + density(middle + far));
  }
  return sum * half;
}

// With t = √ν tan θ the density of T becomes cos^(ν-1) θ up to a constant: the share of the area beyond
// t needs no special function.
TEST(StudentT, is_the_area_under_the_density) {
  for (const double degrees : {1.0, 2.0, 3.0, 4.0, 7.0, 9.0, 29.0, 99.0, 999.0}) {
    const long double whole = cosine_integral(0, degrees);
    for (const double t : {1e-3, 0.1, 0.5, 1.0, 1.5, 2.0, 2.5, 5.0, 12.0, 30.0}) {
      const long double angle = std::atan(t / std::sqrt(static_cast<long double>(degrees)));
      const auto expected = static_cast<double>(cosine_integral(angle, degrees) / whole);
      EXPECT_NEAR(student_t_two_tailed(t, degrees), expected, 1e-12 * expected)
          << "t = " << t << ", degrees of freedom " << degrees;
    }
  }
}

TEST(StudentT, has_closed_forms_for_one_and_two_degrees_of_freedom) {
  for (double t = 1e-6; t < 1e140; t *= 7) {
    const double one = 2 / std::numbers::pi * std::atan2(1.0, t);
    EXPECT_NEAR(student_t_two_tailed(t, 1), one, 1e-12 * one) << t;
    // 1 - t/√(2 + t²) without its cancellation; hypot keeps the square from overflowing.
    const double root = std::hypot(std::sqrt(2.0), t);
    const double two = 2 / root / (root + t);
    EXPECT_NEAR(student_t_two_tailed(t, 2), two, 1e-12 * two) << t;
  }
}

TEST(StudentT, tends_to_the_normal_distribution) {
  for (const double t : {0.01, 0.5, 1.0, 2.0, 4.0}) {
    const double normal = std::erfc(t / std::numbers::sqrt2);
    EXPECT_NEAR(student_t_two_tailed(t, 1e15), normal, 1e-13 * normal);
  }
}

TEST(StudentT, is_symmetric_and_ends_at_one_and_zero) {
  for (const double degrees : {1.0, 4.0, 1e4}) {
    EXPECT_EQ(student_t_two_tailed(0, degrees), 1);
    EXPECT_EQ(student_t_two_tailed(INFINITY, degrees), 0);
    EXPECT_EQ(student_t_two_tailed(-2, degrees), student_t_two_tailed(2, degrees));
  }
}

TEST(StudentT, critical_values_are_exceeded_with_their_probability) {
  for (const double degrees : {1.0, 4.0, 9.0, 1000.0}) {
    for (const double p : {0.999, 0.5, 0.1, 0.05, 0.01, 1e-6, 1e-12}) {
      const double t = student_t_critical(p, degrees);
      EXPECT_NEAR(student_t_two_tailed(t, degrees), p, 1e-12 * p);
    }
  }
  EXPECT_NEAR(student_t_critical(0.05, 4), 2.776445105197793, 1e-14);
}

TEST(PairedTTest, is_the_textbook_formula) {
  Random random(1);
  for (int trial = 0; trial < 100; ++trial) {
    const std::size_t n_folds = 2 + random.below(20);
    Scores first;
    Scores second;
    long double sum = 0;
    for (std::size_t fold = 0; fold < n_folds; ++fold) {
      first.push_back(random.uniform());
      second.push_back(random.uniform());
      sum += first.back() - second.back();
    }
    const auto n = static_cast<long double>(n_folds);
    long double squares = 0;
    for (std::size_t fold = 0; fold < n_folds; ++fold) {
      const long double deviation = first[fold] - second[fold] - sum / n;
      squares += deviation * deviation;
    }
    const auto error = static_cast<double>(std::sqrt(squares / (n - 1) / n));
    const auto mean = static_cast<double>(sum / n);
    const PairedTTest test = paired_t_test(first, second, 0.9);
    EXPECT_NEAR(test.mean_difference, mean, 1e-15);
    EXPECT_NEAR(test.t, mean / error, 1e-12 * std::abs(mean / error) + 1e-15 / error);
    EXPECT_EQ(test.degrees_of_freedom, n_folds - 1);
    EXPECT_EQ(test.p, student_t_two_tailed(test.t, static_cast<double>(n_folds - 1)));
    const double critical = student_t_critical(0.1, static_cast<double>(n_folds - 1));
    EXPECT_NEAR(test.low, mean - critical * error, 1e-12);
    EXPECT_NEAR(test.high, mean + critical * error, 1e-12);
  }
}

// The interval leaves out 0 exactly where p is below 1 - confidence.
TEST(PairedTTest, has_an_interval_that_ends_at_zero_at_its_own_p) {
  const Scores first{0.91, 0.93, 0.90, 0.95, 0.92};
  const Scores second{0.90, 0.90, 0.91, 0.91, 0.90};
  const double p = paired_t_test(first, second).p;
  EXPECT_NEAR(paired_t_test(first, second, 1 - p).low, 0, 1e-15);
  EXPECT_NEAR(paired_t_test(second, first, 1 - p).high, 0, 1e-15);
}

TEST(PairedTTest, of_equal_differences_is_certain) {
  const Scores first{0.5, 0.625, 0.75};
  const PairedTTest same = paired_t_test(first, first);
  EXPECT_EQ(same.p, 1);
  EXPECT_EQ(same.t, 0);
  EXPECT_EQ(same.low, 0);
  EXPECT_EQ(same.high, 0);

  const PairedTTest better = paired_t_test(first, Scores{0.25, 0.375, 0.5});
  EXPECT_EQ(better.p, 0);
  EXPECT_EQ(better.t, INFINITY);
  EXPECT_EQ(better.low, 0.25);
  EXPECT_EQ(better.high, 0.25);
  EXPECT_EQ(paired_t_test(Scores{0.25, 0.375, 0.5}, first).t, -INFINITY);
}

// 0.1 + 0.2 is not 0.3 in binary: neither a difference of 5e-17 nor its spread means anything.
TEST(PairedTTest, takes_differences_of_rounding_for_none) {
  const PairedTTest same = paired_t_test(Scores{0.1 + 0.2, 0.5}, Scores{0.3, 0.5});
  EXPECT_EQ(same.p, 1);
  EXPECT_EQ(same.t, 0);
  const PairedTTest better = paired_t_test(Scores{0.9, 0.7, 0.3}, Scores{0.8, 0.6, 0.2});
  EXPECT_EQ(better.p, 0);
  EXPECT_EQ(better.t, INFINITY);
}

TEST(PairedTTest, does_not_depend_on_the_unit_of_the_scores) {
  const Scores first{3, 5, 4, 9};
  const Scores second{2, 5, 1, 3};
  const double p = paired_t_test(first, second).p;
  for (const double unit : {0x1p-900, 0x1p-20, 0x1p900}) {
    Scores a;
    Scores b;
    for (std::size_t fold = 0; fold < first.size(); ++fold) {
      a.push_back(unit * first[fold]);
      b.push_back(unit * second[fold]);
    }
    EXPECT_EQ(paired_t_test(a, b).p, p);
  }
}

TEST(PairedTTest, names_what_is_wrong) {
  const auto refusal = [](Scores first, Scores second, double confidence = 0.95) {
    return message([&] { static_cast<void>(paired_t_test(first, second, confidence)); });
  };
  EXPECT_EQ(refusal({1, 2, 3}, {1, 2}),
            "3 scores of the first method and 2 of the second, expected one each for every fold");
  EXPECT_EQ(refusal({1}, {1}), "a paired test needs at least 2 folds, found 1");
  EXPECT_EQ(refusal({1, 2}, {1, NAN}), "fold 1: the scores are 2 and nan, expected finite numbers");
  EXPECT_EQ(refusal({1, 2}, {1, 3}, 1),
            "the confidence is 1, expected more than 0 and less than 1");
}

}  // namespace
}  // namespace bentwood
