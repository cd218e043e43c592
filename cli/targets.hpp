#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bentwood/base/matrix.hpp"
#include "bentwood/model/forest.hpp"
#include "bentwood/split/target.hpp"
#include "cli/points_file.hpp"
#include "cli/session.hpp"

namespace bentwood::cli {

/// More different whole numbers than this are taken for measurements.
inline constexpr std::size_t most_guessed_classes = 20;

/// What is to be learned from a column of labels: classes where it is text or holds few different whole
/// numbers, a number otherwise.
[[nodiscard]] Task guess_task(const TableColumn& label);

[[nodiscard]] std::string_view name(Task task);

/// The labels of a file as a target, and the names of its classes; none in a regression.
struct LabelledTarget {
  Target target;
  Labels classes;
};

/// Throws InvalidInput or FormatError that names file and line where a label is empty, not finite, or
/// no number in a regression. Requires a label column.
[[nodiscard]] LabelledTarget make_target(const PointsFile& file, Task task);

/// Warns where nearly every row has a class of its own.
void warn_of_many_classes(const PointsFile& file, const LabelledTarget& labelled,
                          const Session& session);

/// The label column's numbers as a matrix of one column.
[[nodiscard]] Matrix label_numbers(const PointsFile& file);

/// The rows whose labels a model knows, with the numbers of their classes.
struct KnownRows {
  std::vector<std::size_t> rows;
  std::vector<std::int64_t> classes;
};

/// What to do with rows of a class that the model does not know.
enum class UnknownLabels : std::uint8_t { error, skip };

/// Finds the classes of a model in the labels of a file. Throws InvalidInput that names the first row
/// whose label is none of them, unless such rows are to be skipped, and where no row is left.
[[nodiscard]] KnownRows known_rows(const PointsFile& file, const Labels& classes,
                                   UnknownLabels unknown);

}  // namespace bentwood::cli
