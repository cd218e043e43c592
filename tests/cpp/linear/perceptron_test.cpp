#include "bentwood/linear/perceptron.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "bentwood/base/dense.hpp"
#include "bentwood/base/error.hpp"
#include "bentwood/base/matrix.hpp"
#include "bentwood/base/random.hpp"

namespace bentwood {
namespace {

/// Rows of very different lengths, and signs that a hyperplane gives them, a tenth of which are wrong.
struct Stream {
  Stream(std::size_t n_rows, std::size_t n_features, std::uint64_t seed)
      : rows(n_rows, n_features), signs(n_rows) {
    Random random(seed);
    for (std::size_t row = 0; row < n_rows; ++row) {
      const double size = std::exp(2 * random.normal());
      for (double& value : rows.row(row)) {
        value = size * random.normal();
      }
      signs[row] = (rows(row, 0) + 0.3 * rows(row, n_features - 1) > 0) ? 1 : -1;
      signs[row] *= random.uniform() < 0.1 ? -1 : 1;
    }
  }
  Matrix rows;
  std::vector<double> signs;
};

/// Ax = b by Gaussian elimination with pivoting.
std::vector<double> eliminated(std::vector<std::vector<double>> a, std::vector<double> b) {
  const std::size_t n = b.size();
  for (std::size_t step = 0; step < n; ++step) {
    std::size_t pivot = step;
    for (std::size_t row = step + 1; row < n; ++row) {
      pivot = std::abs(a[row][step]) > std::abs(a[pivot][step]) ? row : pivot;
    }
    std::swap(a[step], a[pivot]);
    std::swap(b[step], b[pivot]);
    for (std::size_t row = step + 1; row < n; ++row) {
      const double factor = a[row][step] / a[step][step];
      for (std::size_t column = step; column < n; ++column) {
        a[row][column] -= factor * a[step][column];
      }
      b[row] -= factor * b[step];
    }
  }
  for (std::size_t step = n; step-- > 0;) {
    for (std::size_t column = step + 1; column < n; ++column) {
      b[step] -= a[step][column] * b[column];
    }
    b[step] /= a[step][step];
  }
  return b;
}

/// aI + Σ z zᵀ over the mistakes.
std::vector<std::vector<double>> correlation(const std::vector<std::vector<double>>& mistakes,
                                             std::size_t n_features, double regularization) {
  std::vector<std::vector<double>> result(n_features, std::vector<double>(n_features));
  for (std::size_t row = 0; row < n_features; ++row) {
    result[row][row] = regularization;
    for (std::size_t column = 0; column < n_features; ++column) {
      for (const std::vector<double>& z : mistakes) {
        result[row][column] += z[row] * z[column];
      }
    }
  }
  return result;
}

void expect_parallel(std::span<const double> found, const std::vector<double>& expected,
                     double tolerance) {
  for (std::size_t place = 0; place < expected.size(); ++place) {
    EXPECT_NEAR(found[place], expected[place], tolerance * length(expected));
  }
}

TEST(Perceptron, of_the_first_order_is_the_textbooks_update_by_update) {
  const Stream stream(400, 5, 1);
  Perceptron perceptron(5, {});
  std::vector<double> w(5, 0);
  std::vector<double> sum(5, 0);
  std::uint64_t n_updates = 0;
  for (std::size_t row = 0; row < 400; ++row) {
    double score = 0;
    for (std::size_t place = 0; place < 5; ++place) {
      score += w[place] * stream.rows(row, place);
    }
    const bool wrong = stream.signs[row] * score <= 0;
    for (std::size_t place = 0; place < 5; ++place) {
      w[place] += wrong ? stream.signs[row] * stream.rows(row, place) : 0;
      sum[place] += w[place];
    }
    n_updates += wrong ? 1 : 0;
    ASSERT_EQ(perceptron.see(stream.rows.row(row), stream.signs[row]), wrong) << row;
    ASSERT_EQ(perceptron.n_updates(), n_updates);
    expect_parallel(perceptron.weights(), w, 1e-13);
  }
  for (double& value : sum) {
    value /= 400;
  }
  expect_parallel(perceptron.average(), sum, 1e-12);
  EXPECT_GT(n_updates, 50U);
}

// With the row that is guessed among the columns of S, as the papers have it.
TEST(Perceptron, of_the_second_order_is_the_definition_update_by_update) {
  for (const double regularization : {1.0, 0.01}) {
    constexpr std::size_t n_features = 4;
    const Stream stream(300, n_features, 2);
    Perceptron perceptron(n_features, {true, regularization});
    std::vector<std::vector<double>> mistakes;
    std::vector<double> target(n_features, 0);
    for (std::size_t row = 0; row < 300; ++row) {
      const std::span<const double> z = stream.rows.row(row);
      mistakes.emplace_back(z.begin(), z.end());
      const std::vector<double> w =
          eliminated(correlation(mistakes, n_features, regularization), target);
      const bool wrong = stream.signs[row] * dot(w, z) <= 0;
      if (wrong) {
        add_scaled(stream.signs[row], z, target);
      } else {
        mistakes.pop_back();
      }
      ASSERT_EQ(perceptron.see(z, stream.signs[row]), wrong) << row;
      expect_parallel(perceptron.weights(),
                      eliminated(correlation(mistakes, n_features, regularization), target), 1e-9);
    }
    EXPECT_GT(mistakes.size(), 30U);
  }
}

// Of k < d independent columns the pseudo-inverse of SSᵀ is S(SᵀS)⁻²Sᵀ; of all d dimensions it is the inverse.
TEST(Perceptron, without_regularization_has_the_pseudo_inverse) {
  constexpr std::size_t n_features = 6;
  const Stream stream(200, n_features, 3);
  Perceptron perceptron(n_features, {true, 0});
  std::vector<std::vector<double>> mistakes;
  std::vector<double> target(n_features, 0);
  for (std::size_t row = 0; row < 200; ++row) {
    const std::span<const double> z = stream.rows.row(row);
    const std::vector<double> before(perceptron.weights().begin(), perceptron.weights().end());
    // A row outside of the span makes one of the score 0.
    const bool wrong = mistakes.size() < n_features || stream.signs[row] * dot(before, z) <= 0;
    ASSERT_EQ(perceptron.see(z, stream.signs[row]), wrong) << row;
    if (!wrong) {
      continue;
    }
    mistakes.emplace_back(z.begin(), z.end());
    add_scaled(stream.signs[row], z, target);
    std::vector<double> expected(n_features, 0);
    if (mistakes.size() < n_features) {
      const std::size_t n = mistakes.size();
      std::vector<std::vector<double>> gram(n, std::vector<double>(n));
      std::vector<double> inner(n);
      for (std::size_t one = 0; one < n; ++one) {
        inner[one] = dot(mistakes[one], target);
        for (std::size_t other = 0; other < n; ++other) {
          gram[one][other] = dot(mistakes[one], mistakes[other]);
        }
      }
      const std::vector<double> twice = eliminated(gram, eliminated(gram, inner));
      for (std::size_t one = 0; one < n; ++one) {
        add_scaled(twice[one], mistakes[one], expected);
      }
    } else {
      expected = eliminated(correlation(mistakes, n_features, 0), target);
    }
    expect_parallel(perceptron.weights(), expected, 1e-7);
  }
  EXPECT_GT(mistakes.size(), 20U);
}

TEST(Perceptron, without_regularization_knows_a_row_of_the_span_of_its_mistakes) {
  Perceptron perceptron(3, {true, 0});
  EXPECT_TRUE(perceptron.see(std::vector<double>{1, 2, 0.5}, 1));
  EXPECT_FALSE(perceptron.see(std::vector<double>{3, 6, 1.5}, 1));
  EXPECT_FALSE(perceptron.see(std::vector<double>{-0.1, -0.2, -0.05}, -1));
  EXPECT_TRUE(perceptron.see(std::vector<double>{1, 2, 0.5000001}, 1));
  EXPECT_FALSE(perceptron.see(std::vector<double>{-0.5, -1, -0.25}, -1));
}

TEST(Perceptron, passes_over_rows_of_zeros) {
  for (const bool second_order : {false, true}) {
    Perceptron perceptron(2, {second_order, 0});
    EXPECT_FALSE(perceptron.see(std::vector<double>{0, 0}, 1));
    EXPECT_TRUE(perceptron.see(std::vector<double>{1, 0}, 1));
    EXPECT_FALSE(perceptron.see(std::vector<double>{0, 0}, -1));
    EXPECT_EQ(perceptron.n_updates(), 1U);
    EXPECT_EQ(perceptron.n_seen(), 3U);
  }
}

// Rows of H at distance 300: their squares are beyond all numbers but for a few.
TEST(Perceptron, learns_from_rows_of_any_length) {
  for (const PerceptronKind kind :
       {PerceptronKind{}, PerceptronKind{true, 1}, PerceptronKind{true, 0}}) {
    Perceptron perceptron(2, kind);
    bool wrong = true;
    for (int pass = 0; pass < 50 && wrong; ++pass) {
      wrong = perceptron.see(std::vector<double>{1e130, 1e130}, 1);
      wrong = perceptron.see(std::vector<double>{-1e130, 1e130}, -1) || wrong;
      wrong = perceptron.see(std::vector<double>{1e-3, -1e-3}, 1) || wrong;
    }
    EXPECT_FALSE(wrong);
    EXPECT_TRUE(std::isfinite(perceptron.average()[0]));
  }
}

TEST(Perceptron, goes_on_from_its_memory_bit_by_bit) {
  const Stream stream(200, 7, 4);
  for (const PerceptronKind kind :
       {PerceptronKind{}, PerceptronKind{true, 2}, PerceptronKind{true, 0}}) {
    Perceptron whole(7, kind);
    Perceptron halves(7, kind);
    for (std::size_t row = 0; row < 200; ++row) {
      if (row % 5 == 0) {
        halves = Perceptron(7, kind, halves.memory());
      }
      EXPECT_EQ(whole.see(stream.rows.row(row), stream.signs[row]),
                halves.see(stream.rows.row(row), stream.signs[row]));
    }
    EXPECT_EQ(whole.memory(), halves.memory());
    EXPECT_EQ(whole.average(), halves.average());
  }
}

TEST(Perceptron, names_a_memory_that_is_not_its_own) {
  const auto problem = [](PerceptronKind kind, std::vector<double> memory) {
    try {
      (void)Perceptron(2, kind, memory);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const std::vector<double> first = Perceptron(2, {}).memory();
  std::vector<double> second = Perceptron(2, {true, 1}).memory();
  EXPECT_EQ(problem({}, first), "");
  EXPECT_EQ(problem({true, 1}, second), "");
  EXPECT_EQ(problem({true, 1}, first),
            "the model has no memory of such a perceptron, and cannot learn on");
  EXPECT_EQ(problem({}, {}), "the model has no memory of such a perceptron, and cannot learn on");
  EXPECT_EQ(problem({true, 3}, second),
            "regularization is 3, but the model has learned with 1; fit it anew to change it");
  std::vector<double> torn = first;
  torn.pop_back();
  EXPECT_EQ(problem({}, torn), "the model's memory is damaged: 8 numbers, expected 9");
  std::vector<double> negative = first;
  negative[3] = -1;
  EXPECT_EQ(problem({}, negative), "the model's memory is damaged: a count of rows is -1");
  second[5 + 3 * 2] = 7;
  EXPECT_EQ(problem({true, 1}, second),
            "the model's memory is damaged: its rank is none of a matrix");
}

}  // namespace
}  // namespace bentwood
