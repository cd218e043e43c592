#include "cli/train_horospheres.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "bentwood/base/error.hpp"
#include "bentwood/data/text.hpp"
#include "bentwood/ensemble/cross_validate.hpp"
#include "bentwood/infer/winners.hpp"
#include "cli/any_model.hpp"

namespace bentwood::cli {
namespace {

Matrix gathered(MatrixView values, const std::vector<std::size_t>& rows) {
  Matrix result = Matrix::uninitialized(rows.size(), values.n_cols());
  for (std::size_t place = 0; place < rows.size(); ++place) {
    std::ranges::copy(values.row(rows[place]), result.row(place).begin());
  }
  return result;
}

}  // namespace

HorosphereProblem make_horosphere_problem(PointsFile file, const PointsFileOptions& input,
                                          HorosphereTrainingOptions options,
                                          const Session& session) {
  require_columns(file, options.manifold.signature(), options.manifold.coordinates());
  LabelledTarget labelled = make_target(file, Task::classification);
  require_on_manifold(file, options.manifold, options.off_manifold, session);
  if (labelled.target.width < 2) {
    throw InvalidInput(fmt::format("{}: all rows have one label, {}, expected at least two classes",
                                   file.table.source(),
                                   shown(file.table.text(file.dataset.label->name).front())));
  }
  if (has_names(input)) {
    options.feature_names = file.dataset.feature_names;
  }
  constexpr std::array<const char*, 3> types{"\"int64\"", "\"float64\"", "\"object\""};
  options.parameters["class_dtype"] = types.at(labelled.classes.index());
  return {std::move(file), std::move(labelled), std::move(options)};
}

std::vector<FoldScores> cross_validate(const HorosphereProblem& problem, std::size_t n_folds) {
  const Target& target = problem.labelled.target;
  require_rows_for_folds(problem.file.table.source(), target, n_folds);
  HorosphereTrainingOptions options = problem.options;
  options.probability = false;  // classes are scored, which need none
  const std::vector<std::uint32_t> folds = folds_for(target, n_folds, options.seed);
  const Points points = problem.file.points();
  Matrix values = Matrix::uninitialized(target.n_rows(), target.width);
  for (const std::vector<std::size_t>& left_out : rows_of_folds(folds)) {
    std::vector<std::size_t> rows;
    std::vector<std::uint32_t> classes;
    std::vector<double> weights;
    for (std::size_t row = 0; row < target.n_rows(); ++row) {
      if (!std::ranges::binary_search(left_out, row)) {
        rows.push_back(row);
        classes.push_back(target.classes[row]);
        weights.push_back(target.weights.empty() ? 1 : target.weights[row]);
      }
    }
    const Matrix chosen = gathered(points.rows, rows);
    const HorosphereClassifier classifier =
        train_horospheres({chosen.view(), points.precision}, classes, weights,
                          problem.labelled.classes, options)
            .classifier;
    const Matrix seen = gathered(points.rows, left_out);
    const Matrix found =
        scores_by_class(scores(classifier, {seen.view(), points.precision}).values);
    for (std::size_t place = 0; place < left_out.size(); ++place) {
      std::ranges::copy(found.row(place), values.row(left_out[place]).begin());
    }
  }
  return class_scores_of_folds(winners(values), target, folds);
}

HorosphereClassifier train_on_all(const HorosphereProblem& problem, const Session& session) {
  const Target& target = problem.labelled.target;
  HorosphereTraining training =
      train_horospheres(problem.file.points(), target.classes, target.weights,
                        problem.labelled.classes, problem.options);
  warn_of_projection(problem.file, training.n_projected, training.largest_residual, session);
  if (training.n_stopped > 0) {
    warn(session, fmt::format("{} of {} horospheres were still improving after {} steps; raise "
                              "--max-iter or --tol",
                              training.n_stopped, training.classifier.size(),
                              problem.options.svm.max_iterations));
  }
  return std::move(training.classifier);
}

}  // namespace bentwood::cli
