#pragma once

#include <cstddef>
#include <cstdint>
#include <numbers>
#include <optional>
#include <span>
#include <tuple>
#include <utility>

#include "bentwood/base/parallel.hpp"
#include "bentwood/split/entropy.hpp"
#include "bentwood/split/many_classes.hpp"
#include "bentwood/split/small_sums.hpp"
#include "bentwood/split/sweep_sums.hpp"

namespace bentwood {

/// What the sweeps of both criteria below have in common: the weight of each class on the left.
class ManyClassSweep {
 public:
  explicit ManyClassSweep(const ManyClassLabels& node)
      : node_(node), totals_(node.totals()), left_(totals_.size()) {}

  /// Takes the rows of the near half to the left. Returns their number.
  template <class Row>
  std::size_t take(std::span<const Row> rows, const std::uint8_t* far) {
    std::size_t n_near = 0;
    for (const Row row : rows) {
      if (far[row] == 0) {
        left_[node_.number(row)] += node_.row_weight(row);
        weight_ += node_.row_weight(row);
        ++n_near;
      }
    }
    return n_near;
  }

 protected:
  [[nodiscard]] double right(std::size_t number) { return totals_[number] - left_[number]; }

  const ManyClassLabels& node_;
  std::span<const double> totals_;
  SmallSums<double> left_;
  double weight_ = 0;
};

/// Gini (gini.hpp) of many classes: the same scores, to the bit in nodes of up to most_summed_classes and wherever weights are whole numbers.
class ManyClassGini : public ManyClassLabels {
 public:
  using ManyClassLabels::ManyClassLabels;

  [[nodiscard]] double base_score() const { return sum_of_squares() / weight(); }
  [[nodiscard]] double highest_score() const { return weight(); }
  [[nodiscard]] double unit() const { return 1; }

  class Sweep : public ManyClassSweep {
   public:
    using Number = double;
    explicit Sweep(const ManyClassGini& node)
        : ManyClassSweep(node), right_squares_(node.sum_of_squares()) {
      if (!node.is_counted() && totals_.size() > most_summed_classes) {
        sums_.emplace(totals_.size());
        for (std::size_t number = 0; number < totals_.size(); ++number) {
          sums_->second.set(number, totals_[number] * totals_[number]);
        }
      }
    }

    template <class Row>
    std::size_t take(std::span<const Row> rows, const std::uint8_t* far) {
      const std::size_t n_near = ManyClassSweep::take(rows, far);
      // In the order of the classes, as Gini has it.
      weight_ = 0;
      for (std::size_t number = 0; number < totals_.size(); ++number) {
        weight_ += left_[number];
        if (sums_) {
          set_squares(number);
        }
      }
      std::tie(left_squares_, right_squares_) = squares();
      return n_near;
    }

    /// Passes the rows one by one and notes the sums after each. Throws Interrupted.
    template <class Row, class Direction>
    void pass(std::span<const Row> rows, Direction direction, SweepSums<double>& sums) {
      throw_if_interrupted();
      for (std::size_t cut = 0; cut < rows.size(); ++cut) {
        const std::uint32_t number = node_.number(rows[cut]);
        const double weight = direction(rows[cut]) * node_.row_weight(rows[cut]);
        const double before = left_[number];
        left_[number] = before + weight;
        if (node_.is_counted()) {
          left_squares_ += weight * (2 * before + weight);
          right_squares_ -= weight * (2 * (totals_[number] - before) - weight);
        } else {
          if (sums_) {
            set_squares(number);
          }
          std::tie(left_squares_, right_squares_) = squares();
        }
        weight_ += weight;
        sums.left[cut] = left_squares_;
        sums.right[cut] = right_squares_;
        sums.weight[cut] = weight_;
      }
    }
    [[nodiscard]] split_kernels::Best best(const SweepSums<double>& sums, std::size_t begin,
                                           std::size_t end, double floor) const {
      return best_ratio(sums, node_.weight(), begin, end, floor);
    }

   private:
    void set_squares(std::size_t number) {
      sums_->first.set(number, left_[number] * left_[number]);
      sums_->second.set(number, right(number) * right(number));
    }
    [[nodiscard]] std::pair<double, double> squares() {
      if (sums_) {
        return {sums_->first.total(), sums_->second.total()};
      }
      double left_squares = 0;
      double right_squares = 0;
      for (std::size_t number = 0; number < totals_.size(); ++number) {
        left_squares += left_[number] * left_[number];
        right_squares += right(number) * right(number);
      }
      return {left_squares, right_squares};
    }

    /// The squares of both sides, where there are too many to sum them anew.
    struct Sums {
      explicit Sums(std::size_t size) : first(size), second(size) {}
      SumOfMany first;
      SumOfMany second;
    };
    std::optional<Sums> sums_;
    double left_squares_ = 0;
    double right_squares_;
  };
};

/// Entropy (entropy.hpp) of many classes: the same scores, to the bit in nodes of up to most_summed_classes.
class ManyClassEntropy : public ManyClassLabels {
 public:
  using ManyClassLabels::ManyClassLabels;

  [[nodiscard]] double base_score() const { return entropy_score(weight(), totals()); }
  [[nodiscard]] double highest_score() const { return 0; }
  [[nodiscard]] double unit() const { return std::numbers::ln2; }

  class Sweep : public ManyClassSweep {
   public:
    using Number = double;
    explicit Sweep(const ManyClassEntropy& node) : ManyClassSweep(node) {
      if (totals_.size() > most_summed_classes) {
        terms_.emplace(totals_.size());
        set_terms();
      }
    }

    template <class Row>
    std::size_t take(std::span<const Row> rows, const std::uint8_t* far) {
      const std::size_t n_near = ManyClassSweep::take(rows, far);
      set_terms();
      return n_near;
    }

    /// The scores stand where other criteria have the sums of the left part. Throws Interrupted.
    template <class Row, class Direction>
    void pass(std::span<const Row> rows, Direction direction, SweepSums<double>& sums) {
      throw_if_interrupted();
      for (std::size_t cut = 0; cut < rows.size(); ++cut) {
        const std::uint32_t number = node_.number(rows[cut]);
        const double weight = direction(rows[cut]) * node_.row_weight(rows[cut]);
        left_[number] += weight;
        weight_ += weight;
        if (terms_) {
          terms_->set(number, term(number));
        }
        sums.left[cut] = score();
        sums.weight[cut] = weight_;
      }
    }
    [[nodiscard]] split_kernels::Best best(const SweepSums<double>& sums, std::size_t begin,
                                           std::size_t end, double floor) const {
      return best_score(sums, begin, end, floor);
    }

   private:
    void set_terms() {
      for (std::size_t number = 0; number < totals_.size() && terms_; ++number) {
        terms_->set(number, term(number));
      }
    }
    [[nodiscard]] double term(std::size_t number) {
      return x_log_x(left_[number]) + x_log_x(right(number));
    }
    [[nodiscard]] double score() {
      double sum = -x_log_x(weight_) - x_log_x(node_.weight() - weight_);
      if (terms_) {
        return sum + terms_->total();
      }
      for (std::size_t number = 0; number < totals_.size(); ++number) {
        sum += term(number);
      }
      return sum;
    }

    /// One term per class, where there are too many to sum them anew.
    std::optional<SumOfMany> terms_;
  };
};

}  // namespace bentwood
