#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "bentwood/base/weights.hpp"
#include "bentwood/split/small_sums.hpp"
#include "bentwood/split/sweep_sums.hpp"
#include "bentwood/split/target.hpp"

namespace bentwood {

/// The score of a cut of numbers by their variance.
///
/// The squared error of two parts that predict their means is least where  |Σ_L w y|²/L + |Σ_R w y|²/R  is highest,
/// summed over the outputs: that is the score. y is measured from near the node's mean, which keeps the digits of
/// outputs that vary little about a large value; and from a round number, so that sums of whole numbers are
/// exact and cuts of equal gain have equal scores, whatever the order of the rows and whether one has weight 2 or
/// is there twice. All outputs are divided by one power of two, so that no square leaves the range of numbers.
/// `fixed_width` is 1, or 0 for any number of outputs.
template <std::size_t fixed_width>
class SquaredError {
 public:
  explicit SquaredError(std::size_t width)
      : width_(width), mean_(width), origin_(width), total_(width), spread_(width) {}

  /// The whole tree's rows. `weights` are the sample weights times how often each row was drawn.
  void set_rows(const Target& target, std::span<const double> weights) {
    rows_.resize(weights.size() * stride());
    scale_ = scale_of(target.outputs);
    for (std::size_t row = 0; row < weights.size(); ++row) {
      double* at = &rows_[row * stride()];
      at[0] = weights[row];
      std::ranges::transform(target.outputs.row(row), at + 1,
                             [&](double output) { return output * scale_; });
    }
  }
  /// Some of another's rows, renumbered from 0.
  template <class Row>
  void set_rows(const SquaredError& parent, std::span<const Row> rows) {
    rows_.resize(rows.size() * stride());
    scale_ = parent.scale_;
    for (std::size_t row = 0; row < rows.size(); ++row) {
      std::copy_n(&parent.rows_[rows[row] * stride()], stride(), &rows_[row * stride()]);
    }
  }

  /// Makes these rows the node that the functions below speak of.
  template <class Row>
  void enter(std::span<const Row> rows) {
    // Sums from the first row's outputs, for the same reason as above.
    const double* first = &rows_[rows.front() * stride()] + 1;
    std::ranges::fill(mean_, 0.0);
    std::ranges::fill(spread_, 0.0);
    weight_ = 0;
    is_pure_ = true;
    for (const Row row : rows) {
      const double* at = &rows_[row * stride()];
      weight_ += at[0];
      for (std::size_t output = 0; output < width(); ++output) {
        const double difference = at[1 + output] - first[output];
        spread_[output] = std::max(spread_[output], std::abs(difference));
        mean_[output] += at[0] * difference;
      }
    }
    for (std::size_t output = 0; output < width(); ++output) {
      const double sum = mean_[output];
      mean_[output] = first[output] + sum / weight_;
      is_pure_ = is_pure_ && spread_[output] == 0;
      origin_[output] = round_number_near(mean_[output], spread_[output]);
      total_[output] = sum + weight_ * (first[output] - origin_[output]);
    }
  }
  [[nodiscard]] bool is_pure() const { return is_pure_; }
  [[nodiscard]] double weight() const { return weight_; }
  [[nodiscard]] double base_score() const {
    double squares = 0;
    for (const double total : total_) {
      squares += total * total;
    }
    return squares / weight_;
  }
  [[nodiscard]] double highest_score() const { return std::numeric_limits<double>::infinity(); }
  /// The impurity is the mean over the outputs.
  [[nodiscard]] double unit() const { return static_cast<double>(width()); }

  /// The unit of scores: impurities times this.
  [[nodiscard]] double gain_scale() const { return scale_ * scale_; }

  void write_value(std::span<double> value) const {
    // The mean of the largest numbers may be rounded beyond them.
    constexpr double largest = std::numeric_limits<double>::max();
    std::ranges::transform(mean_, value.begin(), [&](double mean) {
      return std::clamp(mean / scale_, -largest, largest);
    });
  }

  /// The sums of the left part while rows pass into it, or (direction -1) out of it.
  class Sweep {
   public:
    using Number = double;
    explicit Sweep(const SquaredError& node) : node_(node), left_(node.width()) {}

    /// Takes the rows of the near half to the left. Returns their number.
    template <class Row>
    std::size_t take(std::span<const Row> rows, const std::uint8_t* far) {
      std::size_t n_near = 0;
      for (const Row row : rows) {
        const double near = 1 - int{far[row]};
        const double* at = &node_.rows_[row * node_.stride()];
        const double weight = near * at[0];
        weight_ += weight;
        for (std::size_t output = 0; output < node_.width(); ++output) {
          left_[output] += weight * (at[1 + output] - node_.origin_[output]);
        }
        n_near += std::size_t{1} - far[row];
      }
      return n_near;
    }

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
        double left_squares = 0;
        double right_squares = 0;
        for (std::size_t output = 0; output < node_.width(); ++output) {
          left_[output] += weight * (at[1 + output] - node_.origin_[output]);
          const double right = node_.total_[output] - left_[output];
          left_squares += left_[output] * left_[output];
          right_squares += right * right;
        }
        note(cut, left_squares, right_squares, weight_, sums);
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
      const double origin = node_.origin_[0];
      const double total = node_.total_[0];
      double sum = left_[0];
      double sum_of_weights = weight_;
      for (std::size_t cut = 0; cut < rows.size(); ++cut) {
        const double* at = values + std::size_t{2} * rows[cut];
        const double weight = direction(rows[cut]) * at[0];
        sum_of_weights += weight;
        sum += weight * (at[1] - origin);
        note(cut, sum * sum, (total - sum) * (total - sum), sum_of_weights, sums);
      }
      left_[0] = sum;
      weight_ = sum_of_weights;
    }
    static void note(std::size_t cut, double left_squares, double right_squares, double weight,
                     SweepSums<double>& sums) {
      sums.left[cut] = left_squares;
      sums.right[cut] = right_squares;
      sums.weight[cut] = weight;
    }

    const SquaredError& node_;
    SmallSums<double> left_;
    double weight_ = 0;
  };

 private:
  static double scale_of(const Matrix& outputs) {
    double largest = 0;
    for (std::size_t row = 0; row < outputs.n_rows(); ++row) {
      for (const double output : outputs.row(row)) {
        largest = std::max(largest, std::abs(output));
      }
    }
    // Squares of sums are multiplied by weights, which may be large themselves.
    constexpr int most_exponent = 100;
    return scale_to_one(largest, most_exponent);
  }
  [[nodiscard]] std::size_t width() const { return fixed_width == 0 ? width_ : fixed_width; }
  /// The multiple of a power of two, no larger than the spread, that is nearest a number.
  static double round_number_near(double number, double spread) {
    if (spread == 0) {
      return number;
    }
    const double step = std::ldexp(1.0, std::ilogb(spread));
    const double rounded = std::nearbyint(number / step) * step;
    return std::isfinite(rounded) ? rounded : number;
  }
  [[nodiscard]] std::size_t stride() const { return width() + 1; }

  std::size_t width_;
  double scale_ = 1;
  /// The weight and the outputs of each row.
  std::vector<double> rows_;
  std::vector<double> mean_;
  /// What outputs are measured from, the sum of all measured so, and how far they are from the first row's.
  std::vector<double> origin_;
  std::vector<double> total_;
  std::vector<double> spread_;
  double weight_ = 0;
  bool is_pure_ = false;
};

}  // namespace bentwood
