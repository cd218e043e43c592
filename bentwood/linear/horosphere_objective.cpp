#include "bentwood/linear/horosphere_objective.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "bentwood/base/parallel.hpp"
#include "bentwood/linear/lane_sum.hpp"

namespace bentwood {

void HorosphereObjective::assign(const PolarPoints& points, std::span<const double> signs,
                                 std::span<const double> costs) {
  assert(signs.size() == points.stride() && costs.size() == points.stride());
  points_ = &points;
  signs_ = signs;
  costs_ = costs;
  levels_.resize(points.stride());
  pulls_.resize(points.stride());
}

MarginRows HorosphereObjective::rows(std::span<const double> ideal) {
  busemann_levels(*points_, ideal, levels_, pulls_);
  return {levels_, signs_, costs_};
}

double HorosphereObjective::evaluate(std::span<const double> ideal, double slope, double offset,
                                     double rounding, Gradient& gradient) {
  throw_if_interrupted();
  busemann_levels(*points_, ideal, levels_, pulls_);
  LaneSum value;
  LaneSum by_slope;
  LaneSum by_offset;
  // loss(z) = (z - a/2) a scale, loss'(z) = a scale with a = z cut to [0, δ]; the squared hinge is δ = ∞, scale = 2.
  const double highest = rounding > 0 ? rounding : HUGE_VAL;
  const double scale = rounding > 0 ? 1 / rounding : 2;
  for (std::size_t row = 0; row < levels_.size(); row += n_sum_lanes) {
    for (std::size_t lane = 0; lane < n_sum_lanes; ++lane) {
      const double level = levels_[row + lane];
      const double sign = signs_[row + lane];
      const double shortfall = 1 + sign * (slope * level + offset);
      const double cut = std::min(std::max(shortfall, 0.0), highest);
      const double pull = costs_[row + lane] * (scale * cut);
      value[lane] += pull * (shortfall - 0.5 * cut);
      by_offset[lane] += pull * sign;
      by_slope[lane] += pull * sign * level;
      pulls_[row + lane] *= pull * sign;
    }
  }
  gradient.slope = slope + by_slope.sum();
  gradient.offset = by_offset.sum();
  double along = 0;
  for (std::size_t axis = 0; axis < ideal.size(); ++axis) {
    const double* const direction = points_->direction(axis);
    LaneSum sum;
    for (std::size_t row = 0; row < pulls_.size(); row += n_sum_lanes) {
      for (std::size_t lane = 0; lane < n_sum_lanes; ++lane) {
        sum[lane] += pulls_[row + lane] * (ideal[axis] - direction[row + lane]);
      }
    }
    gradient.ideal[axis] = slope * sum.sum();
    along += gradient.ideal[axis] * ideal[axis];
  }
  for (std::size_t axis = 0; axis < ideal.size(); ++axis) {
    gradient.ideal[axis] -= along * ideal[axis];
  }
  return 0.5 * slope * slope + value.sum();
}

double normalise(std::span<double> vector) {
  double largest = 0;
  for (const double value : vector) {
    largest = std::max(largest, std::abs(value));
  }
  if (!(largest > 0) || !std::isfinite(largest)) {
    std::ranges::fill(vector, 0.0);
    vector[0] = 1;
    return 0;
  }
  double squared = 0;
  for (double& value : vector) {
    value /= largest;
    squared += value * value;
  }
  for (double& value : vector) {
    value /= std::sqrt(squared);
  }
  return largest * std::sqrt(squared);
}

double free_objective(HorosphereObjective& objective, std::span<const double> x, double sign,
                      double rounding, std::span<double> ideal, std::span<double> gradient) {
  const std::size_t dim = ideal.size();
  std::copy_n(x.begin(), dim, ideal.begin());
  const double length = normalise(ideal);
  const double slope = sign * std::exp(x[dim]);
  HorosphereObjective::Gradient found{.ideal = gradient.first(dim)};
  const double value = objective.evaluate(ideal, slope, x[dim + 1], rounding, found);
  for (double& component : found.ideal) {
    component /= length;
  }
  gradient[dim] = slope * found.slope;
  gradient[dim + 1] = found.offset;
  return value;
}

}  // namespace bentwood
