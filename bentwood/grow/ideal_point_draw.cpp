#include "bentwood/grow/ideal_point_draw.hpp"

#include <cmath>
#include <limits>
#include <numbers>

#include "bentwood/base/parallel.hpp"
#include "bentwood/linear/horosphere_objective.hpp"

namespace bentwood {
namespace {

/// Evenly spread where that is possible, else of a Gaussian.
void draw_direction(std::size_t draw, std::size_t n_draws, double phase, Random& random,
                    std::span<double> direction) {
  if (direction.size() == 1) {
    direction[0] = draw % 2 == 0 ? 1 : -1;
  } else if (direction.size() == 2) {
    const double angle =
        2 * std::numbers::pi * (phase + static_cast<double>(draw)) / static_cast<double>(n_draws);
    direction[0] = std::cos(angle);
    direction[1] = std::sin(angle);
  } else {
    for (double& component : direction) {
      component = random.normal();
    }
    normalise(direction);
  }
}

/// The points farthest towards a direction and away from it; of equal ones the first.
struct Ends {
  std::size_t towards = 0;
  std::size_t away = 0;
};

Ends ends_along(const NodePoints& points, std::span<const double> direction) {
  Ends ends;
  double highest = -std::numeric_limits<double>::infinity();
  double lowest = std::numeric_limits<double>::infinity();
  for (std::size_t item = 0; item < points.size(); ++item) {
    double along = 0;
    for (std::size_t axis = 0; axis < direction.size(); ++axis) {
      along += direction[axis] * points.column(axis)[item];
    }
    if (along > highest) {
      highest = along;
      ends.towards = item;
    }
    if (along < lowest) {
      lowest = along;
      ends.away = item;
    }
  }
  return ends;
}

/// The length of a point in the Klein ball, tanh r.
double klein_length(const NodePoints& points, std::size_t item) {
  const double sine = 2 * points.column(points.dim())[item];
  return sine / (sine + points.column(points.dim() + 1)[item]);
}

}  // namespace

void draw_ideal_points(const NodePoints& points, std::size_t n_points, Random& random,
                       std::vector<double>& ideal_points) {
  const std::size_t dim = points.dim();
  const std::size_t n_draws = (n_points + 2) / 3;
  const double phase = random.uniform();
  std::vector<double> drawn(dim);
  std::vector<double> other(dim);
  ideal_points.clear();
  const auto add = [&](std::span<const double> ideal) {
    if (ideal_points.size() < n_points * dim) {
      ideal_points.insert(ideal_points.end(), ideal.begin(), ideal.end());
    }
  };
  for (std::size_t draw = 0; draw < n_draws; ++draw) {
    throw_if_interrupted();
    draw_direction(draw, n_draws, phase, random, drawn);
    add(drawn);
    const Ends ends = ends_along(points, drawn);
    const double there = klein_length(points, ends.towards);
    const double back = klein_length(points, ends.away);
    for (std::size_t axis = 0; axis < dim; ++axis) {
      drawn[axis] = points.column(axis)[ends.towards];
      other[axis] = there * drawn[axis] - back * points.column(axis)[ends.away];
    }
    normalise(drawn);
    add(drawn);
    normalise(other);
    add(other);
  }
}

void axis_ideal_points(std::size_t dim, std::vector<double>& ideal_points) {
  ideal_points.assign(2 * dim * dim, 0.0);
  for (std::size_t index = 0; index < 2 * dim; ++index) {
    ideal_points[index * dim + index / 2] = index % 2 == 0 ? 1 : -1;
  }
}

void step_ideal_point(std::span<const double> from, double size, Random& random,
                      std::vector<double>& to) {
  to.assign(from.begin(), from.end());
  const double scale = size / std::sqrt(static_cast<double>(from.size()));
  for (double& component : to) {
    component += scale * random.normal();
  }
  normalise(to);
}

}  // namespace bentwood
