#include "bentwood/geometry/recentre.hpp"

#include <algorithm>
#include <functional>

namespace bentwood {

void Recentre::operator()(std::span<const double> x, std::span<double> out) const {
  if (geometry_ == Geometry::euclidean) {
    std::ranges::transform(x, centre_, out.begin(), std::minus());
    return;
  }
  const std::size_t n = out.size();
  const double first = centre_[0];
  const std::span<const double> p = centre_.subspan(1);
  const std::span<const double> y = x.subspan(1);
  double along = 0;
  double rise = 0;  // (x + p)·D, which is x_0² - p_0²
  for (std::size_t axis = 0; axis < n; ++axis) {
    out[axis] = y[axis] - p[axis];
    along += p[axis] * out[axis];
    rise += (y[axis] + p[axis]) * out[axis];
  }
  along /= radius_ + first;
  const double push =
      geometry_ == Geometry::hyperbolic ? along - rise / (x[0] + first) : first - x[0] - along;
  const double share = push / radius_;
  for (std::size_t axis = 0; axis < n; ++axis) {
    out[axis] += share * p[axis];
  }
}

}  // namespace bentwood
