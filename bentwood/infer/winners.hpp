#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "bentwood/base/matrix.hpp"
#include "bentwood/infer/inputs.hpp"
#include "bentwood/model/forest.hpp"

namespace bentwood {

/// The class of the greatest share in every row, the first of equal ones.
[[nodiscard]] std::vector<std::int64_t> winners(MatrixView shares);

/// The same by the leaves that rows reach, in trees whose shares are sparse: the winners of mean_values, without a number for each row and
/// class. The work on a row grows with the shares in its leaves.
[[nodiscard]] std::vector<std::int64_t> winners(const Forest& forest, const Leaves& leaves);

/// The mean over the trees of the values of each row's leaves; see predict_values.
[[nodiscard]] Matrix mean_values(const Forest& forest, const Leaves& leaves);

}  // namespace bentwood
