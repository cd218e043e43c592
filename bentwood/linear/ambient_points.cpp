#include "bentwood/linear/ambient_points.hpp"

namespace bentwood {

AmbientPoints ambient_points(const Manifold& manifold, OffManifold policy, Points points) {
  AmbientPoints result;
  Manifold::Projection projection;
  if (policy == OffManifold::project) {
    projection = manifold.project(points);
    result.n_projected = projection.n_projected;
    result.largest_residual = projection.largest_residual;
    points = projection.points;
  }
  result.points = manifold.convert(points, manifold.coordinates(), Coordinates::ambient);
  return result;
}

}  // namespace bentwood
