#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "bentwood/split/small_sums.hpp"
#include "bentwood/split/sweep_sums.hpp"
#include "bentwood/split/target.hpp"

namespace bentwood {

/// The score of a cut of numbers by their variance.
///
/// With y measured from the node's mean, the squared error of two parts that predict their means is least where
/// |Σ_L w y|²/L + |Σ_R w y|²/R  is highest, summed over the outputs: that is the score. Measuring from the
/// mean also keeps the digits of outputs that vary little about a large value. `fixed_width` is 1, or 0 for any
/// number of outputs.
template <std::size_t fixed_width>
class SquaredError {
 public:
  explicit SquaredError(std::size_t width) : width_(width), mean_(width) {}

  /// The whole tree's rows. `weights` are the sample weights times how often each row was drawn.
  void set_rows(const Target& target, std::span<const double> weights) {
    weights_.assign(weights.begin(), weights.end());
    outputs_.assign(target.outputs.data(), target.outputs.data() + weights.size() * width());
  }
  /// Some of another's rows, renumbered from 0.
  template <class Row>
  void set_rows(const SquaredError& parent, std::span<const Row> rows) {
    weights_.resize(rows.size());
    outputs_.resize(rows.size() * width());
    for (std::size_t row = 0; row < rows.size(); ++row) {
      weights_[row] = parent.weights_[rows[row]];
      for (std::size_t output = 0; output < width(); ++output) {
        outputs_[row * width() + output] = parent.outputs_[rows[row] * width() + output];
      }
    }
  }

  /// Makes these rows the node that the functions below speak of.
  template <class Row>
  void enter(std::span<const Row> rows) {
    // Sums from the first row's outputs, for the same reason as above.
    const double* first = &outputs_[rows.front() * width()];
    std::fill(mean_.begin(), mean_.end(), 0.0);
    weight_ = 0;
    is_pure_ = true;
    for (const Row row : rows) {
      weight_ += weights_[row];
      for (std::size_t output = 0; output < width(); ++output) {
        const double difference = outputs_[row * width() + output] - first[output];
        is_pure_ = is_pure_ && difference == 0;
        mean_[output] += weights_[row] * difference;
      }
    }
    for (std::size_t output = 0; output < width(); ++output) {
      mean_[output] = first[output] + mean_[output] / weight_;
    }
  }
  [[nodiscard]] bool is_pure() const { return is_pure_; }
  [[nodiscard]] double weight() const { return weight_; }
  [[nodiscard]] double base_score() const { return 0; }
  [[nodiscard]] double highest_score() const { return std::numeric_limits<double>::infinity(); }
  /// The impurity is the mean over the outputs.
  [[nodiscard]] double unit() const { return static_cast<double>(width()); }

  void write_value(std::span<double> value) const { std::ranges::copy(mean_, value.begin()); }

  /// The sums of the left part while rows pass into it, or (direction -1) out of it.
  class Sweep {
   public:
    using Number = double;
    explicit Sweep(const SquaredError& node) : node_(node), left_(node.width()) {}

    template <class Row, class Direction>
    void pass(std::span<const Row> rows, Direction direction, SweepSums<double>& sums) {
      const double* weights = node_.weights_.data();
      double sum = weight_;
      for (std::size_t cut = 0; cut < rows.size(); ++cut) {
        const double weight = direction(rows[cut]) * weights[rows[cut]];
        sum += weight;
        double squares = 0;
        const double* outputs = &node_.outputs_[rows[cut] * node_.width()];
        for (std::size_t output = 0; output < node_.width(); ++output) {
          left_[output] += weight * (outputs[output] - node_.mean_[output]);
          squares += left_[output] * left_[output];
        }
        // Both sides' sums cancel, being measured from the mean, so their squares are the same.
        sums.left[cut] = squares;
        sums.right[cut] = squares;
        sums.weight[cut] = sum;
      }
      weight_ = sum;
    }
    [[nodiscard]] split_kernels::Best best(const SweepSums<double>& sums, std::size_t begin,
                                           std::size_t end) const {
      return best_ratio(sums, node_.weight(), begin, end);
    }

   private:
    const SquaredError& node_;
    SmallSums<double> left_;
    double weight_ = 0;
  };

 private:
  [[nodiscard]] std::size_t width() const { return fixed_width == 0 ? width_ : fixed_width; }

  std::size_t width_;
  std::vector<double> outputs_;
  std::vector<double> weights_;
  std::vector<double> mean_;
  double weight_ = 0;
  bool is_pure_ = false;
};

}  // namespace bentwood
