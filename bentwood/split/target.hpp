#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
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

/// A line for a warning where so many of the rows have a class of their own that the label is hardly one: more than half of them, and there
/// are more than 20 rows (the rule of scikit-learn). Empty otherwise. `label` is what the reader calls it, `regression` how numbers are
/// predicted; empty where the classes are no numbers.
[[nodiscard]] std::string doubt_of_classes(std::size_t n_classes, std::size_t n_rows,
                                           std::string_view label, std::string_view regression);

}  // namespace bentwood
