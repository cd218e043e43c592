#include "cli/neighbour_scores.hpp"

#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "cli/targets.hpp"

namespace bentwood::cli {
namespace {

double mean(const Matrix& column) {
  double sum = 0;
  for (std::size_t row = 0; row < column.n_rows(); ++row) {
    sum += column(row, 0);
  }
  return sum / static_cast<double>(column.n_rows());
}

/// The share of the other rows that are of a row's own class, in the mean.
double class_chance(const Target& target) {
  std::vector<double> counts(target.width, 0);
  for (const std::uint32_t label : target.classes) {
    ++counts[label];
  }
  const auto n_rows = static_cast<double>(target.n_rows());
  double sum = 0;
  for (const double count : counts) {
    sum += count * (count - 1);
  }
  return sum / (n_rows * (n_rows - 1));
}

/// |a - b| of all pairs, a strip at a time.
TrueDistances line_distances(const Matrix& positions) {
  return [&positions](std::size_t begin, std::size_t end) {
    Matrix result = Matrix::uninitialized(end - begin, positions.n_rows());
    for (std::size_t row = begin; row < end; ++row) {
      for (std::size_t other = 0; other < positions.n_rows(); ++other) {
        result(row - begin, other) = std::abs(positions(row, 0) - positions(other, 0));
      }
    }
    return result;
  };
}

}  // namespace

void require_labels(const PointsFile& file) {
  if (guess_task(*file.dataset.label) == Task::classification) {
    (void)make_target(file, Task::classification);
  } else {
    (void)label_numbers(file);
  }
}

NeighbourPrecision neighbour_precision(const PointsFile& file, NeighbourRows neighbours) {
  const std::array<std::size_t, 1> sizes{neighbours.n_cols()};
  NeighbourPrecision result{.column = file.dataset.label->name};
  result.by_class = guess_task(*file.dataset.label) == Task::classification;
  if (result.by_class) {
    const Target target = make_target(file, Task::classification).target;
    const std::vector<std::int64_t> classes(target.classes.begin(), target.classes.end());
    result.precision = mean(class_neighbour_scores(neighbours, classes, sizes).precision);
    result.chance = class_chance(target);
    return result;
  }
  const Matrix positions = label_numbers(file);
  result.precision =
      mean(distance_neighbour_scores(neighbours, line_distances(positions), sizes).precision);
  result.chance = static_cast<double>(sizes[0]) / static_cast<double>(neighbours.n_rows() - 1);
  return result;
}

}  // namespace bentwood::cli
