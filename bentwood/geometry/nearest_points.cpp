#include "bentwood/geometry/nearest_points.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <functional>
#include <utility>

#include "bentwood/base/dense.hpp"
#include "bentwood/base/parallel.hpp"

namespace bentwood {
namespace {

constexpr double smallest_distance = 1e-12;
constexpr std::size_t rows_between_questions = 512;

/// The largest squared norm of rows, which overflows or vanishes where the rows are too large or too small to be squared.
double largest_square(MatrixView rows) {
  double result = 0;
  for (std::size_t row = 0; row < rows.n_rows(); ++row) {
    if (row % rows_between_questions == 0) {
      throw_if_interrupted();
    }
    result = std::max(result, dot(rows.row(row), rows.row(row)));
  }
  return result;
}

double largest_number(MatrixView rows) {
  double result = 0;
  for (std::size_t row = 0; row < rows.n_rows(); ++row) {
    for (const double value : rows.row(row)) {
      result = std::max(result, std::abs(value));
    }
  }
  return result;
}

/// Rows times a power of two.
Matrix scaled(MatrixView rows, int exponent) {
  Matrix result = Matrix::uninitialized(rows.n_rows(), rows.n_cols());
  for (std::size_t row = 0; row < rows.n_rows(); ++row) {
    std::ranges::transform(rows.row(row), result.row(row).begin(),
                           [exponent](double value) { return std::ldexp(value, exponent); });
  }
  return result;
}

/// The row with the least product with a direction, the first of equal ones.
std::size_t lowest(MatrixView rows, std::span<const double> direction) {
  constexpr std::size_t block = 4096;
  std::vector<std::pair<double, std::size_t>> found((rows.n_rows() + block - 1) / block);
  parallel_blocks(rows.n_rows(), block, [&](std::size_t begin, std::size_t end) {
    std::pair<double, std::size_t> best{dot(rows.row(begin), direction), begin};
    for (std::size_t row = begin + 1; row < end; ++row) {
      best = std::min(best, {dot(rows.row(row), direction), row});
    }
    found[begin / block] = best;
  });
  return std::ranges::min_element(found)->second;
}

/// The Cholesky factor of the products of vectors, which come and go; O(k²) each for k vectors.
class GrowingFactor {
 public:
  /// `products` of the new vector with those before it and with itself. False where it depends on them.
  bool add(std::vector<double> products) {
    const std::size_t last = rows_.size();
    for (std::size_t across = 0; across < last; ++across) {
      const std::span<const double> other = rows_[across];
      const std::span<const double> found = std::span(products).first(across);
      products[across] = (products[across] - dot(found, other.first(across))) / other[across];
    }
    const std::span<const double> found = std::span(products).first(last);
    const double rest = products[last] - dot(found, found);
    if (!(rest > 0)) {
      return false;
    }
    products[last] = std::sqrt(rest);
    rows_.push_back(std::move(products));
    return true;
  }

  /// The rows behind have a number too many then, which a rotation of two columns takes away in each.
  void drop(std::size_t place) {
    rows_.erase(rows_.begin() + static_cast<std::ptrdiff_t>(place));
    for (std::size_t column = place; column < rows_.size(); ++column) {
      const double length = std::hypot(rows_[column][column], rows_[column][column + 1]);
      const double cosine = rows_[column][column] / length;
      const double sine = rows_[column][column + 1] / length;
      for (std::size_t row = column; row < rows_.size(); ++row) {
        const double left = rows_[row][column];
        const double right = rows_[row][column + 1];
        rows_[row][column] = cosine * left + sine * right;
        rows_[row][column + 1] = cosine * right - sine * left;
      }
      rows_[column].pop_back();
    }
  }

  /// The x with A x = b.
  [[nodiscard]] std::vector<double> solve(std::vector<double> b) const {
    std::vector<double> x = std::move(b);
    for (std::size_t down = 0; down < x.size(); ++down) {
      const std::span<const double> row = rows_[down];
      x[down] = (x[down] - dot(row.first(down), std::span(x).first(down))) / row[down];
    }
    for (std::size_t down = x.size(); down-- > 0;) {
      x[down] /= rows_[down][down];
      add_scaled(-x[down], std::span(rows_[down]).first(down), std::span(x).first(down));
    }
    return x;
  }

 private:
  std::vector<std::vector<double>> rows_;
};

/// The point of the convex hull of differences that is nearest to 0.
class Wolfe {
 public:
  using Pairs = std::vector<std::pair<std::size_t, std::size_t>>;

  /// Requires `size`, the largest squared norm, to be an ordinary number above 0.
  Wolfe(MatrixView first, MatrixView second, double size, std::span<const Pairs::value_type> start)
      : first_(first), second_(second), at_(first.n_cols()), size_(size) {
    for (const auto& [row, other] : start) {
      (void)add(row, other);
    }
    if (pairs_.empty()) {
      (void)add(0, 0);
    }
    std::ranges::fill(shares_, 1 / static_cast<double>(shares_.size()));
    settle();
  }

  NearestPoints solve() {
    const std::size_t most_steps = 1000 + 100 * first_.n_cols();
    for (std::size_t step = 0; step < most_steps; ++step) {
      throw_if_interrupted();
      const double squared = dot(at_, at_);
      if (squared <= smallest_distance * smallest_distance * size_) {
        return result(0);
      }
      std::vector<double> away(at_.size());
      std::ranges::transform(at_, away.begin(), std::negate());
      const std::size_t row = lowest(first_, at_);
      const std::size_t other = lowest(second_, away);
      const double reach = dot(first_.row(row), at_) - dot(second_.row(other), at_);
      // No other point is nearer, or rounding hides whether it is.
      if (squared - reach <= 1e-15 * (squared + std::sqrt(squared * size_)) || has(row, other)) {
        break;
      }
      if (!add(row, other)) {
        break;
      }
      settle();
      if (!(dot(at_, at_) < squared)) {
        break;
      }
    }
    return result(std::sqrt(dot(at_, at_)));
  }

