#include "bentwood/split/many_classes.hpp"

#include <cmath>

namespace bentwood {

void ManyClassLabels::set_rows(const Target& target, std::span<const double> weights) {
  // The square of a sum of so many has at most 53 bits.
  constexpr double most_counted = 0x1p26;
  rows_.resize(weights.size());
  double sum = 0;
  bool is_whole = true;
  for (std::size_t row = 0; row < weights.size(); ++row) {
    rows_[row] = {target.classes[row], 0, weights[row]};
    is_whole = is_whole && weights[row] == std::trunc(weights[row]);
    sum += weights[row];
  }
  is_counted_ = is_whole && sum <= most_counted;
}

void ManyClassLabels::forget_present() {
  for (const std::uint32_t label : present_) {
    number_of_[label] = absent;
  }
  present_.clear();
}

void ManyClassLabels::number_present() {
  std::ranges::sort(present_);
  for (std::uint32_t number = 0; number < present_.size(); ++number) {
    number_of_[present_[number]] = number;
  }
  totals_.assign(present_.size(), 0.0);
}

void ManyClassLabels::sum_totals() {
  weight_ = 0;
  sum_of_squares_ = 0;
  for (const double total : totals_) {
    weight_ += total;
    sum_of_squares_ += total * total;
  }
}

void ManyClassLabels::write_shares(SparseShares& shares) const {
  for (std::size_t number = 0; number < present_.size(); ++number) {
    shares.add(present_[number], totals_[number] / weight_);
  }
  shares.end_row();
}

}  // namespace bentwood
