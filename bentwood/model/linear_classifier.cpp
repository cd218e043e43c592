#include "bentwood/model/linear_classifier.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "bentwood/base/error.hpp"
#include "bentwood/model/check_forest.hpp"
#include "bentwood/model/check_numbers.hpp"
#include "bentwood/model/estimators.hpp"
#include "bentwood/model/perceptron_memory.hpp"

namespace bentwood {
namespace {

/// In the order of FeatureSpace.
constexpr std::array<std::string_view, 3> space_names{"tangent", "weighted", "lorentz"};

void check_references(const LinearClassifier& classifier, std::size_t size) {
  if (classifier.space == FeatureSpace::lorentz) {
    require_count(classifier.references.n_rows(), 0, "reference points");
    return;
  }
  require_count(classifier.references.n_rows(), size, "reference points");
  require_count(classifier.references.n_cols(), classifier.manifold.ambient_dim(),
                "numbers in a reference point");
  require_finite(numbers(classifier.references), "reference points");
  const Manifold ambient(classifier.manifold.signature());
  const std::vector<std::uint8_t> on = ambient.contains(classifier.references);
  const auto off = std::ranges::find(on, 0);
  if (off != on.end()) {
    throw FormatError(fmt::format("reference point {} is not on the manifold", off - on.begin()));
  }
}

}  // namespace

FeatureSpace parse_feature_space(std::string_view name) {
  const auto* const found = std::ranges::find(space_names, name);
  if (found == space_names.end()) {
    throw InvalidInput(fmt::format(
        "unknown feature space \"{}\", expected \"tangent\", \"weighted\" or \"lorentz\"", name));
  }
  return static_cast<FeatureSpace>(found - space_names.begin());
}

std::string_view name(FeatureSpace space) {
  return space_names.at(static_cast<std::size_t>(space));
}

std::size_t n_features(const Manifold& manifold, FeatureSpace space) {
  return space == FeatureSpace::lorentz ? manifold.ambient_dim() : manifold.dim();
}

void check_linear_classifier(const LinearClassifier& classifier) {
  check_labels(classifier.classes);
  const std::size_t n_classes = n_labels(classifier.classes);
  if (n_classes < 2) {
    throw FormatError(fmt::format("there are {} classes, expected at least 2", n_classes));
  }
  const std::size_t size = n_boundaries(n_classes);
  require_count(classifier.coefficients.n_rows(), size, "rows of coefficients");
  require_count(classifier.coefficients.n_cols(), n_features(classifier.manifold, classifier.space),
                "coefficients in a row");
  require_count(classifier.intercepts.size(), size, "intercepts");
  require_count(classifier.n_iterations.size(), size, "numbers of iterations");
  if (classifier.sigmoids.n_rows() > 0) {
    require_count(classifier.sigmoids.n_rows(), size, "sigmoids");
    require_count(classifier.sigmoids.n_cols(), 2, "numbers in a sigmoid");
  }
  if (classifier.memory.n_rows() > 0) {
    require_count(classifier.memory.n_rows(), size, "rows of memory");
  }
  if (!classifier.feature_names.empty()) {
    require_count(classifier.feature_names.size(), classifier.manifold.n_columns(),
                  "feature names");
  }
  require_finite(numbers(classifier.coefficients), "coefficients");
  require_finite(classifier.intercepts, "intercepts");
  require_finite(numbers(classifier.sigmoids), "sigmoids");
  require_finite(numbers(classifier.memory), "numbers of the memory");
  for (std::size_t row = 0; row < classifier.memory.n_rows(); ++row) {
    check_perceptron_memory(classifier.memory.row(row), classifier.coefficients.n_cols());
  }
  check_references(classifier, size);
  if (!std::ranges::is_sorted(classifier.support, std::ranges::less_equal())) {
    throw FormatError("the support vectors do not ascend");
  }
  check_counts(classifier.n_iterations, "numbers of iterations");
  check_counts(classifier.support, "support vectors");
  check_estimator(classifier);
}

}  // namespace bentwood
