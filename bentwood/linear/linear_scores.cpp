#include <algorithm>
#include <cmath>
#include <span>

#include "bentwood/base/dense.hpp"
#include "bentwood/base/error.hpp"
#include "bentwood/base/parallel.hpp"
#include "bentwood/linear/ambient_points.hpp"
#include "bentwood/linear/features.hpp"
#include "bentwood/linear/finite_score.hpp"
#include "bentwood/linear/linear_training.hpp"
#include "bentwood/linear/platt.hpp"
#include "bentwood/model/check_forest.hpp"

namespace bentwood {
namespace {

/// Rows whose features are held at a time.
constexpr std::size_t chunk_rows = 4096;

void score_chunk(const LinearClassifier& classifier, MatrixView ambient, MutableMatrixView out) {
  const bool lorentz = classifier.space == FeatureSpace::lorentz;
  Matrix features;
  for (std::size_t index = 0; index < classifier.size(); ++index) {
    if (index == 0 || !lorentz) {
      features =
          linear_features(classifier.manifold, ambient, classifier.space,
                          lorentz ? std::span<const double>() : classifier.references.row(index));
    }
    for (std::size_t row = 0; row < ambient.n_rows(); ++row) {
      const std::span<const double> weights = classifier.coefficients.row(index);
      const double intercept = classifier.intercepts[index];
      const double score = dot(features.row(row), weights) + intercept;
      out(row, index) =
          std::isfinite(score) ? score : finite_score(weights, features.row(row), intercept);
    }
  }
}

/// The probability of every class from the scores of a row.
void fill_probabilities(const LinearClassifier& classifier, std::span<const double> scores,
                        std::span<double> out) {
  const auto sigmoid = [&](std::size_t index) {
    return Sigmoid{classifier.sigmoids(index, 0), classifier.sigmoids(index, 1)}(scores[index]);
  };
  if (out.size() == 2) {
    out[1] = sigmoid(0);
    out[0] = 1 - out[1];
    return;
  }
  double sum = 0;
  for (std::size_t label = 0; label < out.size(); ++label) {
    sum += out[label] = sigmoid(label);
  }
  for (double& value : out) {
    value = sum > 0 ? value / sum : 1 / static_cast<double>(out.size());
  }
}

}  // namespace

LinearValues scores(const LinearClassifier& classifier, Points points) {
  const AmbientPoints on = ambient_points(classifier.manifold, classifier.off_manifold, points);
  const Matrix& ambient = on.points;
  LinearValues result{
      .values = {}, .n_projected = on.n_projected, .largest_residual = on.largest_residual};
  result.values = Matrix::uninitialized(ambient.n_rows(), classifier.size());
  parallel_blocks(ambient.n_rows(), chunk_rows, [&](std::size_t begin, std::size_t end) {
    score_chunk(classifier,
                {ambient.data() + begin * ambient.n_cols(), end - begin, ambient.n_cols()},
                {result.values.data() + begin * classifier.size(), end - begin, classifier.size()});
  });
  return result;
}

LinearValues probabilities(const LinearClassifier& classifier, Points points) {
  if (classifier.sigmoids.n_rows() == 0) {
    throw InvalidInput(
        "the model has learned no probabilities; train it with probability=True (--probability)");
  }
  LinearValues result = scores(classifier, points);
  Matrix values = Matrix::uninitialized(result.values.n_rows(), n_labels(classifier.classes));
  for (std::size_t row = 0; row < values.n_rows(); ++row) {
    fill_probabilities(classifier, result.values.row(row), values.row(row));
  }
  result.values = std::move(values);
  return result;
}

std::vector<std::int64_t> winners(const LinearClassifier& classifier, MatrixView scores) {
  std::vector<std::int64_t> result(scores.n_rows());
  std::vector<double> values(n_labels(classifier.classes));
  for (std::size_t row = 0; row < result.size(); ++row) {
    if (classifier.size() == 1) {
      result[row] = scores(row, 0) > 0 ? 1 : 0;
      continue;
    }
    std::ranges::copy(scores.row(row), values.begin());
    if (classifier.sigmoids.n_rows() > 0) {  // the logarithms of the odds, which never saturate
      for (std::size_t label = 0; label < values.size(); ++label) {
        values[label] =
            -(classifier.sigmoids(label, 0) * values[label] + classifier.sigmoids(label, 1));
      }
    }
    result[row] = std::ranges::max_element(values) - values.begin();
  }
  return result;
}

}  // namespace bentwood
