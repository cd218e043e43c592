#include "bentwood/linear/horosphere_training.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "bentwood/base/error.hpp"
#include "bentwood/base/parallel.hpp"
#include "bentwood/linear/class_rows.hpp"
#include "bentwood/linear/platt.hpp"
#include "bentwood/model/check_forest.hpp"
#include "bentwood/model/training_facts.hpp"

namespace bentwood {
namespace {

/// The uses of a seed.
enum Purpose : std::uint64_t { directions, folds };

/// The rows of a training, checked and with the weights that they really have.
struct Rows : ClassRows {
  PolarPoints points;
};

/// Writes the scores of some rows.
void score_rows(const PolarPoints& all, const Horosphere& found,
                std::span<const std::uint32_t> rows, std::span<double> scores) {
  PolarPoints points;
  points.assign(all, rows);
  std::vector<double> levels(points.stride());
  std::vector<double> pulls(points.stride());
  busemann_levels(points, found.ideal, levels, pulls);
  for (std::size_t place = 0; place < rows.size(); ++place) {
    scores[rows[place]] = -found.margin.slope * levels[place] - found.margin.offset;
  }
}

/// Trains horosphere `index` on the rows that are not in a fold, and writes the scores of those that are: of all rows where there are none.
Horosphere train_one(const Rows& rows, std::size_t index, std::span<const std::uint32_t> fold_of,
                     std::uint32_t fold, const HorosphereTrainingOptions& options,
                     std::span<double> scores) {
  std::vector<std::uint32_t> chosen;
  std::vector<std::uint32_t> left_out;
  for (std::uint32_t row = 0; row < rows.classes.size(); ++row) {
    (fold_of[row] == fold ? left_out : chosen).push_back(row);
  }
  const std::vector<double> all_signs = signs_of(rows, index);
  std::vector<double> signs;
  std::vector<double> weights;
  for (const std::uint32_t row : chosen) {
    signs.push_back(all_signs[row]);
    weights.push_back(rows.weights[row]);
  }
  Horosphere found = horosphere_svm(rows.points, chosen, signs, weights, options.svm,
                                    Random(options.seed, directions));
  if (!scores.empty()) {
    score_rows(rows.points, found, left_out.empty() ? chosen : left_out, scores);
  }
  return found;
}

/// The points of a training in polar form, projected onto the manifold where that is asked for.
PolarPoints polar_points(Points points, const HorosphereTrainingOptions& options,
                         HorosphereTraining& result) {
  const Manifold& manifold = options.manifold;
  require_one_hyperbolic_factor(manifold);
  if (options.off_manifold == OffManifold::error) {
    return {manifold, points};
  }
  const Manifold::Projection on = manifold.project(points);
  result.n_projected = on.n_projected;
  result.largest_residual = on.largest_residual;
  return {manifold, on.points};
}

/// Everything is outside, as far as can be.
Horosphere absent_horosphere(std::size_t dim) {
  Horosphere result;
  result.ideal.assign(dim, 0);
  result.ideal[0] = 1;
  result.margin.offset = -absent_score;
  result.converged = true;
  return result;
}

/// The levels of all directions that descents may start from are held at once.
void check_restarts(std::size_t n_restarts) {
  constexpr std::size_t most = 1000;
  if (n_restarts > most) {
    throw InvalidInput(fmt::format("n_restarts is {}, expected at most {}", n_restarts, most));
  }
}

/// All horospheres, and with probabilities the scores that teach them, one row a horosphere.
struct TrainedHorospheres {
  std::vector<Horosphere> horospheres;
  Matrix platt_scores;
};

TrainedHorospheres train_all(const Rows& rows, const HorosphereTrainingOptions& options) {
  // Fold n_folds is nobody's: its model has all rows. With no folds all rows are in fold 1.
  Folds dealt{std::vector<std::uint32_t>(rows.classes.size(), 1), 0};
  if (options.probability) {
    dealt = deal_folds(rows, options.seed, folds);
  }
  const std::uint32_t n_folds = dealt.n_folds;
  const std::size_t size = n_horospheres(rows.n_classes);
  TrainedHorospheres result;
  result.horospheres.resize(size);
  result.platt_scores = Matrix(options.probability ? size : 0, rows.classes.size());
  parallel_tasks(size * (n_folds + 1), [&](std::size_t item) {
    const std::size_t index = item % size;
    const auto fold = static_cast<std::uint32_t>(item / size);
    if (!is_present(rows, index)) {
      result.horospheres[index] = absent_horosphere(rows.points.dim());
      return;
    }
    const bool cross = options.probability && can_cross_fit(rows, dealt, index);
    if (fold < n_folds && !cross) {
      return;
    }
    // The model of all rows teaches Platt scaling only where those of the folds cannot.
    const std::span<double> scores = options.probability && (fold < n_folds || !cross)
                                         ? result.platt_scores.row(index)
                                         : std::span<double>();
    Horosphere found = train_one(rows, index, dealt.fold_of, fold, options, scores);
    if (fold == n_folds) {
      result.horospheres[index] = std::move(found);
    }
  });
  return result;
}

}  // namespace

HorosphereTraining train_horospheres(Points points, std::span<const std::uint32_t> classes,
                                     std::span<const double> weights, const Labels& labels,
                                     const HorosphereTrainingOptions& options) {
  HorosphereTraining result{.classifier = {.manifold = options.manifold}};
  PolarPoints polar = polar_points(points, options, result);
  Rows rows{
      checked_rows(classes, weights, options.class_weights, points.rows.n_rows(), n_labels(labels)),
      std::move(polar)};
  check_cost(rows, options.svm.cost);
  if (options.balance_classes) {
    balance(rows);
  }
  check_restarts(options.svm.n_restarts);
  const TrainedHorospheres trained = train_all(rows, options);
  const std::vector<double> counts = calibration_weights(rows);

  HorosphereClassifier& classifier = result.classifier;
  classifier.estimator = options.estimator;
  classifier.off_manifold = options.off_manifold;
  classifier.classes = labels;
  classifier.feature_names = options.feature_names;
  classifier.parameters = options.parameters;
  keep_projected(options.off_manifold, result.n_projected, classifier.parameters);
  const std::size_t size = trained.horospheres.size();
  classifier.ideal_points = Matrix(size, options.manifold.dim());
  classifier.sigmoids = Matrix(options.probability ? size : 0, 2);
  for (std::size_t index = 0; index < size; ++index) {
    const Horosphere& found = trained.horospheres[index];
    std::ranges::copy(found.ideal, classifier.ideal_points.row(index).begin());
    classifier.slopes.push_back(found.margin.slope);
    classifier.offsets.push_back(found.margin.offset);
    classifier.n_iterations.push_back(found.n_iterations);
    result.n_stopped += found.converged ? 0 : 1;
    if (options.probability) {
      const Sigmoid sigmoid =
          is_present(rows, index)
              ? platt_sigmoid(trained.platt_scores.row(index), signs_of(rows, index), counts)
              : absent_sigmoid;
      classifier.sigmoids(index, 0) = sigmoid.slope;
      classifier.sigmoids(index, 1) = sigmoid.offset;
    }
  }
  check_horosphere_classifier(classifier);
  return result;
}

}  // namespace bentwood
