#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

namespace bentwood {

struct LbfgsOptions {
  std::size_t max_iterations = 100;
  /// Stops where no component of the gradient is larger than this times max(1, |f|).
  double tolerance = 1e-6;
};

struct LbfgsResult {
  double value = 0;
  std::size_t n_iterations = 0;
  bool converged = false;  ///< false only where it has been stopped
};

/// Minimises a smooth function of a few variables: the limited-memory BFGS method with the two-loop recursion (Nocedal, "Updating
/// quasi-Newton matrices with limited storage", 1980) and a weak Wolfe line search by bisection (Lewis and Overton, "Nonsmooth
/// optimization via quasi-Newton methods", 2013), which also gets over the kinks of a hinge.
///
/// Holds its memory, so that one can serve many small problems without allocating. Deterministic.
class Lbfgs {
 public:
  /// Moves x to a local minimum. `function(x, gradient)` returns f(x) and writes the gradient; where f is not finite the search
  /// comes back.
  template <class Function>
  LbfgsResult minimise(Function&& function, std::span<double> x, const LbfgsOptions& options) {
    resize(x.size());
    LbfgsResult result;
    result.value = function(std::span<const double>(x), std::span<double>(gradient_));
    n_pairs_ = 0;
    if (!std::isfinite(result.value)) {
      return result;
    }
    while (true) {
      result.converged =
          largest(gradient_) <= options.tolerance * std::max(1.0, std::abs(result.value));
      if (result.converged || result.n_iterations == options.max_iterations) {
        return result;
      }
      find_direction();
      if (!line_search(function, x, result.value)) {
        if (n_pairs_ == 0) {
          result.converged =
              true;  // not even the gradient leads down: rounding is all that is left
          return result;
        }
        n_pairs_ = 0;
        continue;
      }
      remember();
      ++result.n_iterations;
    }
  }

 private:
  static constexpr std::size_t memory = 8;
  struct Pair {
    std::vector<double> step;
    std::vector<double> change;  ///< of the gradient
    double curvature = 0;        ///< their product, positive
  };

  static double dot(std::span<const double> a, std::span<const double> b) {
    double sum = 0;
    for (std::size_t index = 0; index < a.size(); ++index) {
      sum += a[index] * b[index];
    }
    return sum;
  }
  static double largest(std::span<const double> values) {
    double result = 0;
    for (const double value : values) {
      // Not std::max, which would pass over what is not a number.
      result = std::abs(value) <= result ? result : std::abs(value);
    }
    return result;
  }
  static void add(std::span<double> target, double factor, std::span<const double> values) {
    for (std::size_t index = 0; index < target.size(); ++index) {
      target[index] += factor * values[index];
    }
  }

  void resize(std::size_t size) {
    gradient_.resize(size);
    next_gradient_.resize(size);
    next_.resize(size);
    direction_.resize(size);
    step_.resize(size);
    for (Pair& pair : pairs_) {
      pair.step.resize(size);
      pair.change.resize(size);
    }
  }

  /// The direction -H g, newest pair first and last.
  void find_direction() {
    for (std::size_t index = 0; index < direction_.size(); ++index) {
      direction_[index] = -gradient_[index];
    }
    if (n_pairs_ == 0) {
      // The first step has no scale: at most 1 long.
      const double length = std::sqrt(dot(direction_, direction_));
      for (double& value : direction_) {
        value /= std::max(1.0, length);
      }
      return;
    }
    std::array<double, memory> shares{};
    for (std::size_t back = 0; back < n_pairs_; ++back) {
      const Pair& pair = pair_back(back);
      shares[back] = dot(pair.step, direction_) / pair.curvature;
      add(direction_, -shares[back], pair.change);
    }
    const Pair& newest = pair_back(0);
    const double scale = newest.curvature / dot(newest.change, newest.change);
    for (double& value : direction_) {
      value *= scale;
    }
    for (std::size_t back = n_pairs_; back-- > 0;) {
      const Pair& pair = pair_back(back);
      add(direction_, shares[back] - dot(pair.change, direction_) / pair.curvature, pair.step);
    }
  }

  /// Finds a step that decreases f enough and flattens its slope enough; false where there is none to be found.
  template <class Function>
  bool line_search(Function& function, std::span<double> x, double& value) {
    constexpr int max_trials = 40;
    const double slope = dot(gradient_, direction_);
    if (!(slope < 0)) {
      return false;
    }
    // Near the minimum f is constant but for rounding, while gradients still tell the way.
    const double rounding = 8 * std::numeric_limits<double>::epsilon() * std::abs(value);
    double low = 0;
    double high = std::numeric_limits<double>::infinity();
    double time = 1;
    for (int trial = 0; trial < max_trials; ++trial) {
      for (std::size_t index = 0; index < x.size(); ++index) {
        next_[index] = x[index] + time * direction_[index];
      }
      const double found =
          function(std::span<const double>(next_), std::span<double>(next_gradient_));
      if (!(found <= value + 1e-4 * time * slope + rounding)) {
        high = time;
      } else if (dot(next_gradient_, direction_) < 0.9 * slope) {
        low = time;
      } else {
        for (std::size_t index = 0; index < x.size(); ++index) {
          step_[index] = next_[index] - x[index];
          x[index] = next_[index];
        }
        value = found;
        return true;
      }
      time = std::isinf(high) ? 2 * time : 0.5 * (low + high);
    }
    return false;
  }

  /// Keeps the last step and the change of the gradient, unless rounding has spoilt their product.
  void remember() {
    Pair& pair = pairs_[newest_ = (newest_ + 1) % memory];
    for (std::size_t index = 0; index < gradient_.size(); ++index) {
      pair.step[index] = step_[index];
      pair.change[index] = next_gradient_[index] - gradient_[index];
    }
    gradient_.swap(next_gradient_);
    pair.curvature = dot(pair.step, pair.change);
    const double squared = dot(pair.change, pair.change);
    if (pair.curvature > std::numeric_limits<double>::epsilon() * squared && squared > 0) {
      n_pairs_ = std::min(n_pairs_ + 1, memory);
    } else {
      n_pairs_ = 0;
    }
  }

  [[nodiscard]] const Pair& pair_back(std::size_t back) const {
    return pairs_[(newest_ + memory - back) % memory];
  }

  std::array<Pair, memory> pairs_;
  std::size_t newest_ = 0;
  std::size_t n_pairs_ = 0;
  std::vector<double> gradient_;
  std::vector<double> next_gradient_;
  std::vector<double> next_;
  std::vector<double> direction_;
  std::vector<double> step_;
};

}  // namespace bentwood
