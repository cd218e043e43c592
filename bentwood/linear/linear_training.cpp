#include "bentwood/linear/linear_training.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <utility>

#include "bentwood/base/dense.hpp"
#include "bentwood/base/error.hpp"
#include "bentwood/base/parallel.hpp"
#include "bentwood/linear/ambient_points.hpp"
#include "bentwood/linear/class_rows.hpp"
#include "bentwood/linear/features.hpp"
#include "bentwood/linear/platt.hpp"
#include "bentwood/model/check_forest.hpp"
#include "bentwood/model/training_facts.hpp"

namespace bentwood {
namespace {

/// The uses of a seed.
enum Purpose : std::uint64_t { folds };

/// The rows of a training: classes and weights, and the points in ambient coordinates.
struct Rows : ClassRows {
  Matrix points;
  Matrix references;
  std::vector<double> costs;  ///< C times the weights
};

/// What the rows of one boundary have in common.
struct Boundary {
  Matrix features;
  std::vector<double> signs;
};

Matrix references(const Rows& rows, const LinearTrainingOptions& options,
                  LinearClassifier& classifier) {
  return options.space == FeatureSpace::lorentz
             ? Matrix()
             : reference_points(options.manifold, rows.points, rows.classes, rows.own_weights,
                                rows.n_classes, options.reference, options.references,
                                classifier.parameters);
}

Boundary boundary(const Rows& rows, std::size_t index, const LinearTrainingOptions& options) {
  const bool lorentz = options.space == FeatureSpace::lorentz;
  return {linear_features(options.manifold, rows.points, options.space,
                          lorentz ? std::span<const double>() : rows.references.row(index),
                          options.fit_intercept ? 1 : 0),
          signs_of(rows, index)};
}

std::vector<double> scores_of(MatrixView features, std::span<const double> weights) {
  constexpr std::size_t block_rows = 1024;
  std::vector<double> result(features.n_rows());
  parallel_blocks(result.size(), block_rows, [&](std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row) {
      result[row] = dot(features.row(row), weights);
    }
  });
  return result;
}

/// The score of every row on a boundary that was learned without the row's fold.
std::vector<double> cross_fitted_scores(const Boundary& all, std::span<const double> all_costs,
                                        const Folds& dealt, const LinearSvmOptions& options) {
  std::vector<double> result(all.signs.size());
  parallel_tasks(dealt.n_folds, [&](std::size_t fold) {
    // A row of cost 0 has no say.
    std::vector<double> costs(all_costs.begin(), all_costs.end());
    for (std::size_t row = 0; row < costs.size(); ++row) {
      costs[row] = dealt.fold_of[row] == fold ? 0 : costs[row];
    }
    const LinearSvm found = linear_svm({all.features, all.signs, costs}, options);
    const std::vector<double> scores = scores_of(all.features, found.weights);
    for (std::size_t row = 0; row < costs.size(); ++row) {
      if (dealt.fold_of[row] == fold) {
        result[row] = scores[row];
      }
    }
  });
  return result;
}

/// What training a boundary gives.
struct Trained {
  LinearSvm svm;
  Sigmoid sigmoid;
  double intercept = 0;
};

/// Marks the support vectors of a boundary; several boundaries may at once.
void mark_support(const LinearSvm& svm, std::vector<std::uint8_t>& marks) {
  for (std::size_t row = 0; row < marks.size(); ++row) {
    if (svm.multipliers[row] > 0) {
      std::atomic_ref(marks[row]).store(1, std::memory_order_relaxed);
    }
  }
}

Trained train_one(const Rows& rows, std::size_t index, const Folds& dealt,
                  const LinearTrainingOptions& options, std::vector<std::uint8_t>& support) {
  if (!is_present(rows, index)) {
    LinearSvm nothing{.weights = std::vector<double>(n_features(options.manifold, options.space)),
                      .multipliers = {},
                      .converged = true};
    return {std::move(nothing), absent_sigmoid, absent_score};
  }
  const Boundary all = boundary(rows, index, options);
  Trained result{linear_svm({all.features, all.signs, rows.costs}, options.svm), {}};
  mark_support(result.svm, support);
  result.svm.multipliers = {};  // of many boundaries they would fill the memory
  result.intercept = options.fit_intercept ? result.svm.weights.back() : 0;
  if (options.platt != PlattKind::none) {
    const std::vector<double> scores =
        options.platt == PlattKind::train || !can_cross_fit(rows, dealt, index)
            ? scores_of(all.features, result.svm.weights)
            : cross_fitted_scores(all, rows.costs, dealt, options.svm);
    result.sigmoid = platt_sigmoid(scores, all.signs, calibration_weights(rows));
  }
  return result;
}

void keep(const std::vector<Trained>& trained, const LinearTrainingOptions& options,
          LinearTraining& result) {
  LinearClassifier& classifier = result.classifier;
  const std::size_t width = n_features(options.manifold, options.space);
  classifier.coefficients = Matrix(trained.size(), width);
  classifier.sigmoids = Matrix(options.platt == PlattKind::none ? 0 : trained.size(), 2);
  for (std::size_t index = 0; index < trained.size(); ++index) {
    const LinearSvm& svm = trained[index].svm;
    std::copy_n(svm.weights.begin(), width, classifier.coefficients.row(index).begin());
    classifier.intercepts.push_back(trained[index].intercept);
    classifier.n_iterations.push_back(svm.n_iterations);
    result.objectives.push_back(svm.objective);
    result.n_stopped += svm.converged ? 0 : 1;
    if (options.platt != PlattKind::none) {
      classifier.sigmoids(index, 0) = trained[index].sigmoid.slope;
      classifier.sigmoids(index, 1) = trained[index].sigmoid.offset;
    }
  }
}

}  // namespace

