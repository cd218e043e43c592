#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "bentwood/base/matrix.hpp"

namespace bentwood {

/// The mean over the trees that gain something of the share that each column has in their gain, as in scikit-learn; all 0 where no tree
/// does. `gains` are those of columns, a row per tree; other trees, `n_earlier` of them, are known by their own mean.
[[nodiscard]] std::vector<double> mean_importances(MatrixView gains,
                                                   std::span<const double> earlier = {},
                                                   std::size_t n_earlier = 0);

}  // namespace bentwood
