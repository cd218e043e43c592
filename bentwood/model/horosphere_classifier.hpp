#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "bentwood/base/matrix.hpp"
#include "bentwood/geometry/manifold.hpp"
#include "bentwood/geometry/membership.hpp"
#include "bentwood/model/forest.hpp"

namespace bentwood {

/// Horospheres that tell classes apart: one for two classes, whose positive side is the second class, or one a class against all
/// others. The score of a point x on horosphere i is
///
///     -slope_i · B(x) - offset_i,      B the Busemann function of ideal point i in curvature radii.
struct HorosphereClassifier {
  /// What the program and the package call it.
  std::string estimator{};
  /// One hyperbolic factor.
  Manifold manifold;
  OffManifold off_manifold = OffManifold::error;
  Labels classes{};
  /// A unit vector a horosphere.
  Matrix ideal_points{};
  std::vector<double> slopes{};
  std::vector<double> offsets{};
  /// From scores to probabilities, 1 / (1 + exp(a · score + b)): one row (a, b) a horosphere, or none where it has not learned any.
  Matrix sigmoids{};
  /// The steps that the training of each took.
  std::vector<std::uint64_t> n_iterations{};
  /// The names of the columns of the input; may be empty.
  std::vector<std::string> feature_names{};
  /// Settings of the training that shaped the model: names and JSON values.
  std::map<std::string, std::string> parameters{};

  [[nodiscard]] std::size_t size() const { return slopes.size(); }
};

/// The horospheres that so many classes need.
[[nodiscard]] inline std::size_t n_horospheres(std::size_t n_classes) {
  return n_classes == 2 ? 1 : n_classes;
}

/// Whether a classifier is whole: one hyperbolic factor, at least two classes in order, as many of everything as there are
/// horospheres, ideal points of length 1, all numbers finite. Every way into a model passes here. Throws FormatError.
void check_horosphere_classifier(const HorosphereClassifier& classifier);

}  // namespace bentwood
