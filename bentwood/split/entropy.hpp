#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <span>

#include "bentwood/split/class_labels.hpp"
#include "bentwood/split/small_sums.hpp"
#include "bentwood/split/sweep_sums.hpp"

namespace bentwood {

/// x log x, continued to 0.
[[nodiscard]] inline double x_log_x(double x) { return x > 0 ? x * std::log(x) : 0; }

/// Minus the entropy of a node in units of log 2, times its weight, given the weights of its classes.
template <class Sum>
[[nodiscard]] double entropy_score(double weight, std::span<const Sum> totals) {
  double sum = -x_log_x(weight);
  for (const Sum total : totals) {
    sum += x_log_x(static_cast<double>(total));
  }
  return sum;
}

/// The highest of the scores of cuts [begin, end), which stand in sums.left, counted from `begin`, where it is above `floor`.
[[nodiscard]] inline split_kernels::Best best_score(const SweepSums<double>& sums,
                                                    std::size_t begin, std::size_t end,
                                                    double floor) {
  split_kernels::Best best{floor, end - begin};
  for (std::size_t cut = begin; cut < end; ++cut) {
    if (sums.weight[cut] > 0 && sums.left[cut] > best.score) {
      best = {sums.left[cut], cut - begin};
    }
  }
  return best;
}

/// The score of a cut of classes by their entropy.
///
/// With W_c the weight of class c and W that of all, the entropy is -Σ_c W_c/W log2(W_c/W). Over two parts of weights
/// L and R it is least where  Σ_c L_c log L_c - L log L + Σ_c R_c log R_c - R log R  is highest: that is the
/// score, in units of log 2.
template <class Label>
class Entropy : public ClassLabels<Label> {
 public:
  using Sum = typename Label::Sum;

  using ClassLabels<Label>::ClassLabels;

  [[nodiscard]] double base_score() const { return entropy_score(this->weight(), this->totals()); }
  [[nodiscard]] double highest_score() const { return 0; }
  [[nodiscard]] double unit() const { return std::numbers::ln2; }

  class Sweep {
   public:
    using Number = double;
    explicit Sweep(const Entropy& node)
        : labels_(node.labels()),
          totals_(node.totals()),
          left_(totals_.size()),
          total_(node.weight()) {}

    /// Takes the rows of the near half to the left. Returns their number.
    template <class Row>
    std::size_t take(std::span<const Row> rows, const std::uint8_t* far) {
      std::size_t n_near = 0;
      for (const Row row : rows) {
        if (far[row] == 0) {
          left_[labels_[row].label] += static_cast<Sum>(labels_[row].weight);
          weight_ += static_cast<Sum>(labels_[row].weight);
          ++n_near;
        }
      }
      return n_near;
    }

    /// Costs two logarithms a class and row, so that no rounding gathers along the sweep. The scores stand where
    /// other criteria have the sums of the left part.
    template <class Row, class Direction>
    void pass(std::span<const Row> rows, Direction direction, SweepSums<double>& sums) {
      for (std::size_t cut = 0; cut < rows.size(); ++cut) {
        const Label label = labels_[rows[cut]];
        const Sum weight = static_cast<Sum>(direction(rows[cut])) * static_cast<Sum>(label.weight);
        left_[label.label] += weight;
        weight_ += weight;
        sums.left[cut] = score();
        sums.weight[cut] = static_cast<double>(weight_);
      }
    }
    [[nodiscard]] split_kernels::Best best(const SweepSums<double>& sums, std::size_t begin,
                                           std::size_t end, double floor) const {
      return best_score(sums, begin, end, floor);
    }

   private:
    [[nodiscard]] double score() {
      const auto weight = static_cast<double>(weight_);
      double sum = -x_log_x(weight) - x_log_x(total_ - weight);
      for (std::size_t label = 0; label < totals_.size(); ++label) {
        sum += x_log_x(static_cast<double>(left_[label])) +
               x_log_x(static_cast<double>(totals_[label] - left_[label]));
      }
      return sum;
    }

    const Label* labels_;
    std::span<const Sum> totals_;
    SmallSums<Sum> left_;
    double total_;
    Sum weight_ = 0;
  };
};

}  // namespace bentwood