PlattKind parse_platt_kind(std::string_view name) {
  if (name != "cross" && name != "train") {
    throw InvalidInput(
        fmt::format("unknown Platt scaling \"{}\", expected \"cross\" or \"train\"", name));
  }
  return name == "cross" ? PlattKind::cross : PlattKind::train;
}

LinearTraining train_linear(Points points, std::span<const std::uint32_t> classes,
                            std::span<const double> weights, const Labels& labels,
                            const LinearTrainingOptions& options) {
  LinearTraining result{.classifier = {.manifold = options.manifold}};
  LinearClassifier& classifier = result.classifier;
  classifier.parameters = options.parameters;
  AmbientPoints ambient = ambient_points(options.manifold, options.off_manifold, points);
  result.n_projected = ambient.n_projected;
  result.largest_residual = ambient.largest_residual;
  keep_projected(options.off_manifold, result.n_projected, classifier.parameters);
  Rows rows{
      checked_rows(classes, weights, options.class_weights, points.rows.n_rows(), n_labels(labels)),
      std::move(ambient.points),
      {},
      {}};
  check_cost(rows, options.cost);
  rows.references = references(rows, options, classifier);
  if (options.balance_classes) {
    balance(rows);
  }
  rows.costs = rows.weights;
  for (double& cost : rows.costs) {
    cost *= options.cost;
  }
  Folds dealt;
  if (options.platt == PlattKind::cross) {
    dealt = deal_folds(rows, options.seed, folds);
  }
  std::vector<Trained> trained(n_boundaries(rows.n_classes));
  std::vector<std::uint8_t> support(classes.size(), 0);
  parallel_tasks(trained.size(), [&](std::size_t index) {
    trained[index] = train_one(rows, index, dealt, options, support);
  });
  for (std::size_t row = 0; row < support.size(); ++row) {
    if (support[row] != 0) {
      classifier.support.push_back(row);
    }
  }
  classifier.estimator = options.estimator;
  classifier.off_manifold = options.off_manifold;
  classifier.space = options.space;
  classifier.classes = labels;
  classifier.feature_names = options.feature_names;
  classifier.references = std::move(rows.references);
  keep(trained, options, result);
  check_linear_classifier(classifier);
  return result;
}

}  // namespace bentwood
