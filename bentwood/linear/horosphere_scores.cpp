#include <algorithm>
#include <cmath>

#include "bentwood/base/error.hpp"
#include "bentwood/base/parallel.hpp"
#include "bentwood/linear/finite_score.hpp"
#include "bentwood/linear/horosphere_training.hpp"
#include "bentwood/linear/platt.hpp"
#include "bentwood/model/check_forest.hpp"

namespace bentwood {
namespace {

/// Rows of which all scores are held at a time, so that a row of the output is written while it is near.
constexpr std::size_t block_rows = 256;

/// Calls body(begin, scores) for blocks of rows on several threads.
template <class Result, class Body>
void for_each_block(const HorosphereClassifier& classifier, Points points, Result& projected,
                    const Body& body) {
  const Manifold& manifold = classifier.manifold;
  Manifold::Projection projection;
  if (classifier.off_manifold == OffManifold::project) {
    projection = manifold.project(points);
    projected.n_projected = projection.n_projected;
    projected.largest_residual = projection.largest_residual;
    points = projection.points;
  }
  const double radius = manifold.signature().factors().front().radius();
  const MatrixView rows = points.rows;
  const auto work = [&](std::size_t begin, std::size_t end) {
    const Points block(MatrixView(rows.data() + begin * rows.n_cols(), end - begin, rows.n_cols()),
                       points.precision);
    Matrix values = Matrix::uninitialized(end - begin, classifier.size());
    for (std::size_t index = 0; index < classifier.size(); ++index) {
      const std::vector<double> levels =
          manifold.busemann(block, classifier.ideal_points.row(index));
      for (std::size_t row = 0; row < levels.size(); ++row) {
        const double weight = -classifier.slopes[index];
        const double level = levels[row] / radius;
        const double score = weight * level - classifier.offsets[index];
        values(row, index) = std::isfinite(score) ? score
                                                  : finite_score({&weight, 1}, {&level, 1},
                                                                 -classifier.offsets[index]);
      }
    }
    body(begin, values);
  };
  try {
    parallel_blocks(rows.n_rows(), block_rows, work);
  } catch (const InvalidInput&) {
    // A block counts its rows from 0: let all of them say which is off.
    (void)manifold.busemann(points, classifier.ideal_points.row(0));
    throw;
  }
}

}  // namespace

HorosphereValues scores(const HorosphereClassifier& classifier, Points points) {
  HorosphereValues result;
  result.values = Matrix::uninitialized(points.rows.n_rows(), classifier.size());
  for_each_block(classifier, points, result, [&](std::size_t begin, const Matrix& values) {
    std::copy_n(values.data(), values.n_rows() * values.n_cols(),
                result.values.data() + begin * classifier.size());
  });
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

HorosphereWinners predicted_classes(const HorosphereClassifier& classifier, Points points) {
  HorosphereWinners result{.places = std::vector<std::int64_t>(points.rows.n_rows())};
  for_each_block(classifier, points, result, [&](std::size_t begin, const Matrix& values) {
    std::ranges::copy(winners(classifier, values),
                      result.places.begin() + static_cast<std::ptrdiff_t>(begin));
  });
  return result;
}

}  // namespace bentwood