 private:
  /// False where the difference is in the flat of those that there are, as far as rounding can tell.
  bool add(std::size_t row, std::size_t other) {
    throw_if_interrupted();
    std::vector<double> difference(first_.n_cols());
    std::ranges::transform(first_.row(row), second_.row(other), difference.begin(), std::minus());
    std::vector<double> products;
    for (const std::vector<double>& before : differences_) {
      products.push_back(dot(before, difference) + size_);
    }
    products.push_back(dot(difference, difference) + size_);
    if (!factor_.add(std::move(products))) {
      return false;
    }
    pairs_.emplace_back(row, other);
    shares_.push_back(0);
    differences_.push_back(std::move(difference));
    return true;
  }
  void drop(std::size_t place) {
    pairs_.erase(pairs_.begin() + static_cast<std::ptrdiff_t>(place));
    shares_.erase(shares_.begin() + static_cast<std::ptrdiff_t>(place));
    differences_.erase(differences_.begin() + static_cast<std::ptrdiff_t>(place));
    factor_.drop(place);
  }
  [[nodiscard]] bool has(std::size_t row, std::size_t other) const {
    return std::ranges::find(pairs_, std::pair(row, other)) != pairs_.end();
  }

  /// The shares of the point of the flat through all differences that is nearest to 0.
  [[nodiscard]] std::vector<double> flat_shares() const {
    std::vector<double> shares(pairs_.size(), 0);
    // Once, and once more for what rounding in the factor has left.
    for (int count = 0; count < 2; ++count) {
      std::vector<double> point(at_.size(), 0);
      double sum = 0;
      for (std::size_t place = 0; place < shares.size(); ++place) {
        add_scaled(shares[place], differences_[place], point);
        sum += shares[place];
      }
      std::vector<double> rest(shares.size());
      for (std::size_t place = 0; place < shares.size(); ++place) {
        rest[place] = 1 - dot(differences_[place], point) - size_ * sum;
      }
      add_scaled(1, factor_.solve(std::move(rest)), shares);
    }
    double sum = 0;
    for (const double share : shares) {
      sum += share;
    }
    for (double& share : shares) {
      share /= sum;
    }
    return shares;
  }

  /// Moves to the nearest point of the simplex of all differences, dropping those that it does not need.
  void settle() {
    while (true) {
      throw_if_interrupted();
      const std::vector<double> wanted = flat_shares();
      double time = 1;
      std::size_t leaving = pairs_.size();
      for (std::size_t place = 0; place < wanted.size(); ++place) {
        if (wanted[place] <= 0 && shares_[place] <= time * (shares_[place] - wanted[place])) {
          // One that has just been added may be wanted with a share of exactly 0.
          time = shares_[place] > 0 ? shares_[place] / (shares_[place] - wanted[place]) : 0;
          leaving = place;
        }
      }
      for (std::size_t place = 0; place < wanted.size(); ++place) {
        shares_[place] += time * (wanted[place] - shares_[place]);
      }
      if (leaving == pairs_.size()) {
        break;
      }
      drop(leaving);
    }
    std::ranges::fill(at_, 0.0);
    for (std::size_t place = 0; place < pairs_.size(); ++place) {
      add_scaled(shares_[place], differences_[place], at_);
    }
  }

  [[nodiscard]] NearestPoints result(double distance) const {
    NearestPoints result{std::vector<double>(at_.size(), 0), std::vector<double>(at_.size(), 0),
                         distance, pairs_, shares_};
    for (std::size_t place = 0; place < pairs_.size(); ++place) {
      add_scaled(shares_[place], first_.row(pairs_[place].first), result.first);
      add_scaled(shares_[place], second_.row(pairs_[place].second), result.second);
    }
    return result;
  }

  MatrixView first_;
  MatrixView second_;
  std::vector<double> at_;
  double size_;  ///< the largest squared norm
  // The simplex: differences of pairs of rows, and their shares of the point.
  Pairs pairs_;
  std::vector<double> shares_;
  std::vector<std::vector<double>> differences_;
  GrowingFactor factor_;  ///< of their products, each with size_ added
};

}  // namespace

NearestPoints nearest_points(MatrixView first, MatrixView second,
                             std::span<const std::pair<std::size_t, std::size_t>> start) {
  assert(first.n_rows() > 0 && second.n_rows() > 0 && first.n_cols() == second.n_cols());
  constexpr double least_square = 0x1p-400;
  constexpr double most_square = 0x1p400;
  const double size = std::max(largest_square(first), largest_square(second));
  if (size >= least_square && size <= most_square) {
    return Wolfe(first, second, size, start).solve();
  }
  const double largest = std::max(largest_number(first), largest_number(second));
  if (largest == 0) {
    const std::vector<double> origin(first.n_cols(), 0);
    return {origin, origin, 0, {{0, 0}}, {1}};
  }
  const int exponent = std::ilogb(largest);
  const Matrix some = scaled(first, -exponent);
  const Matrix others = scaled(second, -exponent);
  NearestPoints result = nearest_points(some, others, start);
  for (std::vector<double>* const point : {&result.first, &result.second}) {
    std::ranges::for_each(*point, [&](double& value) { value = std::ldexp(value, exponent); });
  }
  result.distance = std::ldexp(result.distance, exponent);
  return result;
}

}  // namespace bentwood
