#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "bentwood/split/target.hpp"

namespace bentwood {

/// A row's class and how often it was drawn, for rows without weights of their own: sums are whole numbers,
/// so every order of the rows gives the same bits.
template <unsigned n_bits>
struct CountedLabelOf {
  using Sum = std::int64_t;
  static constexpr std::uint32_t most = (1U << n_bits) - 1;
  std::uint8_t label : n_bits = 0;
  std::uint8_t weight : n_bits = 0;

  static CountedLabelOf of(std::uint32_t label, double weight) {
    CountedLabelOf result;
    result.label = static_cast<std::uint8_t>(label) & most;
    result.weight = static_cast<std::uint8_t>(weight) & most;
    return result;
  }
  /// Whether labels and weights are small whole numbers, and the square of the weights' sum is a `Sum`.
  static bool can_hold(const Target& target, std::span<const double> weights) {
    constexpr double most_of_all = 3e9;
    double sum = 0;
    for (const double weight : weights) {
      if (!(weight <= most) || weight != static_cast<double>(static_cast<std::int32_t>(weight))) {
        return false;
      }
      sum += weight;
    }
    return target.width <= std::size_t{most} + 1 && sum <= most_of_all;
  }
};
using CountedLabel = CountedLabelOf<8>;
/// Half as wide, so that those of a million rows stay in a core's cache.
using SmallLabel = CountedLabelOf<4>;
static_assert(sizeof(CountedLabel) == 2 && sizeof(SmallLabel) == 1);

/// A row's class and weight, for everything else.
struct WeightedLabel {
  using Sum = double;
  std::uint32_t label = 0;
  double weight = 0;

  static WeightedLabel of(std::uint32_t label, double weight) { return {label, weight}; }
};

/// The classes of the rows that a tree or a part of it is grown from, and of the node at hand.
template <class Label>
class ClassLabels {
 public:
  using Sum = typename Label::Sum;

  explicit ClassLabels(std::size_t n_classes)
      : totals_(n_classes), other_totals_(n_classes), small_totals_(n_classes) {}

  /// The whole tree's rows. `weights` are the sample weights times how often each row was drawn.
  void set_rows(const Target& target, std::span<const double> weights) {
    labels_.resize(weights.size());
    for (std::size_t row = 0; row < weights.size(); ++row) {
      labels_[row] = Label::of(target.classes[row], weights[row]);
    }
  }
  /// Some of another's rows, renumbered from 0.
  template <class Row>
  void set_rows(const ClassLabels& parent, std::span<const Row> rows) {
    labels_.resize(rows.size());
    for (std::size_t row = 0; row < rows.size(); ++row) {
      labels_[row] = parent.labels_[rows[row]];
    }
  }

  /// Makes these rows the node that the functions below speak of.
  template <class Row>
  void enter(std::span<const Row> rows) {
    std::fill(totals_.begin(), totals_.end(), Sum{0});
    if constexpr (std::is_integral_v<Sum>) {
      count(rows);
    } else {
      for (const Row row : rows) {
        totals_[labels_[row].label] += labels_[row].weight;
      }
    }
    weight_ = 0;
    sum_of_squares_ = 0;
    n_present_ = 0;
    for (std::size_t label = 0; label < totals_.size(); ++label) {
      const Sum total = totals_[label];
      weight_ += total;
      sum_of_squares_ += total * total;
      n_present_ += total > 0 ? 1 : 0;
      if constexpr (std::is_integral_v<Sum>) {
        small_totals_[label] = static_cast<std::int32_t>(total);
      }
    }
  }
  [[nodiscard]] bool is_pure() const { return n_present_ <= 1; }
  [[nodiscard]] double weight() const { return static_cast<double>(weight_); }
  [[nodiscard]] std::span<const Sum> totals() const { return totals_; }
  [[nodiscard]] Sum sum_of_squares() const { return sum_of_squares_; }
  /// The totals in 32 bits, where they fit.
  [[nodiscard]] const std::int32_t* small_totals() const { return small_totals_.data(); }
  [[nodiscard]] const Label* labels() const { return labels_.data(); }

  /// The unit of scores: impurities times this.
  [[nodiscard]] double gain_scale() const { return 1; }

  /// The share of every class.
  void write_value(std::span<double> value) const {
    for (std::size_t label = 0; label < totals_.size(); ++label) {
      value[label] = static_cast<double>(totals_[label]) / static_cast<double>(weight_);
    }
  }
  [[nodiscard]] std::size_t class_of(std::size_t row) const { return labels_[row].label; }

  /// A number that pure nodes of one class have in common, below `width`: their leaves are stored once.
  [[nodiscard]] std::size_t pure_kind() const {
    return static_cast<std::size_t>(
        std::ranges::find_if(totals_, [](Sum total) { return total > 0; }) - totals_.begin());
  }

 private:
  // Into two sets of sums by turns: a sum that was just stored is not ready to be read again at once.
  template <class Row>
  void count(std::span<const Row> rows) {
    std::fill(other_totals_.begin(), other_totals_.end(), Sum{0});
    std::size_t item = 0;
    for (; item + 1 < rows.size(); item += 2) {
      const Label first = labels_[rows[item]];
      const Label second = labels_[rows[item + 1]];
      totals_[first.label] += first.weight;
      other_totals_[second.label] += second.weight;
    }
    if (item < rows.size()) {
      totals_[labels_[rows[item]].label] += labels_[rows[item]].weight;
    }
    for (std::size_t label = 0; label < totals_.size(); ++label) {
      totals_[label] += other_totals_[label];
    }
  }

  std::vector<Label> labels_;
  std::vector<Sum> totals_;
  std::vector<Sum> other_totals_;
  std::vector<std::int32_t> small_totals_;
  Sum weight_ = 0;
  Sum sum_of_squares_ = 0;
  std::size_t n_present_ = 0;
};

}  // namespace bentwood
