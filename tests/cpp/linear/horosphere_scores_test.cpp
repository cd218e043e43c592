#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "bentwood/base/error.hpp"
#include "bentwood/base/parallel.hpp"
#include "bentwood/base/random.hpp"
#include "bentwood/linear/horosphere_training.hpp"

namespace bentwood {
namespace {

/// Three clouds in the Poincaré disk, more rows than a block has.
struct Clouds {
  Clouds() : points(1000, 2) {
    Random random(3);
    for (std::size_t row = 0; row < points.n_rows(); ++row) {
      classes.push_back(static_cast<std::uint32_t>(row % 3));
      points(row, 0) = 0.1 * random.normal() + (classes.back() == 1 ? 0.4 : -0.2);
      points(row, 1) = 0.1 * random.normal() + (classes.back() == 2 ? 0.4 : -0.2);
    }
  }
  [[nodiscard]] HorosphereClassifier classifier() const {
    return train_horospheres(points, classes, {}, std::vector<std::int64_t>{0, 1, 2},
                             {.manifold = Manifold("H2(-0.5)", Coordinates::poincare)})
        .classifier;
  }
  Matrix points;
  std::vector<std::uint32_t> classes;
};

TEST(HorosphereScores, are_the_busemann_functions_on_any_number_of_threads) {
  const Clouds clouds;
  const HorosphereClassifier classifier = clouds.classifier();
  const double radius = classifier.manifold.signature().factors().front().radius();
  for (const std::size_t n_threads : {1U, 3U}) {
    const ThreadLimit limit(n_threads);
    const Matrix found = scores(classifier, clouds.points).values;
    for (std::size_t index = 0; index < 3; ++index) {
      const std::vector<double> levels =
          classifier.manifold.busemann(clouds.points, classifier.ideal_points.row(index));
      for (std::size_t row = 0; row < levels.size(); ++row) {
        EXPECT_EQ(found(row, index),
                  -classifier.slopes[index] * (levels[row] / radius) - classifier.offsets[index]);
      }
    }
    EXPECT_EQ(predicted_classes(classifier, clouds.points).places, winners(classifier, found));
  }
}

TEST(HorosphereScores, name_the_row_that_is_off_among_all_rows) {
  Clouds clouds;
  const HorosphereClassifier classifier = clouds.classifier();
  clouds.points(700, 0) = 5;
  clouds.points(700, 1) = 0;
  for (const bool whole : {false, true}) {
    try {
      if (whole) {
        (void)scores(classifier, clouds.points);
      } else {
        (void)predicted_classes(classifier, clouds.points);
      }
      ADD_FAILURE() << "a point outside the ball was taken";
    } catch (const InvalidInput& error) {
      EXPECT_EQ(std::string(error.what()),
                "row 700: outside the Poincare ball of H2(-0.5): norm 5, expected below 1.41421; 1 "
                "row is off; project the points first");
    }
  }
}

}  // namespace
}  // namespace bentwood
