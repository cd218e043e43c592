#include "bentwood/infer/inputs.hpp"

namespace bentwood {

Inputs inputs(const Columns& columns, OffManifold policy, Points points) {
  if (policy == OffManifold::error) {
    return {columns.values(points), 0, 0};
  }
  const Manifold::Projection on = columns.manifold().project(points);
  return {columns.values(on.points), on.n_projected, on.largest_residual};
}

}  // namespace bentwood
