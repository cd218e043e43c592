#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "bentwood/linear/perceptron.hpp"
#include "bentwood/linear/references.hpp"
#include "bentwood/model/linear_classifier.hpp"

namespace bentwood {

/// What to train, on which manifold.
struct PerceptronTrainingOptions {
  Manifold manifold;
  OffManifold off_manifold = OffManifold::error;
  ReferenceKind reference = ReferenceKind::means;
  /// Given reference points, one row a boundary, in the manifold's coordinates.
  Matrix references{};
  PerceptronKind kind{};
  /// Takes the mean of w over all rows seen rather than the last one.
  bool average = false;
  /// Whether every pass goes through the rows in an order of its own.
  bool shuffle = true;
  /// The most passes over the rows, and mistakes, of a boundary whose classes may not be separable.
  std::size_t max_passes = 1000;
  std::uint64_t max_updates = std::numeric_limits<std::uint64_t>::max();
  /// Decides the order of the rows.
  std::uint64_t seed = 0;
  /// What the model is called and carries for people to read; empty for the name that the package has for its kind.
  std::string estimator{};
  std::vector<std::string> feature_names{};
  std::map<std::string, std::string> parameters{};
};

/// A model, and what only its training knows.
struct PerceptronTraining {
  LinearClassifier classifier;
  /// Boundaries that still made mistakes when they were stopped.
  std::size_t n_stopped = 0;
  /// Points that were off the manifold and were projected, and the largest relative residual.
  std::size_t n_projected = 0;
  double largest_residual = 0;
};

/// Trains perceptrons on the weighted features of points seen from reference points, passing over the rows until a pass makes no mistake:
/// one boundary for two classes, one a class against the rest for more. `classes` has the class of each row as a place in `labels`.
///
/// The model's w have length 1, so that a score is, on H^n of radius R, R sinh(d/R) for the signed distance d of a point from the boundary:
/// scores of different boundaries compare. Its parameters tell the mistakes of each boundary ("n_updates"), the margin with which it separates
/// the rows ("margin": on H^n the distance of the nearest row, elsewhere the least score; below 0 where it does not), and what the
/// theory has as the most mistakes given a boundary of such a margin ("bound", null where there is none): of the first order
/// (sinh(d(0, p) + d(0, x)) / sinh(margin))², x the farthest row, which is Theorem 3.1 of Chien et al. (perceptron.hpp) without the ball; of the
/// second order for a > 0 that of Cesa-Bianchi et al., Theorem 3.1. Its memory lets it learn on.
///
/// Throws InvalidInput where a point is off the manifold, the arguments do not fit each other or there are fewer than two classes; Interrupted.
[[nodiscard]] PerceptronTraining train_perceptron(Points points,
                                                  std::span<const std::uint32_t> classes,
                                                  const Labels& labels,
                                                  const PerceptronTrainingOptions& options);

/// Begins to learn from a first batch of rows, or learns on from another: one pass in the order of the rows. The first batch decides the reference
/// points; it need not have all classes. Throws InvalidInput where the model is of another kind or manifold, too.
[[nodiscard]] PerceptronTraining learn_batch(const LinearClassifier* before, Points points,
                                             std::span<const std::uint32_t> classes,
                                             const Labels& labels,
                                             const PerceptronTrainingOptions& options);

}  // namespace bentwood
