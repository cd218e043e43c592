#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bentwood/linear/linear_svm.hpp"
#include "bentwood/linear/references.hpp"
#include "bentwood/model/linear_classifier.hpp"

namespace bentwood {

/// Which scores teach Platt scaling.
enum class PlattKind : std::uint8_t {
  none,
  /// Of rows that were left out, in five folds; of the training rows where a side has one row, which cannot be left out.
  cross,
  /// Of the training rows themselves, as published.
  train,
};

/// Reads "cross" or "train". Throws InvalidInput that lists them.
[[nodiscard]] PlattKind parse_platt_kind(std::string_view name);

/// What to train, on which manifold.
struct LinearTrainingOptions {
  Manifold manifold;
  OffManifold off_manifold = OffManifold::error;
  FeatureSpace space = FeatureSpace::tangent;
  ReferenceKind reference = ReferenceKind::hull;
  /// Given reference points, one row a boundary, in the manifold's coordinates.
  Matrix references{};
  /// C: what it costs that a row is short of its margin.
  double cost = 1;
  LinearSvmOptions svm{};
  /// Whether scores have a constant, too: a feature that is 1 everywhere.
  bool fit_intercept = false;
  /// The weight of each class (none: all 1). Probabilities are of the rows as they are, whatever mistakes on a class cost.
  std::vector<double> class_weights{};
  /// Makes all classes weigh the same, n/(K n_class) a row.
  bool balance_classes = false;
  PlattKind platt = PlattKind::none;
  /// Decides the folds of Platt scaling.
  std::uint64_t seed = 0;
  /// What the model is called and carries for people to read.
  std::string estimator = "PoincareSVC";
  std::vector<std::string> feature_names{};
  std::map<std::string, std::string> parameters{};
};

/// A model, and what only its training knows.
struct LinearTraining {
  LinearClassifier classifier;
  /// Boundaries whose training has been stopped before its end.
  std::size_t n_stopped = 0;
  /// The objective of every boundary.
  std::vector<double> objectives{};
  /// Points that were off the manifold and were projected, and the largest relative residual.
  std::size_t n_projected = 0;
  double largest_residual = 0;
};

/// Trains a linear SVM on points: one boundary for two classes, one a class against the rest for more (Chien, Pan, Tabaghi, Milenkovic, "Highly
/// scalable and provably accurate classification in Poincaré balls", ICDM 2021; Cho et al., "Large-margin classification in hyperbolic
/// space", AISTATS 2019, for Lorentz space without the non-convex constraint). `classes` has the class of each row as a place in `labels`,
/// `weights` (none: all 1) how much it counts. A class without weight never wins: its score is the lowest double everywhere, its
/// probability 0. Whether hulls overlap is kept as the parameter "overlapping". Throws InvalidInput where
/// a point is off the manifold, a weight is negative or not finite, the arguments do not fit each other or fewer than two classes
/// have weight; Interrupted.
[[nodiscard]] LinearTraining train_linear(Points points, std::span<const std::uint32_t> classes,
                                          std::span<const double> weights, const Labels& labels,
                                          const LinearTrainingOptions& options);

/// What a classifier says about rows.
struct LinearValues {
  Matrix values;
  std::size_t n_projected = 0;
  double largest_residual = 0;
};

/// One score a boundary. Throws InvalidInput where a point is off the manifold and not to be projected.
[[nodiscard]] LinearValues scores(const LinearClassifier& classifier, Points points);

/// One probability a class: the sigmoids of the scores, divided by their sum where there are more than two. Throws InvalidInput where the
/// classifier has learned none.
[[nodiscard]] LinearValues probabilities(const LinearClassifier& classifier, Points points);

/// The class of every row of scores, as a place: the second where the only score is positive; else that of the highest probability where the
/// classifier has learned them (as published: scores seen from different reference points do not compare), or of the highest score.
/// The first of equal ones.
[[nodiscard]] std::vector<std::int64_t> winners(const LinearClassifier& classifier,
                                                MatrixView scores);

}  // namespace bentwood
