#pragma once

#include <cstddef>

#include "bentwood/geometry/recentre.hpp"

namespace bentwood {

/// The tangent features of a block of points of one hyperbolic factor (features.hpp, geometry/kernels/kernels.hpp): from dim + 1 ambient columns
/// to dim columns. A row's bits do not depend on the others, nor on the machine.
void hyperbolic_features(const Recentre& reference, bool weighted, const double* points,
                         double* features);

}  // namespace bentwood
