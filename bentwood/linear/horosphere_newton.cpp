#include "bentwood/linear/horosphere_newton.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

#include "bentwood/base/parallel.hpp"
#include "bentwood/linear/horosphere_objective.hpp"

namespace bentwood {

void HorosphereNewton::assign(const PolarPoints& points, std::span<const double> signs,
                              std::span<const double> costs) {
  assert(points.dim() >= 2 && points.dim() <= most_newton_dim);
  points_ = &points;
  signs_ = signs;
  costs_ = costs;
  n_tangents_ = points.dim() - 1;
  tangents_.resize(n_tangents_ * points.dim());
  next_.resize(points.dim());
}

/// The reflection that takes the first axis to ±w takes the others to vectors at right angles to w.
void HorosphereNewton::find_tangents(std::span<const double> ideal) {
  const std::size_t dim = ideal.size();
  const double sign = ideal[0] < 0 ? -1 : 1;
  const double scale = 1 / (1 + std::abs(ideal[0]));
  for (std::size_t tangent = 0; tangent < n_tangents_; ++tangent) {
    const double share = ideal[tangent + 1] * scale;
    for (std::size_t axis = 0; axis < dim; ++axis) {
      const double mirror = ideal[axis] + (axis == 0 ? sign : 0);
      tangents_[tangent * dim + axis] = (axis == tangent + 1 ? 1.0 : 0.0) - share * mirror;
    }
  }
}

HorosphereQuadratic HorosphereNewton::quadratic(std::span<const double> ideal, double slope,
                                                double offset) {
  throw_if_interrupted();
  find_tangents(ideal);
  return horosphere_quadratic(*points_, signs_, costs_, ideal, tangents_, slope, offset);
}

/// By Cholesky's factors of the Hessian with damping times its diagonal. Nothing here compares one variable with another: far from the
/// origin a turn of the ideal point matters 1e16 times as much as the offset.
bool HorosphereNewton::solve(const HorosphereQuadratic& at, double damping, Vector& step) const {
  const std::size_t size = n_tangents_ + 2;
  std::array<Vector, HorosphereQuadratic::most_variables> factor{};
  for (std::size_t row = 0; row < size; ++row) {
    const double given = at.hessian[row][row];
    const double diagonal = given + damping * (given != 0 ? std::abs(given) : 1);
    for (std::size_t column = row; column < size; ++column) {
      double rest = column == row ? diagonal : at.hessian[row][column];
      for (std::size_t before = 0; before < row; ++before) {
        rest -= factor[before][row] * factor[before][column];
      }
      if (column > row) {
        factor[row][column] = rest / factor[row][row];
      } else if (rest > 1e-12 * std::abs(diagonal)) {
        factor[row][row] = std::sqrt(rest);
      } else {
        return false;
      }
    }
  }
  for (std::size_t row = 0; row < size; ++row) {
    double rest = -at.gradient[row];
    for (std::size_t before = 0; before < row; ++before) {
      rest -= factor[before][row] * step[before];
    }
    step[row] = rest / factor[row][row];
  }
  for (std::size_t row = size; row-- > 0;) {
    double rest = step[row];
    for (std::size_t after = row + 1; after < size; ++after) {
      rest -= factor[row][after] * step[after];
    }
    step[row] = rest / factor[row][row];
  }
  return true;
}

double HorosphereNewton::allowed(const Vector& step, double slope) const {
  constexpr double widest_turn = 0.5;
  constexpr double slope_to_keep = 0.1;
  double squared = 0;
  for (std::size_t tangent = 0; tangent < n_tangents_; ++tangent) {
    squared += step[tangent] * step[tangent];
  }
  double share = std::min(1.0, widest_turn / std::sqrt(std::max(squared, 1e-300)));
  const double lost = -step[n_tangents_] / slope;
  if (lost * share > 1 - slope_to_keep) {
    share = (1 - slope_to_keep) / lost;
  }
  return share;
}

NewtonResult HorosphereNewton::minimise(std::span<double> ideal, Margin& margin,
                                        const NewtonOptions& options) {
  constexpr double first_damping = 1e-2;
  constexpr double most_damping = 1e12;
  NewtonResult result;
  double damping = 0;
  HorosphereQuadratic at = quadratic(ideal, margin.slope, margin.offset);
  while (result.n_iterations < options.max_iterations && std::isfinite(at.value)) {
    Vector step{};
    while (!solve(at, damping, step) && damping < most_damping) {
      damping = std::max(first_damping, 8 * damping);
    }
    const double share = allowed(step, margin.slope);
    double descent = 0;
    for (std::size_t index = 0; index < n_tangents_ + 2; ++index) {
      step[index] *= share;
      descent += step[index] * at.gradient[index];
    }
    // Half of it is what the quadratic promises.
    if (!(-0.5 * descent > options.tolerance * at.value) || damping >= most_damping) {
      result.converged = damping < most_damping;
      break;
    }
    ++result.n_iterations;
    for (std::size_t axis = 0; axis < ideal.size(); ++axis) {
      next_[axis] = ideal[axis];
      for (std::size_t tangent = 0; tangent < n_tangents_; ++tangent) {
        next_[axis] += step[tangent] * tangents_[tangent * ideal.size() + axis];
      }
    }
    normalise(next_);
    const double slope = margin.slope + step[n_tangents_];
    const double offset = margin.offset + step[n_tangents_ + 1];
    const HorosphereQuadratic next = quadratic(next_, slope, offset);
    if (next.value <= at.value + 1e-4 * descent) {
      std::ranges::copy(next_, ideal.begin());
      margin.slope = slope;
      margin.offset = offset;
      at = next;
      damping = damping > first_damping ? damping / 8 : 0;
    } else {
      find_tangents(ideal);
      damping = std::max(first_damping, 8 * damping);
    }
  }
  margin.objective = at.value;
  return result;
}

}  // namespace bentwood
