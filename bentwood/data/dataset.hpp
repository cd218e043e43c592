#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bentwood/base/matrix.hpp"
#include "bentwood/data/table.hpp"

namespace bentwood {

/// Which columns of a table play which part.
struct DatasetColumns {
  std::optional<std::string> label;
  std::optional<std::string> weight;
  /// The features, in this order. Empty: every numeric column that is neither label nor weight.
  std::vector<std::string> features;
};

/// The points, labels and weights of a table.
struct Dataset {
  Matrix points;
  std::vector<std::string> feature_names;
  /// The label column, numeric or text; nothing where none was asked for.
  std::optional<TableColumn> label;
  /// One weight a row; empty where none was asked for.
  std::vector<double> weights;
  /// Text columns that are no features because nobody named them.
  std::vector<std::string> ignored;
  Precision precision = Precision::float64;
};

/// Takes a table apart.
///
/// Throws InvalidInput for a column that does not exist (listing those that do), that plays two
/// parts, or when no feature is left; for weights that are not finite numbers >= 0 or are all 0.
/// Throws FormatError for a named feature that is text. Among columns nobody named, one that begins
/// with a number or an empty field and then holds something else is an error too (a mistake, not a
/// column of names); one whose first field is text is left out and listed in `ignored`.
[[nodiscard]] Dataset select(const Table& table, const DatasetColumns& columns);

}  // namespace bentwood
