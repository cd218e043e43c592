#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "bentwood/linear/horosphere_svm.hpp"
#include "bentwood/model/horosphere_classifier.hpp"

namespace bentwood {

/// What to train, on which manifold.
struct HorosphereTrainingOptions {
  Manifold manifold;
  OffManifold off_manifold = OffManifold::error;
  HorosphereSvmOptions svm{};
  /// The weight of each class (none: all 1). Probabilities are of the rows as they are, whatever mistakes on a class cost.
  std::vector<double> class_weights{};
  /// Makes all classes weigh the same, n/(K n_class) a row.
  bool balance_classes = false;
  /// Learns probabilities besides, from scores of rows that were left out: Platt scaling of five-fold cross-fitted scores.
  /// A class with one row cannot be left out: its scores are those of the training rows.
  bool probability = false;
  std::uint64_t seed = 0;
  /// What the model is called and carries for people to read.
  std::string estimator = "HoroSVC";
  std::vector<std::string> feature_names{};
  std::map<std::string, std::string> parameters{};
};

/// A model, and what only its training knows.
struct HorosphereTraining {
  HorosphereClassifier classifier;
  /// Horospheres whose descent has been stopped before its end.
  std::size_t n_stopped = 0;
  /// Points that were off the manifold and were projected, and the largest relative residual.
  std::size_t n_projected = 0;
  double largest_residual = 0;
};

/// Trains horospheres on points: one for two classes, one a class against the rest for more. `classes` has the class of each row as a
/// place in `labels`, `weights` (none: all 1) how much it counts. A class without weight never wins: its score is the lowest double
/// everywhere (slope 0), its probability 0. Throws InvalidInput where a point is off the manifold, a
/// weight is negative or not finite, the arguments do not fit each other or fewer than two classes have weight; Interrupted.
[[nodiscard]] HorosphereTraining train_horospheres(Points points,
                                                   std::span<const std::uint32_t> classes,
                                                   std::span<const double> weights,
                                                   const Labels& labels,
                                                   const HorosphereTrainingOptions& options);

/// What a classifier says about rows.
struct HorosphereValues {
  Matrix values;
  std::size_t n_projected = 0;
  double largest_residual = 0;
};

/// One score a horosphere, exact at every distance from the origin (Manifold::busemann). Throws InvalidInput where a point is off the
/// manifold and not to be projected.
[[nodiscard]] HorosphereValues scores(const HorosphereClassifier& classifier, Points points);

/// One probability a class: the sigmoids of the scores, divided by their sum where there are more than two. Throws InvalidInput where the
/// classifier has learned none.
[[nodiscard]] HorosphereValues probabilities(const HorosphereClassifier& classifier, Points points);

/// The class of every row of scores, as a place: the second where the only score is positive, else that of the highest score, the
/// first of equal ones.
[[nodiscard]] std::vector<std::int64_t> winners(const HorosphereClassifier& classifier,
                                                MatrixView scores);

/// The classes of rows, as places.
struct HorosphereWinners {
  std::vector<std::int64_t> places;
  std::size_t n_projected = 0;
  double largest_residual = 0;
};

/// The winners of the scores of points, without holding the scores of all rows. Throws InvalidInput as `scores` does.
[[nodiscard]] HorosphereWinners predicted_classes(const HorosphereClassifier& classifier,
                                                  Points points);

}  // namespace bentwood
