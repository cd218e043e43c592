#include <algorithm>

#include "bentwood/base/error.hpp"
#include "bentwood/linear/horosphere_training.hpp"
#include "bentwood/linear/platt.hpp"
#include "bentwood/model/check_forest.hpp"

namespace bentwood {

HorosphereValues scores(const HorosphereClassifier& classifier, Points points) {
  HorosphereValues result;
  Manifold::Projection projection;
  if (classifier.off_manifold == OffManifold::project) {
    projection = classifier.manifold.project(points);
    result.n_projected = projection.n_projected;
    result.largest_residual = projection.largest_residual;
    points = projection.points;
  }
  const double radius = classifier.manifold.signature().factors().front().radius();
  result.values = Matrix::uninitialized(points.rows.n_rows(), classifier.size());
  for (std::size_t index = 0; index < classifier.size(); ++index) {
    const std::vector<double> levels =
        classifier.manifold.busemann(points, classifier.ideal_points.row(index));
    for (std::size_t row = 0; row < levels.size(); ++row) {
      result.values(row, index) =
          -classifier.slopes[index] * (levels[row] / radius) - classifier.offsets[index];
    }
  }
  return result;
}

HorosphereValues probabilities(const HorosphereClassifier& classifier, Points points) {
  if (classifier.sigmoids.n_rows() == 0) {
    throw InvalidInput(
        "the model has learned no probabilities; train it with probability=True (--probability)");
  }
  HorosphereValues result = scores(classifier, points);
  const std::size_t n_classes = n_labels(classifier.classes);
  Matrix values = Matrix::uninitialized(result.values.n_rows(), n_classes);
  const auto sigmoid = [&](std::size_t row, std::size_t index) {
    const Sigmoid found{classifier.sigmoids(index, 0), classifier.sigmoids(index, 1)};
    return found(result.values(row, index));
  };
  for (std::size_t row = 0; row < values.n_rows(); ++row) {
    if (n_classes == 2) {
      values(row, 1) = sigmoid(row, 0);
      values(row, 0) = 1 - values(row, 1);
      continue;
    }
    double sum = 0;
    for (std::size_t label = 0; label < n_classes; ++label) {
      sum += values(row, label) = sigmoid(row, label);
    }
    for (double& value : values.row(row)) {
      value = sum > 0 ? value / sum : 1 / static_cast<double>(n_classes);
    }
  }
  result.values = std::move(values);
  return result;
}

std::vector<std::int64_t> winners(const HorosphereClassifier& classifier, MatrixView scores) {
  std::vector<std::int64_t> result(scores.n_rows());
  for (std::size_t row = 0; row < result.size(); ++row) {
    const std::span<const double> values = scores.row(row);
    result[row] = classifier.size() == 1 ? (values[0] > 0 ? 1 : 0)
                                         : std::ranges::max_element(values) - values.begin();
  }
  return result;
}

}  // namespace bentwood
