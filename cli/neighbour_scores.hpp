#pragma once

#include <cstddef>
#include <string>

#include "bentwood/metrics/neighbours.hpp"
#include "cli/points_file.hpp"

namespace bentwood::cli {

/// How many neighbours are true ones by a column of the file.
struct NeighbourPrecision {
  std::string column;
  /// Whether its labels are classes, and rows of one class true neighbours; else they are positions on a line.
  bool by_class = false;
  double precision = 0;
  /// What neighbours drawn at random would have.
  double chance = 0;
};

/// Throws InvalidInput that names the line where a label is empty or not finite.
void require_labels(const PointsFile& file);

/// Geodesic precision of neighbours among the rows of a file, by its labels (docs/metrics.md): text and few different whole
/// numbers are classes, other numbers positions. O(rows²) for positions. Requires a label column that passes require_labels.
[[nodiscard]] NeighbourPrecision neighbour_precision(const PointsFile& file,
                                                     NeighbourRows neighbours);

}  // namespace bentwood::cli
