#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>

#include "bentwood/split/class_labels.hpp"
#include "bentwood/split/small_sums.hpp"
#include "bentwood/split/sweep_sums.hpp"

namespace bentwood {

/// Adds the rows of the near half of a circle to the sums of their classes. Returns their number.
template <class Label, class Row, class Sum>
std::size_t add_near(const Label* labels, std::span<const Row> rows, const std::uint8_t* far,
                     std::size_t n_classes, SmallSums<Sum>& sums) {
  std::size_t n_near = 0;
  const auto add = [&](Row row, SmallSums<Sum>& to) {
    const std::uint32_t near = 1U - far[row];
    to[labels[row].label] += static_cast<Sum>(near) * static_cast<Sum>(labels[row].weight);
    n_near += near;
  };
  std::size_t item = 0;
  if constexpr (std::is_integral_v<Sum>) {
    // By turns into two sets: a sum that was just stored is not ready to be read again at once.
    constexpr std::size_t most_of_few = 16;
    if (rows.size() > most_of_few) {
      SmallSums<Sum> others(n_classes);
      for (; item + 1 < rows.size(); item += 2) {
        add(rows[item], sums);
        add(rows[item + 1], others);
      }
      for (std::size_t label = 0; label < n_classes; ++label) {
        sums[label] += others[label];
      }
    }
  }
  for (; item < rows.size(); ++item) {
    add(rows[item], sums);
  }
  return n_near;
}

/// The score of a cut of classes by their Gini impurity.
///
/// With W_c the weight of class c and W that of all, the impurity is Σ_c W_c (1 - W_c/W)/W = 1 - Σ_c W_c²/W². Over
/// two parts of weights L and R it is least where  Σ L_c²/L + Σ R_c²/R  is highest: that is the score.
template <class Label>
class Gini : public ClassLabels<Label> {
 public:
  using Sum = typename Label::Sum;
  using ClassLabels<Label>::ClassLabels;

  /// The node's own score, without a cut; a cut's minus this is W times the decrease in impurity.
  [[nodiscard]] double base_score() const {
    return static_cast<double>(this->sum_of_squares()) / this->weight();
  }
  /// A score that no cut exceeds.
  [[nodiscard]] double highest_score() const { return this->weight(); }
  /// What a difference of scores is divided by, besides the weight, to be one of impurities.
  [[nodiscard]] double unit() const { return 1; }

  /// Whether the sums of a sweep fit into 32 bits: Σ_c W_c² <= W² < 2^30.
  [[nodiscard]] bool is_small() const
    requires std::is_integral_v<Sum>
  {
    return this->weight() < 32768;
  }

  /// The sums of both parts while rows pass from right to left, or (direction -1) back.
  class Sweep {
   public:
    using Number = double;
    explicit Sweep(const Gini& node)
        : labels_(node.labels()),
          totals_(node.totals().data()),
          left_(node.totals().size()),
          n_classes_(node.totals().size()),
          total_(node.weight()),
          right_squares_(node.sum_of_squares()) {}

    /// Takes the rows of the near half to the left. Returns their number.
    template <class Row>
    std::size_t take(std::span<const Row> rows, const std::uint8_t* far) {
      const std::size_t n_near = add_near(labels_, rows, far, n_classes_, left_);
      std::tie(left_squares_, right_squares_) = squares();
      for (std::size_t label = 0; label < n_classes_; ++label) {
        weight_ += left_[label];
      }
      return n_near;
    }

    /// Passes the rows one by one and notes the sums after each. The running sums are local: the compiler could
    /// not keep members in registers across the stores.
    template <class Row, class Direction>
    void pass(std::span<const Row> rows, Direction direction, SweepSums<double>& sums) {
      Sum left_squares = left_squares_;
      Sum right_squares = right_squares_;
      Sum sum = weight_;
      const auto pass_row = [&](std::size_t cut) {
        const Label label = labels_[rows[cut]];
        const Sum weight = static_cast<Sum>(direction(rows[cut])) * static_cast<Sum>(label.weight);
        const Sum before = left_[label.label];
        left_[label.label] = before + weight;
        if constexpr (std::is_integral_v<Sum>) {
          left_squares += weight * (2 * before + weight);
          right_squares -= weight * (2 * (totals_[label.label] - before) - weight);
        } else {
          std::tie(left_squares, right_squares) = squares();
        }
        sum += weight;
        sums.left[cut] = static_cast<double>(left_squares);
        sums.right[cut] = static_cast<double>(right_squares);
        sums.weight[cut] = static_cast<double>(sum);
      };
      std::size_t cut = 0;
      if constexpr (sizeof(Row) > 2) {
        // The labels of so many rows do not lie in the nearest cache.
        constexpr std::size_t ahead = 48;
        for (; cut + ahead < rows.size(); ++cut) {
          __builtin_prefetch(labels_ + rows[cut + ahead]);
          pass_row(cut);
        }
      }
      for (; cut < rows.size(); ++cut) {
        pass_row(cut);
      }
      left_squares_ = left_squares;
      right_squares_ = right_squares;
      weight_ = sum;
    }
    [[nodiscard]] split_kernels::Best best(const SweepSums<double>& sums, std::size_t begin,
                                           std::size_t end, double floor) const {
      return best_ratio(sums, total_, begin, end, floor);
    }
    /// Which parts of a cut are of one class: those with Σ_c L_c² = L². Only whole numbers tell.
    [[nodiscard]] PureParts pure_parts(const SweepSums<double>& sums, std::size_t cut) const
      requires std::is_integral_v<Sum>
    {
      const double left = sums.weight[cut];
      const double right = total_ - left;
      return {sums.left[cut] == left * left, sums.right[cut] == right * right};
    }

