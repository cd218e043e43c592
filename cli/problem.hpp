#pragma once

#include <cstdint>
#include <vector>

#include "bentwood/base/matrix.hpp"
#include "bentwood/ensemble/train.hpp"
#include "bentwood/model/forest.hpp"
#include "cli/points_file.hpp"
#include "cli/scores.hpp"
#include "cli/session.hpp"
#include "cli/targets.hpp"
#include "cli/training_options.hpp"

namespace bentwood::cli {

/// Points, target and options that fit each other.
struct Problem {
  PointsFile file;
  Task task = Task::classification;
  LabelledTarget labelled;
  TrainOptions options;
};

/// Puts a file and options together. Throws InvalidInput that names the file where they do not fit,
/// and warns where the points are imprecise or have one class only, or splits do nothing.
[[nodiscard]] Problem make_problem(PointsFile file, const PointsFileOptions& input,
                                   const TrainingOptions& training, Task task,
                                   const Session& session);

/// What forests say about rows they have not seen, and what that is worth.
struct CrossValidation {
  std::vector<std::uint32_t> folds;
  /// The class of every row; empty in a regression.
  std::vector<std::int64_t> winners;
  std::vector<FoldScores> scores;
};

/// Folds of the problem's own seed. Throws InvalidInput where there are too few rows.
[[nodiscard]] CrossValidation cross_validate(const Problem& problem, std::size_t n_folds,
                                             const Session& session);

/// Trains on all rows, and says which were projected.
[[nodiscard]] Forest train_on_all(const Problem& problem, const Session& session);

}  // namespace bentwood::cli
