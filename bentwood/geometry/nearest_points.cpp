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

/// The point of the convex hull of differences that is nearest to 0.
class Wolfe {
 public:
  Wolfe(MatrixView first, MatrixView second) : first_(first), second_(second), at_(first.n_cols()) {
    add(0, 0);
    at_ = differences_.front();
    for (const MatrixView rows : {first_, second_}) {
      for (std::size_t row = 0; row < rows.n_rows(); ++row) {
        size_ = std::max(size_, dot(rows.row(row), rows.row(row)));
      }
    }
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
      add(row, other);
      if (!settle() || !(dot(at_, at_) < squared)) {
        break;
      }
    }
    return result(std::sqrt(dot(at_, at_)));
  }

 private:
  void add(std::size_t row, std::size_t other) {
    pairs_.emplace_back(row, other);
    shares_.push_back(pairs_.size() == 1 ? 1 : 0);
    std::vector<double>& difference = differences_.emplace_back(first_.n_cols());
    std::ranges::transform(first_.row(row), second_.row(other), difference.begin(), std::minus());
  }
  void drop(std::size_t place) {
    pairs_.erase(pairs_.begin() + static_cast<std::ptrdiff_t>(place));
    shares_.erase(shares_.begin() + static_cast<std::ptrdiff_t>(place));
    differences_.erase(differences_.begin() + static_cast<std::ptrdiff_t>(place));
  }
  [[nodiscard]] bool has(std::size_t row, std::size_t other) const {
    return std::ranges::find(pairs_, std::pair(row, other)) != pairs_.end();
  }

  /// The shares of the point of the flat through all differences that is nearest to 0; empty where they are not independent.
  [[nodiscard]] std::vector<double> flat_shares() const {
    const std::size_t n = differences_.size();
    std::vector<double> triangle;
    for (std::size_t down = 0; down < n; ++down) {
      for (std::size_t across = 0; across <= down; ++across) {
        triangle.push_back(dot(differences_[down], differences_[across]) + size_);
      }
    }
    std::vector<double> shares(n, 1);
    if (!solve_cholesky(triangle, shares)) {
      return {};
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

  /// Moves to the nearest point of the simplex of all differences, dropping those that it does not need. False where
  /// rounding ends it.
  bool settle() {
    while (true) {
      const std::vector<double> wanted = flat_shares();
      if (wanted.empty()) {
        drop(pairs_.size() - 1);
        return false;
      }
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
    return true;
  }

  [[nodiscard]] NearestPoints result(double distance) const {
    NearestPoints result{std::vector<double>(at_.size(), 0), std::vector<double>(at_.size(), 0),
                         distance};
    for (std::size_t place = 0; place < pairs_.size(); ++place) {
      add_scaled(shares_[place], first_.row(pairs_[place].first), result.first);
      add_scaled(shares_[place], second_.row(pairs_[place].second), result.second);
    }
    return result;
  }

  MatrixView first_;
  MatrixView second_;
  std::vector<double> at_;
  double size_ = 0;  ///< the largest squared norm
  // The simplex: differences of pairs of rows, and their shares of the point.
  std::vector<std::pair<std::size_t, std::size_t>> pairs_;
  std::vector<double> shares_;
  std::vector<std::vector<double>> differences_;
};

}  // namespace

NearestPoints nearest_points(MatrixView first, MatrixView second) {
  assert(first.n_rows() > 0 && second.n_rows() > 0 && first.n_cols() == second.n_cols());
  return Wolfe(first, second).solve();
}

}  // namespace bentwood
