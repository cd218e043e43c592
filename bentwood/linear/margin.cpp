#include "bentwood/linear/margin.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "bentwood/base/error.hpp"
#include "bentwood/base/parallel.hpp"
#include "bentwood/linear/hinge_sums.hpp"

namespace bentwood {
namespace {

struct Step {
  double slope = 0;
  double offset = 0;
};

Step newton_step(const MarginQuadratic& at) {
  // No row is short of its margin: the offset does not matter, and its second derivative is 0.
  const double offset_offset = at.offset_offset > 0 ? at.offset_offset : 1;
  // The determinant is at least offset_offset · 1 by Cauchy's inequality, but for rounding.
  const double determinant =
      std::max(at.slope_slope * offset_offset - at.slope_offset * at.slope_offset, offset_offset);
  return {
      (at.slope_offset * at.offset_gradient - offset_offset * at.slope_gradient) / determinant,
      (at.slope_offset * at.slope_gradient - at.slope_slope * at.offset_gradient) / determinant};
}

/// The best margin of slope 0, given the sums at 0: every row is short of it, so that it is the minimum of one parabola.
Margin flat_margin(const MarginQuadratic& at_zero) {
  const double gradient = at_zero.offset_gradient;
  const double curvature = at_zero.offset_offset > 0 ? at_zero.offset_offset : 1;
  return {0, -gradient / curvature, at_zero.value - 0.5 * gradient * gradient / curvature};
}

Margin solve_quadratic(const MarginRows& rows, PositiveSide side, double tolerance = 0) {
  constexpr int max_steps = 100;
  Margin margin;
  MarginQuadratic at = margin_quadratic(rows, margin.slope, margin.offset);
  const Margin flat = flat_margin(at);
  for (int count = 0; count < max_steps; ++count) {
    const Step step = newton_step(at);
    // At 0 every row is short of its margin. The first step leads to the side of slope 0 that the mean levels of positive and
    // negative rows are on, and so is the minimum.
    if (count == 0 && side == PositiveSide::inside && step.slope <= 0) {
      return flat;
    }
    const double descent = step.slope * at.slope_gradient + step.offset * at.offset_gradient;
    const double rounding = 4 * std::numeric_limits<double>::epsilon() * at.value;
    if (!(descent < -std::max(rounding, tolerance * at.value))) {
      break;
    }
    double time = 1;
    MarginQuadratic next =
        margin_quadratic(rows, margin.slope + step.slope, margin.offset + step.offset);
    while (!(next.value <= at.value + 1e-4 * time * descent) && time > 1e-10) {
      time *= 0.5;
      next = margin_quadratic(rows, margin.slope + time * step.slope,
                              margin.offset + time * step.offset);
    }
    if (!(next.value < at.value)) {
      break;
    }
    margin.slope += time * step.slope;
    margin.offset += time * step.offset;
    at = next;
  }
  margin.objective = at.value;
  return side == PositiveSide::inside && margin.slope < 0 ? flat : margin;
}

/// Where an increasing function of one variable, of at least `least`, changes sign: by bisection, to the last bit.
template <class Function>
double sign_change(const Function& function, double start, double least) {
  double reach = std::max(std::abs(start), 1e-3);
  double low = start;
  double high = start;
  for (; function(low) > 0 && low > least && reach < 1e300; reach *= 4) {
    high = low;
    low = std::max(low - reach, least);
  }
  for (; function(high) < 0 && reach < 1e300; reach *= 4) {
    low = high;
    high += reach;
  }
  while (true) {
    const double middle = 0.5 * (low + high);
    if (!(low < middle && middle < high)) {
      return middle;
    }
    (function(middle) < 0 ? low : high) = middle;
  }
}

}  // namespace

MarginLoss parse_margin_loss(std::string_view name) {
  if (name == "hinge") {
    return MarginLoss::hinge;
  }
  if (name == "squared_hinge") {
    return MarginLoss::squared_hinge;
  }
  throw InvalidInput(fmt::format("loss is '{}', expected 'hinge' or 'squared_hinge'", name));
}

Margin MarginSolver::solve(const MarginRows& rows, MarginLoss loss, PositiveSide side,
                           double tolerance) {
  if (loss == MarginLoss::hinge) {
    return solve_hinge(rows, side);
  }
  return solve_quadratic(rows, side, tolerance);
}

Margin MarginSolver::solve_hinge(const MarginRows& rows, PositiveSide side) {
  sort_entries(rows);
  const double least =
      side == PositiveSide::inside ? 0.0 : -std::numeric_limits<double>::infinity();
  const double start = std::max(solve_quadratic(rows, PositiveSide::either).slope, least);
  const double slope =
      sign_change([this](double at) { return best_offset(at).derivative; }, start, least);
  const Margin found = best_offset(slope).margin;
  const Margin flat = best_offset(0).margin;
  return flat.objective <= found.objective ? flat : found;
}

void MarginSolver::sort_entries(const MarginRows& rows) {
  positive_.clear();
  negative_.clear();
  negative_cost_ = 0;
  for (std::size_t row = 0; row < rows.levels.size(); ++row) {
    if (rows.costs[row] > 0) {
      (rows.signs[row] > 0 ? positive_ : negative_).push_back({rows.levels[row], rows.costs[row]});
      negative_cost_ += rows.signs[row] > 0 ? 0 : rows.costs[row];
    }
  }
  std::ranges::sort(positive_, {}, &Entry::level);
  std::ranges::sort(negative_, {}, &Entry::level);
}

MarginSolver::BestOffset MarginSolver::best_offset(double slope) const {
  throw_if_interrupted();
  // As a function of the offset o the cost of a positive row bends at -slope·level - 1, that of a negative one at
  // -slope·level + 1; at each the derivative, which begins with minus the cost of all negative rows, grows by the row's cost.
  const auto entry = [slope](const std::vector<Entry>& entries, std::size_t place) {
    return slope > 0 ? entries[entries.size() - 1 - place] : entries[place];
  };
  std::size_t n_positive = 0;
  std::size_t n_negative = 0;
  double by_offset = -negative_cost_;
  double offset = 0;
  double anchor = 0;  // the level of the row that the offset is bound to
  while (n_positive < positive_.size() || n_negative < negative_.size()) {
    const double of_positive = n_positive < positive_.size()
                                   ? -slope * entry(positive_, n_positive).level - 1
                                   : std::numeric_limits<double>::infinity();
    const double of_negative = n_negative < negative_.size()
                                   ? -slope * entry(negative_, n_negative).level + 1
                                   : std::numeric_limits<double>::infinity();
    offset = std::min(of_positive, of_negative);
    const Entry passed = of_positive <= of_negative ? entry(positive_, n_positive++)
                                                    : entry(negative_, n_negative++);
    anchor = passed.level;
    by_offset += passed.cost;
    if (by_offset >= 0) {
      break;
    }
  }
  // With the slope the offset moves by -anchor, as long as it is bound to the same row.
  BestOffset result{{slope, offset, 0.5 * slope * slope}, slope};
  const auto add = [&](const Entry& row, double sign) {
    const double shortfall = 1 + sign * (slope * row.level + offset);
    if (shortfall > 0) {
      result.margin.objective += row.cost * shortfall;
      result.derivative += sign * row.cost * (row.level - anchor);
    }
  };
  std::ranges::for_each(positive_, [&](const Entry& row) { add(row, 1); });
  std::ranges::for_each(negative_, [&](const Entry& row) { add(row, -1); });
  return result;
}

}  // namespace bentwood
