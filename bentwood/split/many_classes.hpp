#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "bentwood/model/tree.hpp"
#include "bentwood/split/target.hpp"

namespace bentwood {

/// The classes of rows where there are so many of them that most are missing from most nodes: what ClassLabels is for few. The work on a
/// node and the memory that it takes grow with its rows. The classes of a node are numbered from 0 in their order, so that sums over
/// them are the sums over all classes, to the bit: a missing class adds 0.
class ManyClassLabels {
 public:
  explicit ManyClassLabels(std::size_t n_classes) : number_of_(n_classes, absent) {}

  /// The whole tree's rows. `weights` are the sample weights times how often each row was drawn.
  void set_rows(const Target& target, std::span<const double> weights);
  /// Some of another's rows, renumbered from 0.
  template <class Row>
  void set_rows(const ManyClassLabels& parent, std::span<const Row> rows) {
    is_counted_ = parent.is_counted_;
    rows_.resize(rows.size());
    for (std::size_t row = 0; row < rows.size(); ++row) {
      rows_[row] = parent.rows_[rows[row]];
    }
  }

  /// Makes these rows the node that the functions below speak of.
  template <class Row>
  void enter(std::span<const Row> rows) {
    forget_present();
    for (const Row row : rows) {
      note(rows_[row].label);
    }
    number_present();
    for (const Row row : rows) {
      rows_[row].number = number_of_[rows_[row].label];
      totals_[rows_[row].number] += rows_[row].weight;
    }
    sum_totals();
  }
  [[nodiscard]] bool is_pure() const { return present_.size() <= 1; }
  [[nodiscard]] double weight() const { return weight_; }
  /// The weight of every class of the node.
  [[nodiscard]] std::span<const double> totals() const { return totals_; }
  [[nodiscard]] double sum_of_squares() const { return sum_of_squares_; }
  /// Whether all weights are whole numbers, and so few that sums of products of two of them are exact.
  [[nodiscard]] bool is_counted() const { return is_counted_; }

  /// A row's class among those of the node, and its weight.
  [[nodiscard]] std::uint32_t number(std::size_t row) const { return rows_[row].number; }
  [[nodiscard]] double row_weight(std::size_t row) const { return rows_[row].weight; }

  /// The unit of scores: impurities times this.
  [[nodiscard]] double gain_scale() const { return 1; }

  /// Adds the share of every class of the node.
  void write_shares(SparseShares& shares) const;

 private:
  static constexpr std::uint32_t absent = std::numeric_limits<std::uint32_t>::max();

  struct LabelledRow {
    std::uint32_t label = 0;
    std::uint32_t number = 0;
    double weight = 0;
  };

  void forget_present();
  void note(std::uint32_t label) {
    if (number_of_[label] == absent) {
      number_of_[label] = 0;
      present_.push_back(label);
    }
  }
  void number_present();
  void sum_totals();

  std::vector<LabelledRow> rows_;
  /// The number of each class in the node, `absent` for those that are not in it.
  std::vector<std::uint32_t> number_of_;
  std::vector<std::uint32_t> present_;
  std::vector<double> totals_;
  double weight_ = 0;
  double sum_of_squares_ = 0;
  bool is_counted_ = false;
};

/// The sum of numbers that change one by one. Sums of pairs, of pairs of pairs and so on: a change costs as many additions as the number of
/// numbers has bits, and leaves nothing of what was there before, as a running sum would of the heaviest rows.
class SumOfMany {
 public:
  /// All 0.
  explicit SumOfMany(std::size_t size) : size_(size), sums_(2 * size, 0.0) {}

  void set(std::size_t index, double value) {
    std::size_t place = size_ + index;
    sums_[place] = value;
    for (place /= 2; place > 0; place /= 2) {
      sums_[place] = sums_[2 * place] + sums_[2 * place + 1];
    }
  }
  [[nodiscard]] double total() const { return size_ > 1 ? sums_[1] : sums_.back(); }

 private:
  std::size_t size_;
  std::vector<double> sums_;
};

/// With so many classes in a node, the terms of a cut are summed anew for each row, in the order of the classes; with more, SumOfMany is kept.
inline constexpr std::size_t most_summed_classes = 1024;

}  // namespace bentwood
