#include "bentwood/linear/linear_training.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "bentwood/base/error.hpp"
#include "bentwood/base/parallel.hpp"
#include "bentwood/base/random.hpp"
#include "bentwood/linear/features.hpp"
#include "bentwood/model/model.hpp"

namespace bentwood {
namespace {

/// Three clouds around three points of a manifold.
struct Clouds {
  explicit Clouds(const char* signature, std::size_t n_rows = 240)
      : manifold(signature, Coordinates::tangent), points(n_rows, manifold.dim()) {
    Random random(5);
    for (std::size_t row = 0; row < n_rows; ++row) {
      classes.push_back(static_cast<std::uint32_t>(row % 3));
      for (std::size_t axis = 0; axis < manifold.dim(); ++axis) {
        const bool shifted = axis % 2 == classes.back() % 2 && classes.back() < 2;
        points(row, axis) = 0.35 * random.normal() + (shifted ? 1.2 : -0.2);
      }
    }
  }
  [[nodiscard]] LinearTrainingOptions options() const { return {.manifold = manifold}; }

  Manifold manifold;
  Matrix points;
  std::vector<std::uint32_t> classes;
  Labels labels = std::vector<std::int64_t>{0, 1, 2};
};

class TrainingOn : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(manifolds, TrainingOn,
                         testing::Values("H2", "H3(-0.5)", "E2", "H2 x S2(0.25) x E1"));

TEST_P(TrainingOn, learns_clouds_in_every_feature_space) {
  const Clouds clouds(GetParam());
  const Manifold& manifold = clouds.manifold;
  for (const FeatureSpace space :
       {FeatureSpace::tangent, FeatureSpace::weighted, FeatureSpace::lorentz}) {
    LinearTrainingOptions options = clouds.options();
    options.space = space;
    options.reference = ReferenceKind::means;
    options.fit_intercept = true;
    options.platt = PlattKind::cross;
    const LinearTraining found =
        train_linear(clouds.points, clouds.classes, {}, clouds.labels, options);
    const LinearClassifier& model = found.classifier;
    const Matrix values = scores(model, clouds.points).values;
    const std::vector<std::int64_t> labels = winners(model, values);
    const Matrix shares = probabilities(model, clouds.points).values;
    std::size_t n_right = 0;
    for (std::size_t row = 0; row < labels.size(); ++row) {
      n_right += labels[row] == clouds.classes[row] ? 1U : 0U;
      EXPECT_NEAR(shares(row, 0) + shares(row, 1) + shares(row, 2), 1, 1e-12);
    }
    EXPECT_GT(n_right, labels.size() * 9 / 10) << name(space);
    // A score is w · f + b, by definition.
    const Matrix ambient =
        manifold.convert(clouds.points, Coordinates::tangent, Coordinates::ambient);
    for (std::size_t index = 0; index < 3; ++index) {
      const Matrix features = linear_features(
          manifold, ambient, space,
          space == FeatureSpace::lorentz ? std::span<const double>() : model.references.row(index));
      double sum = model.intercepts[index];
      for (std::size_t feature = 0; feature < features.n_cols(); ++feature) {
        sum += features(7, feature) * model.coefficients(index, feature);
      }
      EXPECT_NEAR(values(7, index), sum, 1e-12);
    }
  }
}

TEST(LinearTraining, has_the_same_bytes_for_any_number_of_threads) {
  const Clouds clouds("H3", 3000);
  for (const MarginLoss loss : {MarginLoss::hinge, MarginLoss::squared_hinge}) {
    std::vector<std::string> found;
    for (const std::size_t n_threads : {1U, 2U, 7U}) {
      const ThreadLimit limit(n_threads);
      LinearTrainingOptions options = clouds.options();
      options.svm.loss = loss;
      options.platt = PlattKind::cross;
      found.push_back(to_bytes(
          train_linear(clouds.points, clouds.classes, {}, clouds.labels, options).classifier));
    }
    EXPECT_EQ(found[0], found[1]);
    EXPECT_EQ(found[0], found[2]);
  }
}

TEST(LinearTraining, of_two_classes_has_one_boundary_through_its_reference_point) {
  const Clouds clouds("H2");
  std::vector<std::uint32_t> classes = clouds.classes;
  for (std::uint32_t& label : classes) {
    label = label == 2 ? 0 : label;
  }
  LinearTrainingOptions options = clouds.options();
  options.reference = ReferenceKind::given;
  options.references = Matrix(1, 2, {0.3, 0.4});
  const LinearTraining found =
      train_linear(clouds.points, classes, {}, std::vector<std::string>{"a", "b"}, options);
  ASSERT_EQ(found.classifier.size(), 1U);
  EXPECT_NEAR(scores(found.classifier, options.references).values(0, 0), 0, 1e-15);
}

TEST(LinearTraining, keeps_whether_hulls_overlap) {
  const Clouds clouds("H2");
  const LinearTraining found =
      train_linear(clouds.points, clouds.classes, {}, clouds.labels, clouds.options());
  EXPECT_EQ(found.classifier.parameters.at("overlapping"), "[true,true,true]");
  Matrix apart(4, 2, {1, 0, 1, 0.1, -1, 0, -1, 0.1});
  const LinearTraining other = train_linear(apart, std::vector<std::uint32_t>{0, 0, 1, 1}, {},
                                            std::vector<std::int64_t>{0, 1}, clouds.options());
  EXPECT_EQ(other.classifier.parameters.at("overlapping"), "[false]");
}

TEST(LinearTraining, names_what_does_not_fit) {
  const Clouds clouds("H2");
  const auto problem = [&](const std::function<void(LinearTrainingOptions&)>& spoil) {
    LinearTrainingOptions options = clouds.options();
    spoil(options);
    try {
      (void)train_linear(clouds.points, clouds.classes, {}, clouds.labels, options);
    } catch (const InvalidInput& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(problem([](auto& options) {
              options.reference = ReferenceKind::given;
              options.references = Matrix(2, 2);
            }),
            "reference has 2 rows of 2 numbers, expected 3 of 2: one a class");
  EXPECT_EQ(problem([](auto& options) { options.manifold = Manifold("S2", Coordinates::tangent); }),
            "reference is \"hull\", which needs one hyperbolic or Euclidean factor, and the "
            "signature is S2; choose \"means\" or \"origin\"");
}

}  // namespace
}  // namespace bentwood
