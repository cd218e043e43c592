#pragma once

#include "bentwood/data/table.hpp"
#include "bentwood/infer/neighbours.hpp"

namespace bentwood::cli {

/// A line a neighbour: row, rank (1 for the nearest), neighbor, distance. Rows are counted from 0.
[[nodiscard]] Table long_table(const Neighbours& found);

/// A line a row: row, neighbor1, neighbor2, ...
[[nodiscard]] Table wide_table(const Neighbours& found);

}  // namespace bentwood::cli
