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
  static constexpr bool perfect_cuts_are_pure = false;

  explicit SquaredError(std::size_t width) : width_(width), mean_(width) {}

  /// The whole tree's rows. `weights` are the sample weights times how often each row was drawn.
  void set_rows(const Target& target, std::span<const double> weights) {
    rows_.resize(weights.size() * stride());
    for (std::size_t row = 0; row < weights.size(); ++row) {
      double* at = &rows_[row * stride()];
      at[0] = weights[row];
      std::ranges::copy(target.outputs.row(row), at + 1);
    }
  }
  /// Some of another's rows, renumbered from 0.
  template <class Row>
  void set_rows(const SquaredError& parent, std::span<const Row> rows) {
    rows_.resize(rows.size() * stride());
    for (std::size_t row = 0; row < rows.size(); ++row) {
      std::copy_n(&parent.rows_[rows[row] * stride()], stride(), &rows_[row * stride()]);
    }
  }

  /// Makes these rows the node that the functions below speak of.
  template <class Row>
  void enter(std::span<const Row> rows) {
    // Sums from the first row's outputs, for the same reason as above.
    const double* first = &rows_[rows.front() * stride()] + 1;
    std::fill(mean_.begin(), mean_.end(), 0.0);
    weight_ = 0;
    is_pure_ = true;
    for (const Row row : rows) {
      const double* at = &rows_[row * stride()];
      weight_ += at[0];
      for (std::size_t output = 0; output < width(); ++output) {
        const double difference = at[1 + output] - first[output];
        is_pure_ = is_pure_ && difference == 0;
        mean_[output] += at[0] * difference;
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
      if constexpr (fixed_width == 1) {
        pass_one_output(rows, direction, sums);
        return;
      }
      for (std::size_t cut = 0; cut < rows.size(); ++cut) {
        const double* at = &node_.rows_[rows[cut] * node_.stride()];
        const double weight = direction(rows[cut]) * at[0];
        weight_ += weight;
        double squares = 0;
        for (std::size_t output = 0; output < node_.width(); ++output) {
          left_[output] += weight * (at[1 + output] - node_.mean_[output]);
          squares += left_[output] * left_[output];
        }
        note(cut, squares, weight_, sums);
      }
    }
    [[nodiscard]] split_kernels::Best best(const SweepSums<double>& sums, std::size_t begin,
                                           std::size_t end, double floor) const {
      return best_ratio(sums, node_.weight(), begin, end, floor);
    }

   private:
    // The same with the sums in registers.
    template <class Row, class Direction>
    void pass_one_output(std::span<const Row> rows, Direction direction, SweepSums<double>& sums) {
      const double* values = node_.rows_.data();
      const double mean = node_.mean_[0];
      double sum = left_[0];
      double sum_of_weights = weight_;
      for (std::size_t cut = 0; cut < rows.size(); ++cut) {
        const double* at = values + std::size_t{2} * rows[cut];
        const double weight = direction(rows[cut]) * at[0];
        sum_of_weights += weight;
        sum += weight * (at[1] - mean);
        note(cut, sum * sum, sum_of_weights, sums);
      }
      left_[0] = sum;
      weight_ = sum_of_weights;
    }
    // Both sides' sums cancel, being measured from the mean, so their squares are the same.
    static void note(std::size_t cut, double squares, double weight, SweepSums<double>& sums) {
      sums.left[cut] = squares;
      sums.right[cut] = squares;
      sums.weight[cut] = weight;
    }

    const SquaredError& node_;
    SmallSums<double> left_;
    double weight_ = 0;
  };

 private:
  [[nodiscard]] std::size_t width() const { return fixed_width == 0 ? width_ : fixed_width; }
  [[nodiscard]] std::size_t stride() const { return width() + 1; }

  std::size_t width_;
  /// The weight and the outputs of each row.
  std::vector<double> rows_;
  std::vector<double> mean_;
  double weight_ = 0;
  bool is_pure_ = false;
};

}  // namespace bentwood
