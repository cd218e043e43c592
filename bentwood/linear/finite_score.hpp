#pragma once

#include <span>

namespace bentwood {

/// w · f + b of finite numbers whose plain sum overflows: computed in parts that do not, and where it is beyond the range of doubles the largest
/// of its sign. So a boundary says of every point on which side it is.
[[nodiscard]] double finite_score(std::span<const double> weights, std::span<const double> features,
                                  double constant);

}  // namespace bentwood
