#include "cli/train_linear.hpp"

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

LinearTraining trained(Points points, std::span<const std::uint32_t> classes,
                       std::span<const double> weights, const Labels& labels,
                       const LinearTrainingOptions& options) {
  return train_linear(points, classes, weights, labels, options);
}

PerceptronTraining trained(Points points, std::span<const std::uint32_t> classes,
                           std::span<const double> /*weights*/, const Labels& labels,
                           const PerceptronTrainingOptions& options) {
  return train_perceptron(points, classes, labels, options);
}

std::string stopped_text(const LinearTraining& training, const LinearTrainingOptions& options) {
  const std::vector<std::uint64_t>& steps = training.classifier.n_iterations;
  const auto n_out_of_steps = static_cast<std::size_t>(std::ranges::count_if(
      steps, [&](std::uint64_t count) { return count >= options.svm.max_iterations; }));
  if (n_out_of_steps < training.n_stopped) {
    return fmt::format(
        "{} of {} boundaries ended above their minimum: the features differ so much in size that "
        "rounding hides it; scale them, or choose another --space{}",
        training.n_stopped, training.classifier.size(),
        options.space == FeatureSpace::lorentz ? "" : " or --reference");
  }
  return fmt::format(
      "{} of {} boundaries were still improving after {} steps; raise --max-iter or --tol",
      training.n_stopped, training.classifier.size(), options.svm.max_iterations);
}

std::string stopped_text(const PerceptronTraining& training,
                         const PerceptronTrainingOptions& options) {
  return fmt::format(
      "{} of {} boundaries still made mistakes after {} passes; classes that overlap never end: "
      "try {}another --reference",
      training.n_stopped, training.classifier.size(), options.max_passes,
      options.average ? "" : "--average, or ");
}

}  // namespace

template <class Options>
LinearProblem<Options> make_linear_problem(PointsFile file, const PointsFileOptions& input,
                                           Options options, const Session& session) {
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

template <class Options>
std::vector<FoldScores> cross_validate(const LinearProblem<Options>& problem, std::size_t n_folds) {
  const Target& target = problem.labelled.target;
  require_rows_for_folds(problem.file.table.source(), target, n_folds);
  const std::vector<std::uint32_t> folds = folds_for(target, n_folds, problem.options.seed);
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
    const PredictingModel model = trained({chosen.view(), points.precision}, classes, weights,
                                          problem.labelled.classes, problem.options)
                                      .classifier;
    const Matrix seen = gathered(points.rows, left_out);
    const Matrix found = predicted(model, {seen.view(), points.precision}).values;
    for (std::size_t place = 0; place < left_out.size(); ++place) {
      std::ranges::copy(found.row(place), values.row(left_out[place]).begin());
    }
  }
  return class_scores_of_folds(winners(values), target, folds);
}

template <class Options>
LinearClassifier train_on_all(const LinearProblem<Options>& problem, const Session& session) {
  const Target& target = problem.labelled.target;
  auto training = trained(problem.file.points(), target.classes, target.weights,
                          problem.labelled.classes, problem.options);
  warn_of_projection(problem.file, training.n_projected, training.largest_residual, session);
  if (training.n_stopped > 0) {
    warn(session, stopped_text(training, problem.options));
  }
  return std::move(training.classifier);
}

template LinearProblem<LinearTrainingOptions> make_linear_problem(PointsFile,
                                                                  const PointsFileOptions&,
                                                                  LinearTrainingOptions,
                                                                  const Session&);
template LinearProblem<PerceptronTrainingOptions> make_linear_problem(PointsFile,
                                                                      const PointsFileOptions&,
                                                                      PerceptronTrainingOptions,
                                                                      const Session&);
template std::vector<FoldScores> cross_validate(const LinearProblem<LinearTrainingOptions>&,
                                                std::size_t);
template std::vector<FoldScores> cross_validate(const LinearProblem<PerceptronTrainingOptions>&,
                                                std::size_t);
template LinearClassifier train_on_all(const LinearProblem<LinearTrainingOptions>&, const Session&);
template LinearClassifier train_on_all(const LinearProblem<PerceptronTrainingOptions>&,
                                       const Session&);

}  // namespace bentwood::cli
