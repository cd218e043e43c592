#pragma once

#include <cstdint>
#include <vector>

#include "bentwood/base/matrix.hpp"

namespace bentwood {

/// Points, one a row, with the class of each: 0, 1, ...
struct LabelledPoints {
  Matrix points;
  std::vector<std::int64_t> labels;
};

}  // namespace bentwood
