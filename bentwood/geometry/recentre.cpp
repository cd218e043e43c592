#include "bentwood/geometry/recentre.hpp"

#include <algorithm>
#include <functional>

namespace bentwood {

void recentre(const Factor& factor, std::span<const double> centre, std::span<const double> x,
              std::span<double> out) {
  if (factor.geometry == Geometry::euclidean) {
    std::ranges::transform(x, centre, out.begin(), std::minus());
    return;
  }
  const std::size_t n = factor.dim;
  const double radius = factor.radius();
  const double first = centre[0];
  const std::span<const double> p = centre.subspan(1);
  const std::span<const double> y = x.subspan(1);
  double along = 0;
  double rise = 0;  // (x + p)·D, which is x_0² - p_0²
  for (std::size_t axis = 0; axis < n; ++axis) {
    out[axis] = y[axis] - p[axis];
    along += p[axis] * out[axis];
    rise += (y[axis] + p[axis]) * out[axis];
  }
  along /= radius + first;
  const double push = factor.geometry == Geometry::hyperbolic ? along - rise / (x[0] + first)
                                                              : first - x[0] - along;
  for (std::size_t axis = 0; axis < n; ++axis) {
    out[axis] += push / radius * p[axis];
  }
}

}  // namespace bentwood
