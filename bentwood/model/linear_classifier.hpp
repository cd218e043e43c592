#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "bentwood/base/matrix.hpp"
#include "bentwood/geometry/manifold.hpp"
#include "bentwood/geometry/membership.hpp"
#include "bentwood/model/forest.hpp"

namespace bentwood {

/// The numbers of a point that a linear classifier weighs.
enum class FeatureSpace : std::uint8_t {
  /// v = log_p(x) for a reference point p, in Poincaré (stereographic) coordinates: dim() numbers. Its boundaries are geodesic hyperplanes
  /// through p.
  tangent,
  /// η v: where the isometry that carries p to the origin along the ray takes x, without its first ambient coordinate. The same boundaries,
  /// but rows weigh more the farther they are from p.
  weighted,
  /// The ambient coordinates themselves: on H^n all geodesic hyperplanes, and with an intercept equidistants, horospheres and balls.
  lorentz,
};

/// Reads "tangent", "weighted" or "lorentz". Throws InvalidInput that lists them.
[[nodiscard]] FeatureSpace parse_feature_space(std::string_view name);
[[nodiscard]] std::string_view name(FeatureSpace space);

/// The features of a point.
[[nodiscard]] std::size_t n_features(const Manifold& manifold, FeatureSpace space);

/// Linear boundaries that tell classes apart: one for two classes, whose positive side is the second class, or one a class against all
/// others. The score of a point x on boundary i is
///
///     w_i · f(x) + b_i,      f the features of x, seen from reference point i where they are tangent ones.
struct LinearClassifier {
  /// What the program and the package call it.
  std::string estimator{};
  Manifold manifold;
  OffManifold off_manifold = OffManifold::error;
  FeatureSpace space = FeatureSpace::tangent;
  Labels classes{};
  /// A point a boundary, in ambient coordinates; none in Lorentz space.
  Matrix references{};
  /// w, one row a boundary.
  Matrix coefficients{};
  std::vector<double> intercepts{};
  /// From scores to probabilities, 1 / (1 + exp(a · score + b)): one row (a, b) a boundary, or none where it has not learned any.
  Matrix sigmoids{};
  /// The steps, or passes over the rows, that the training of each took.
  std::vector<std::uint64_t> n_iterations{};
  /// The training rows that hold a boundary in its place (support vectors of any), ascending.
  std::vector<std::uint64_t> support{};
  /// What a training that learns row by row must know to learn on, one row a boundary; none where it cannot.
  Matrix memory{};
  /// The names of the columns of the input; may be empty.
  std::vector<std::string> feature_names{};
  /// Settings of the training that shaped the model: names and JSON values.
  std::map<std::string, std::string> parameters{};

  [[nodiscard]] std::size_t size() const { return intercepts.size(); }
};

/// The boundaries that so many classes need.
[[nodiscard]] inline std::size_t n_boundaries(std::size_t n_classes) {
  return n_classes == 2 ? 1 : n_classes;
}

/// Whether a classifier is whole: at least two classes in order, as many of everything as there are boundaries, reference points on the
/// manifold, all numbers finite. Every way into a model passes here. Throws FormatError.
void check_linear_classifier(const LinearClassifier& classifier);

}  // namespace bentwood
