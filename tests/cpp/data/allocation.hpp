#pragma once

#include <cstddef>

namespace bentwood {

/// The size of the largest allocation by `new` on this thread since it was set to 0.
std::size_t& largest_allocation();

}  // namespace bentwood
