#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "bentwood/base/random.hpp"
#include "bentwood/grow/node_points.hpp"

namespace bentwood {

/// Unit vectors to look at, end to end: of every three one at random, the direction of the point that is farthest towards it, and that of
/// the difference in the Klein ball of the points farthest towards it and away from it. They do not depend on the order of the points,
/// nor on how often each is there. O(n dim) for three. Throws Interrupted.
void draw_ideal_points(const NodePoints& points, std::size_t n_points, Random& random,
                       std::vector<double>& ideal_points);

/// The axes, there and back.
void axis_ideal_points(std::size_t dim, std::vector<double>& ideal_points);

/// A random step from an ideal point, of about `size` radians.
void step_ideal_point(std::span<const double> from, double size, Random& random,
                      std::vector<double>& to);

}  // namespace bentwood
