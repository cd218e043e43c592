#include "cli/problem.hpp"

#include <fmt/format.h>

#include <array>
#include <string>
#include <utility>

#include "bentwood/base/error.hpp"
#include "bentwood/data/text.hpp"
#include "bentwood/ensemble/cross_validate.hpp"
#include "cli/progress_bar.hpp"

namespace bentwood::cli {
namespace {

/// What NumPy would call the type of the labels, for the Python package.
std::string class_type(const Labels& classes) {
  constexpr std::array<const char*, 3> names{"\"int64\"", "\"float64\"", "\"object\""};
  return names.at(classes.index());
}

}  // namespace

Problem make_problem(PointsFile file, const PointsFileOptions& input,
                     const TrainingOptions& training, Task task, const Session& session) {
  TrainOptions options = train_options(training, task, file.dataset.points.n_cols());
  const Manifold& manifold = options.columns.manifold();
  require_columns(file, manifold.signature(), manifold.coordinates());
  LabelledTarget labelled = make_target(file, task);
  require_on_manifold(file, manifold, options.off_manifold, session);
  if (const std::string idle = idle_splits(options.columns); !idle.empty()) {
    warn(session, idle);
  }
  if (has_names(input)) {
    options.feature_names = file.dataset.feature_names;
  }
  if (task == Task::classification) {
    options.parameters["class_dtype"] = class_type(labelled.classes);
    if (labelled.target.width == 1) {
      warn(session, fmt::format("{}: all rows have one label, {}: the model can say nothing else",
                                file.table.source(),
                                shown(file.table.text(file.dataset.label->name).front())));
    }
  }
  return {std::move(file), task, std::move(labelled), std::move(options)};
}

CrossValidation cross_validate(const Problem& problem, std::size_t n_folds,
                               const Session& session) {
  const Target& target = problem.labelled.target;
  require_rows_for_folds(problem.file.table.source(), target, n_folds);
  CrossValidation result;
  result.folds = folds_for(target, n_folds, problem.options.forest.seed);
  ProgressBar bar(session, fmt::format("{} folds", n_folds),
                  n_folds * problem.options.forest.n_trees, "trees");
  if (problem.task == Task::classification) {
    result.winners = out_of_fold_winners(problem.file.points(), target, result.folds,
                                         problem.options, bar.listener());
    result.scores = class_scores_of_folds(result.winners, target, result.folds);
  } else {
    const Matrix values = out_of_fold_values(problem.file.points(), target, result.folds,
                                             problem.options, bar.listener());
    result.scores = number_scores_of_folds(values, target, result.folds);
  }
  return result;
}

Forest train_on_all(const Problem& problem, const Session& session) {
  Training training = [&] {
    ProgressBar bar(session, "all rows", problem.options.forest.n_trees, "trees");
    return train_forest(problem.file.points(), problem.labelled.target, problem.labelled.classes,
                        problem.options, bar.listener());
  }();
  warn_of_projection(problem.file, training.n_projected, training.largest_residual, session);
  return std::move(training.forest);
}

}  // namespace bentwood::cli
