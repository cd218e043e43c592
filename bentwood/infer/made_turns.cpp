#include "bentwood/infer/made_turns.hpp"

#include <algorithm>

namespace bentwood {
namespace {

double as_number(std::uint64_t bits) { return std::bit_cast<double>(bits); }
double as_number(MadeGroups::Head head) { return std::bit_cast<double>(head); }

}  // namespace

void MadeGroupWriter::add(std::size_t node, const OwnColumns& own, std::size_t column,
                          double threshold) {
  const std::span<const double> coefficients = own.coefficients_of(column);
  const std::span<const std::uint32_t> places = own.places_of(column);
  const auto n_terms = static_cast<std::uint32_t>(places.size());
  if (own.kinds[column] != OwnColumnKind::horosphere) {
    ++n_sums_;
    sums_.push_back(as_number(MadeGroups::Head{own.kinds[column], n_terms}));
    sums_.push_back(as_number(std::uint64_t{node}));
    sums_.push_back(threshold);
    sums_.insert(sums_.end(), coefficients.begin(), coefficients.end());
    for (const std::uint32_t place : places) {
      sums_.push_back(as_number(std::uint64_t{place}));
    }
    return;
  }
  auto group = std::ranges::find(horospheres_, places.front(), &Horospheres::place);
  if (group == horospheres_.end()) {
    group = horospheres_.insert(group, {places.front(), n_terms, {}});
    group->numbers.resize(MadeGroups::n_lanes * (1 + n_terms));
    std::fill_n(group->numbers.begin(), MadeGroups::n_lanes,
                std::numeric_limits<double>::infinity());
  }
  group->numbers[node] = threshold;
  for (std::size_t axis = 0; axis < n_terms; ++axis) {
    group->numbers[(1 + axis) * MadeGroups::n_lanes + node] = coefficients[axis];
  }
}

void MadeGroupWriter::write(std::vector<double>& numbers) {
  const std::uint64_t n_groups = horospheres_.size() + n_sums_;
  if (n_groups == 0) {
    return;
  }
  numbers.push_back(as_number(n_groups));
  for (const Horospheres& group : horospheres_) {
    numbers.push_back(as_number(MadeGroups::Head{OwnColumnKind::horosphere, group.dim}));
    numbers.push_back(as_number(std::uint64_t{group.place}));
    numbers.insert(numbers.end(), group.numbers.begin(), group.numbers.end());
  }
  numbers.insert(numbers.end(), sums_.begin(), sums_.end());
  horospheres_.clear();
  sums_.clear();
  n_sums_ = 0;
}

}  // namespace bentwood
