#include "cli/any_model.hpp"

#include <fmt/format.h>

#include <type_traits>
#include <utility>

#include "bentwood/base/error.hpp"
#include "bentwood/data/file.hpp"
#include "bentwood/infer/engine.hpp"
#include "bentwood/infer/winners.hpp"
#include "bentwood/linear/horosphere_training.hpp"
#include "bentwood/linear/linear_training.hpp"
#include "bentwood/model/check_forest.hpp"

namespace bentwood::cli {

PredictingModel predicting(Model model, const std::string& path) {
  return std::visit(
      [&](auto&& found) -> PredictingModel {
        if constexpr (std::is_same_v<std::decay_t<decltype(found)>, GeodesicForest>) {
          throw InvalidInput(fmt::format(
              "{}: holds a geodesic forest, which predicts nothing; ask it with bentwood neighbors "
              "--model",
              source_name(path)));
        } else {
          return std::forward<decltype(found)>(found);
        }
      },
      std::move(model));
}

const Manifold& manifold_of(const PredictingModel& model) {
  if (const auto* const forest = std::get_if<Forest>(&model)) {
    return forest->columns.manifold();
  }
  const auto* const linear = std::get_if<LinearClassifier>(&model);
  return linear != nullptr ? linear->manifold : std::get<HorosphereClassifier>(model).manifold;
}

OffManifold off_manifold_of(const PredictingModel& model) {
  return std::visit([](const auto& any) { return any.off_manifold; }, model);
}

void set_off_manifold(PredictingModel& model, OffManifold policy) {
  std::visit([policy](auto& any) { any.off_manifold = policy; }, model);
}

const Labels& classes_of(const PredictingModel& model) {
  return std::visit([](const auto& any) -> const Labels& { return any.classes; }, model);
}

const std::vector<std::string>& feature_names_of(const PredictingModel& model) {
  return std::visit(
      [](const auto& any) -> const std::vector<std::string>& { return any.feature_names; }, model);
}

Task task_of(const PredictingModel& model) {
  const auto* const forest = std::get_if<Forest>(&model);
  return forest != nullptr ? forest->task : Task::classification;
}

std::size_t width_of(const PredictingModel& model) {
  const auto* const forest = std::get_if<Forest>(&model);
  return forest != nullptr ? forest->width() : n_labels(classes_of(model));
}

Matrix scores_by_class(const Matrix& scores) {
  if (scores.n_cols() != 1) {
    return scores;
  }
  Matrix result = Matrix::uninitialized(scores.n_rows(), 2);
  for (std::size_t row = 0; row < scores.n_rows(); ++row) {
    result(row, 0) = -scores(row, 0);
    result(row, 1) = scores(row, 0);
  }
  return result;
}

namespace {

/// What a classifier of one boundary a class says.
template <class Classifier>
Predicted predicted_by(const Classifier& classifier, Points points) {
  auto found = scores(classifier, points);
  Predicted result{.winners = bentwood::winners(classifier, found.values),
                   .values = {},
                   .has_probabilities = classifier.sigmoids.n_rows() > 0,
                   .n_projected = found.n_projected,
                   .largest_residual = found.largest_residual};
  result.values = result.has_probabilities ? probabilities(classifier, points).values
                                           : scores_by_class(found.values);
  return result;
}

}  // namespace

Predicted predicted(const PredictingModel& model, Points points, Wanted wanted) {
  if (const auto* const forest = std::get_if<Forest>(&model)) {
    const Predictor predictor(*forest);
    if (forest->task == Task::classification && wanted == Wanted::winners) {
      Winners found = predictor.winners(points);
      return {.winners = std::move(found.classes),
              .values = {},
              .has_probabilities = true,
              .n_projected = found.n_projected,
              .largest_residual = found.largest_residual};
    }
    Prediction found = predictor.values(points);
    Predicted result{.winners = {},
                     .values = std::move(found.values),
                     .has_probabilities = forest->task == Task::classification,
                     .n_projected = found.n_projected,
                     .largest_residual = found.largest_residual};
    if (forest->task == Task::classification) {
      result.winners = winners(result.values);
    }
    return result;
  }
  if (const auto* const linear = std::get_if<LinearClassifier>(&model)) {
    return predicted_by(*linear, points);
  }
  return predicted_by(std::get<HorosphereClassifier>(model), points);
}

}  // namespace bentwood::cli
