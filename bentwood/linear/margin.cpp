#include "bentwood/linear/margin.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "bentwood/base/error.hpp"
#include "bentwood/linear/lanes.hpp"

namespace bentwood {
namespace {

/// ½ m² + Σ c max(0, z)², z = 1 + y (m B + o), with its gradient and Hessian.
struct Quadratic {
  double value = 0;
  double slope_gradient = 0;
  double offset_gradient = 0;
  double slope_slope = 0;
  double slope_offset = 0;
  double offset_offset = 0;
};

Quadratic quadratic(const MarginRows& rows, double slope, double offset) {
  Lanes value;
  Lanes pull;
  Lanes pull_level;
  Lanes level_level;
  Lanes level;
  Lanes count;
  for (std::size_t row = 0; row < rows.levels.size(); row += n_lanes) {
    for (std::size_t lane = 0; lane < n_lanes; ++lane) {
      const double at = rows.levels[row + lane];
      const double sign = rows.signs[row + lane];
      const double shortfall = std::max(0.0, 1 + sign * (slope * at + offset));
      const double cost = shortfall > 0 ? rows.costs[row + lane] : 0.0;
      const double pulled = cost * shortfall;
      value[lane] += pulled * shortfall;
      pull[lane] += pulled * sign;
      pull_level[lane] += pulled * sign * at;
      count[lane] += cost;
      level[lane] += cost * at;
      level_level[lane] += cost * at * at;
    }
  }
  return {.value = 0.5 * slope * slope + value.sum(),
          .slope_gradient = slope + 2 * pull_level.sum(),
          .offset_gradient = 2 * pull.sum(),
          .slope_slope = 1 + 2 * level_level.sum(),
          .slope_offset = 2 * level.sum(),
          .offset_offset = 2 * count.sum()};
}

struct Step {
  double slope = 0;
  double offset = 0;
};

/// The Newton step; with a slope that is held, the step of the offset alone.
Step newton_step(const Quadratic& at, bool slope_is_held) {
  // No row is short of its margin: the offset does not matter, and its second derivative is 0.
  const double offset_offset = at.offset_offset > 0 ? at.offset_offset : 1;
  if (slope_is_held) {
    return {0, -at.offset_gradient / offset_offset};
  }
  // The determinant is at least offset_offset · 1 by Cauchy's inequality, but for rounding.
  const double determinant =
      std::max(at.slope_slope * offset_offset - at.slope_offset * at.slope_offset, offset_offset);
  return {
      (at.slope_offset * at.offset_gradient - offset_offset * at.slope_gradient) / determinant,
      (at.slope_offset * at.slope_gradient - at.slope_slope * at.offset_gradient) / determinant};
}

Margin solve_quadratic(const MarginRows& rows, bool slope_is_held) {
  constexpr int max_steps = 100;
  Margin margin;
  Quadratic at = quadratic(rows, margin.slope, margin.offset);
  for (int count = 0; count < max_steps; ++count) {
    const Step step = newton_step(at, slope_is_held);
    const double descent = step.slope * at.slope_gradient + step.offset * at.offset_gradient;
    const double rounding = 4 * std::numeric_limits<double>::epsilon() * at.value;
    if (!(descent < -rounding)) {
      break;
    }
    double time = 1;
    Quadratic next = quadratic(rows, margin.slope + step.slope, margin.offset + step.offset);
    while (!(next.value <= at.value + 1e-4 * time * descent) && time > 1e-10) {
      time *= 0.5;
      next = quadratic(rows, margin.slope + time * step.slope, margin.offset + time * step.offset);
    }
    if (!(next.value < at.value)) {
      break;
    }
    margin.slope += time * step.slope;
    margin.offset += time * step.offset;
    at = next;
  }
  margin.objective = at.value;
  return margin;
}

/// Minimises a convex function of one variable by golden sections.
template <class Function>
double golden_section(const Function& function, double start, double least) {
  constexpr double shorter = 0.3819660112501051;  // 2 - the golden ratio
  const double scale = std::max(std::abs(start), 1e-3);
  double reach = scale;
  double low = std::max(start - reach, least);
  double high = start + reach;
  const auto value = [&](double slope) { return function(slope).objective; };
  const double middle = value(start);
  while (low > least && value(low) < middle && reach < 1e300) {
    reach *= 4;
    low = std::max(start - reach, least);
  }
  reach = high - start;
  while (value(high) < middle && reach < 1e300) {
    reach *= 4;
    high = start + reach;
  }
  double a = low + shorter * (high - low);
  double b = high - shorter * (high - low);
  double at_a = value(a);
  double at_b = value(b);
  while (high - low > 1e-8 * std::max(std::abs(low) + std::abs(high), scale)) {
    if (at_a <= at_b) {
      high = b;
      b = a;
      at_b = at_a;
      a = low + shorter * (high - low);
      at_a = value(a);
    } else {
      low = a;
      a = b;
      at_a = at_b;
      b = high - shorter * (high - low);
      at_b = value(b);
    }
    if (!(low < a && a < b && b < high)) {
      break;
    }
  }
  return at_a <= at_b ? a : b;
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

Margin MarginSolver::solve(const MarginRows& rows, MarginLoss loss, PositiveSide side) {
  if (loss == MarginLoss::hinge) {
    return solve_hinge(rows, side);
  }
  const Margin margin = solve_quadratic(rows, false);
  return side == PositiveSide::inside && margin.slope < 0 ? solve_quadratic(rows, true) : margin;
}

Margin MarginSolver::solve_hinge(const MarginRows& rows, PositiveSide side) {
  sort_entries(rows);
  const double least =
      side == PositiveSide::inside ? 0.0 : -std::numeric_limits<double>::infinity();
  const double start = std::max(solve_quadratic(rows, false).slope, least);
  const Margin found = best_offset(
      golden_section([this](double slope) { return best_offset(slope); }, start, least));
  const Margin flat = best_offset(0);
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

Margin MarginSolver::best_offset(double slope) const {
  // As a function of the offset o the cost of a positive row bends at -slope·level - 1, that of a negative one at
  // -slope·level + 1; at each the derivative, which begins with minus the cost of all negative rows, grows by the row's cost.
  const auto entry = [slope](const std::vector<Entry>& entries, std::size_t place) {
    return slope > 0 ? entries[entries.size() - 1 - place] : entries[place];
  };
  std::size_t n_positive = 0;
  std::size_t n_negative = 0;
  double derivative = -negative_cost_;
  double offset = 0;
  while (n_positive < positive_.size() || n_negative < negative_.size()) {
    const double of_positive = n_positive < positive_.size()
                                   ? -slope * entry(positive_, n_positive).level - 1
                                   : std::numeric_limits<double>::infinity();
    const double of_negative = n_negative < negative_.size()
                                   ? -slope * entry(negative_, n_negative).level + 1
                                   : std::numeric_limits<double>::infinity();
    offset = std::min(of_positive, of_negative);
    derivative += of_positive <= of_negative ? entry(positive_, n_positive++).cost
                                             : entry(negative_, n_negative++).cost;
    if (derivative >= 0) {
      break;
    }
  }
  double sum = 0;
  for (const Entry& row : positive_) {
    sum += row.cost * std::max(0.0, 1 + (slope * row.level + offset));
  }
  for (const Entry& row : negative_) {
    sum += row.cost * std::max(0.0, 1 - (slope * row.level + offset));
  }
  return {slope, offset, 0.5 * slope * slope + sum};
}

}  // namespace bentwood
