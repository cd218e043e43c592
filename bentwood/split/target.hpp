#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "bentwood/base/matrix.hpp"
#include "bentwood/model/forest.hpp"

namespace bentwood {

/// What the training rows are to be told apart by.
struct Target {
  Task task = Task::classification;
  /// Classes, or outputs of a regression.
  std::size_t width = 0;
  /// Classification: the class of each row, below `width`.
  std::vector<std::uint32_t> classes;
  /// Regression: one row of outputs a training row.
  Matrix outputs;
  /// The weight of each row, at least 0; empty where all are 1.
  std::vector<double> weights;

  [[nodiscard]] std::size_t n_rows() const {
    return task == Task::classification ? classes.size() : outputs.n_rows();
  }
};

}  // namespace bentwood
