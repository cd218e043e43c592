#include "bentwood/model/horosphere_classifier.hpp"

#include <fmt/format.h>

#include <cmath>

#include "bentwood/base/error.hpp"
#include "bentwood/model/check_forest.hpp"
#include "bentwood/model/check_numbers.hpp"
#include "bentwood/model/estimators.hpp"

namespace bentwood {

void check_horosphere_classifier(const HorosphereClassifier& classifier) {
  const std::vector<Factor>& factors = classifier.manifold.signature().factors();
  if (factors.size() != 1 || factors.front().geometry != Geometry::hyperbolic) {
    throw FormatError(fmt::format("the signature is {}, expected one hyperbolic factor",
                                  classifier.manifold.signature().text()));
  }
  check_labels(classifier.classes);
  const std::size_t n_classes = n_labels(classifier.classes);
  if (n_classes < 2) {
    throw FormatError(fmt::format("there are {} classes, expected at least 2", n_classes));
  }
  const std::size_t size = n_horospheres(n_classes);
  require_count(classifier.ideal_points.n_rows(), size, "ideal points");
  require_count(classifier.ideal_points.n_cols(), classifier.manifold.dim(),
                "numbers in an ideal point");
  require_count(classifier.slopes.size(), size, "slopes");
  require_count(classifier.offsets.size(), size, "offsets");
  require_count(classifier.n_iterations.size(), size, "numbers of iterations");
  if (classifier.sigmoids.n_rows() > 0) {
    require_count(classifier.sigmoids.n_rows(), size, "sigmoids");
    require_count(classifier.sigmoids.n_cols(), 2, "numbers in a sigmoid");
  }
  if (!classifier.feature_names.empty()) {
    require_count(classifier.feature_names.size(), classifier.manifold.n_columns(),
                  "feature names");
  }
  require_finite(numbers(classifier.ideal_points), "ideal points");
  require_finite(classifier.slopes, "slopes");
  require_finite(classifier.offsets, "offsets");
  require_finite(numbers(classifier.sigmoids), "sigmoids");
  check_counts(classifier.n_iterations, "numbers of iterations");
  check_estimator(classifier);
  for (std::size_t row = 0; row < size; ++row) {
    double squared = 0;
    for (const double component : classifier.ideal_points.row(row)) {
      squared += component * component;
    }
    if (!(std::abs(squared - 1) < 1e-9)) {
      throw FormatError(
          fmt::format("ideal point {} has length {}, expected 1", row, std::sqrt(squared)));
    }
  }
}

}  // namespace bentwood