   private:
    // Running squares of real weights would keep the rounding errors of the heaviest rows, which can be all there is of
    // a light part.
    [[nodiscard]] std::pair<Sum, Sum> squares() {
      Sum left_squares = 0;
      Sum right_squares = 0;
      for (std::size_t label = 0; label < n_classes_; ++label) {
        const Sum left = left_[label];
        const Sum right = totals_[label] - left;
        left_squares += left * left;
        right_squares += right * right;
      }
      return {left_squares, right_squares};
    }

    const Label* labels_;
    const Sum* totals_;
    SmallSums<Sum> left_;
    std::size_t n_classes_;
    double total_;
    Sum right_squares_;
    Sum left_squares_ = 0;
    Sum weight_ = 0;
  };

  /// The same in 32 bits, with Σ_c R_c² = Σ_c W_c² + Σ_c L_c² - 2 Σ_c W_c L_c left for later.
  class SmallSweep {
   public:
    using Number = std::int32_t;
    explicit SmallSweep(const Gini& node)
        : labels_(node.labels()),
          totals_(node.small_totals()),
          left_(node.totals().size()),
          n_classes_(node.totals().size()),
          total_(static_cast<std::int32_t>(node.weight())),
          squares_of_totals_(static_cast<std::int32_t>(node.sum_of_squares())) {}

    /// Takes the rows of the near half to the left. Returns their number.
    template <class Row>
    std::size_t take(std::span<const Row> rows, const std::uint8_t* far) {
      const std::size_t n_near = add_near(labels_, rows, far, n_classes_, left_);
      for (std::size_t label = 0; label < n_classes_; ++label) {
        squares_ += left_[label] * left_[label];
        cross_ += left_[label] * totals_[label];
        weight_ += left_[label];
      }
      return n_near;
    }

    template <class Row, class Direction>
    void pass(std::span<const Row> rows, Direction direction, SweepSums<std::int32_t>& sums) {
      std::int32_t squares = squares_;
      std::int32_t cross = cross_;
      std::int32_t sum = weight_;
      for (std::size_t cut = 0; cut < rows.size(); ++cut) {
        const Label label = labels_[rows[cut]];
        const std::int32_t weight = direction(rows[cut]) * label.weight;
        const std::int32_t before = left_[label.label];
        left_[label.label] = before + weight;
        squares += weight * (2 * before + weight);
        cross += weight * totals_[label.label];
        sum += weight;
        sums.left[cut] = squares;
        sums.right[cut] = cross;
        sums.weight[cut] = sum;
      }
      squares_ = squares;
      cross_ = cross;
      weight_ = sum;
    }
    [[nodiscard]] split_kernels::Best best(const SweepSums<std::int32_t>& sums, std::size_t begin,
                                           std::size_t end, double floor) const {
      if (end - begin <= most_exact_cuts && total_ < most_exact_weight) {
        return best_of_few(sums, begin, end, floor);
      }
      return split_kernels::kernels.best_count_ratio(&sums.left[begin], &sums.right[begin],
                                                     &sums.weight[begin], squares_of_totals_,
                                                     total_, end - begin, floor);
    }

    /// Which parts of a cut are of one class: those with Σ_c L_c² = L².
    [[nodiscard]] PureParts pure_parts(const SweepSums<std::int32_t>& sums, std::size_t cut) const {
      const std::int32_t left = sums.weight[cut];
      const std::int32_t right = total_ - left;
      return {sums.left[cut] == left * left, right_squares(sums, cut) == right * right};
    }

   private:
    // Scores of so light a node are quotients of whole numbers below 2^31 and 2^18: products compare them exactly.
    static constexpr std::int32_t most_exact_weight = 1024;
    // Where a loop over vectors would be mostly overhead.
    static constexpr std::size_t most_exact_cuts = 8;

    [[nodiscard]] std::int32_t right_squares(const SweepSums<std::int32_t>& sums,
                                             std::size_t cut) const {
      return squares_of_totals_ + sums.left[cut] - 2 * sums.right[cut];
    }
    [[nodiscard]] split_kernels::Best best_of_few(const SweepSums<std::int32_t>& sums,
                                                  std::size_t begin, std::size_t end,
                                                  double floor) const {
      std::int64_t numerator = 0;
      std::int64_t denominator = 1;
      std::size_t best = end;
      for (std::size_t cut = begin; cut < end; ++cut) {
        const std::int64_t left = sums.weight[cut];
        const std::int64_t right = total_ - left;
        const std::int64_t over = sums.left[cut] * right + right_squares(sums, cut) * left;
        const std::int64_t under = left * right;
        const bool is_better = under > 0 && over * denominator > numerator * under;
        numerator = is_better ? over : numerator;
        denominator = is_better ? under : denominator;
        best = is_better ? cut : best;
      }
      if (best == end) {
        return {floor, end - begin};
      }
      return {static_cast<double>(numerator) / static_cast<double>(denominator), best - begin};
    }

    const Label* labels_;
    const std::int32_t* totals_;
    SmallSums<std::int32_t> left_;
    std::size_t n_classes_;
    std::int32_t total_;
    std::int32_t squares_of_totals_;
    std::int32_t squares_ = 0;
    std::int32_t cross_ = 0;
    std::int32_t weight_ = 0;
  };
};

}  // namespace bentwood
