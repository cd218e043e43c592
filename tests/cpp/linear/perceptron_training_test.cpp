#include "bentwood/linear/perceptron_training.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>

#include "bentwood/base/error.hpp"
#include "bentwood/base/parallel.hpp"
#include "bentwood/datasets/mixture.hpp"
#include "bentwood/datasets/separable.hpp"
#include "bentwood/linear/linear_training.hpp"
#include "bentwood/model/model.hpp"

namespace bentwood {
namespace {

const Labels two_classes = std::vector<std::int64_t>{0, 1};

struct Separable {
  explicit Separable(const char* signature, double margin = 0.05)
      : data(separable_points({.signature = Signature(signature),
                               .n_rows = 500,
                               .margin = margin,
                               .coordinates = Coordinates::poincare,
                               .seed = 3})),
        classes(data.labels.begin(), data.labels.end()),
        options{.manifold = Manifold(Signature(signature), Coordinates::poincare)} {
    options.reference = ReferenceKind::given;
    options.references = data.reference;
    options.max_passes = 100'000;
  }
  [[nodiscard]] LinearClassifier model() const {
    return train_perceptron(data.points, classes, two_classes, options).classifier;
  }

  SeparablePoints data;
  std::vector<std::uint32_t> classes;
  PerceptronTrainingOptions options;
};

double told(const LinearClassifier& model, const std::string& name) {
  return nlohmann::json::parse(model.parameters.at(name)).at(0).get<double>();
}

/// Through a file and back.
LinearClassifier read_again(const LinearClassifier& model) {
  return std::get<LinearClassifier>(model_from_bytes(to_bytes(model)));
}

class PerceptronOn : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(manifolds, PerceptronOn, testing::Values("H2", "H3(-0.25)", "H5(-4)"));

TEST_P(PerceptronOn, separates_what_can_be_separated_within_the_bound) {
  Separable problem(GetParam());
  for (const PerceptronKind kind :
       {PerceptronKind{}, PerceptronKind{true, 1}, PerceptronKind{true, 0}}) {
    problem.options.kind = kind;
    const PerceptronTraining found =
        train_perceptron(problem.data.points, problem.classes, two_classes, problem.options);
    EXPECT_EQ(found.n_stopped, 0U);
    const LinearClassifier& model = found.classifier;
    const std::vector<std::int64_t> labels =
        winners(model, scores(model, problem.data.points).values);
    EXPECT_EQ(labels, problem.data.labels);
    EXPECT_GT(told(model, "margin"), 0);
    EXPECT_GT(told(model, "n_updates"), 2);
    if (kind.second_order && kind.regularization == 0) {
      EXPECT_EQ(model.parameters.at("bound"), "[null]");
    } else {
      EXPECT_LE(told(model, "n_updates"), told(model, "bound"));
    }
  }
}

// A score is R sinh(d/R) for the distance d from the hyperplane, whose nearest point a search finds.
TEST(PerceptronTraining, has_scores_that_are_distances) {
  const Separable problem("H2(-0.25)");
  const LinearClassifier model = problem.model();
  const Manifold& disk = problem.options.manifold;
  const Matrix ball(1, 2, {problem.data.reference(0, 0), problem.data.reference(0, 1)});
  // The geodesic through p in the directions orthogonal to w.
  constexpr std::size_t n_steps = 20'001;
  Matrix along(n_steps, 2);
  Matrix from(n_steps, 2);
  for (std::size_t step = 0; step < n_steps; ++step) {
    const double t = 10.0 * (static_cast<double>(step) / (n_steps - 1) - 0.5);
    along(step, 0) = -t * model.coefficients(0, 1);
    along(step, 1) = t * model.coefficients(0, 0);
    from(step, 0) = ball(0, 0);
    from(step, 1) = ball(0, 1);
  }
  const Matrix line = disk.exp(from, along);
  const Matrix found = scores(model, problem.data.points).values;
  double nearest = 1e9;
  for (std::size_t row = 0; row < 40; ++row) {
    const Matrix point(1, 2, {problem.data.points(row, 0), problem.data.points(row, 1)});
    const Matrix distances = disk.pairwise_distance(point, line);
    const double distance = *std::min_element(distances.data(), distances.data() + n_steps);
    EXPECT_NEAR(2 * std::asinh(std::abs(found(row, 0)) / 2), distance, 1e-3 * (1 + distance));
  }
  for (std::size_t row = 0; row < found.n_rows(); ++row) {
    nearest = std::min(nearest, 2 * std::asinh(std::abs(found(row, 0)) / 2));
  }
  EXPECT_NEAR(told(model, "margin"), nearest, 1e-12);
}

// Theorem 3.1 with the norms of the Poincaré ball, as it is printed.
TEST(PerceptronTraining, has_the_bound_of_the_theorem) {
  const Separable problem("H3");
  const LinearClassifier model = problem.model();
  double largest = 0;
  for (std::size_t row = 0; row < problem.data.points.n_rows(); ++row) {
    const std::span<const double> x = problem.data.points.row(row);
    largest = std::max(largest, std::hypot(x[0], x[1], x[2]));
  }
  const std::span<const double> p = problem.data.reference.row(0);
  const double norm = std::hypot(p[0], p[1], p[2]);
  const double both = (norm + largest) / (1 + norm * largest);
  const double root = 2 * both / ((1 - both * both) * std::sinh(told(model, "margin")));
  EXPECT_NEAR(told(model, "bound") / (root * root), 1, 1e-9);
}

TEST(PerceptronTraining, has_the_same_bytes_for_any_number_of_threads) {
  const LabelledPoints clouds = wrapped_normal_mixture({.n_rows = 500, .n_classes = 5, .seed = 1});
  const std::vector<std::uint32_t> classes(clouds.labels.begin(), clouds.labels.end());
  for (const PerceptronKind kind : {PerceptronKind{}, PerceptronKind{true, 1}}) {
    PerceptronTrainingOptions options{.manifold = Manifold("H2")};
    options.kind = kind;
    options.max_passes = 20;
    std::vector<std::string> found;
    for (const std::size_t n_threads : {1U, 2U, 7U}) {
      const ThreadLimit limit(n_threads);
      const PerceptronTraining training = train_perceptron(
          clouds.points, classes, std::vector<std::int64_t>{0, 1, 2, 3, 4}, options);
      EXPECT_GT(training.n_stopped, 0U);
      found.push_back(to_bytes(training.classifier));
    }
    EXPECT_EQ(found[0], found[1]);
    EXPECT_EQ(found[0], found[2]);
  }
}

TEST(PerceptronTraining, stops_at_the_most_passes_or_mistakes) {
  Separable problem("H5", 0.001);
  problem.options.max_passes = 2;
  const PerceptronTraining found =
      train_perceptron(problem.data.points, problem.classes, two_classes, problem.options);
  EXPECT_EQ(found.n_stopped, 1U);
  EXPECT_EQ(found.classifier.n_iterations[0], 2U);
  problem.options.max_updates = 9;
  EXPECT_EQ(told(problem.model(), "n_updates"), 9);
}

TEST(PerceptronTraining, in_batches_is_one_pass_over_all_of_them) {
  Separable problem("H3");
  problem.options.shuffle = false;
  problem.options.max_passes = 1;
  for (const PerceptronKind kind : {PerceptronKind{}, PerceptronKind{true, 0}}) {
    problem.options.kind = kind;
    problem.options.average = !kind.second_order;
    const LinearClassifier whole = problem.model();
    LinearClassifier model{.manifold = problem.options.manifold};
    for (std::size_t begin = 0; begin < 500; begin += 100) {
      const MatrixView batch(problem.data.points.data() + begin * 3, 100, 3);
      model = read_again(learn_batch(begin == 0 ? nullptr : &model, batch,
                                     std::span(problem.classes).subspan(begin, 100), two_classes,
                                     problem.options)
                             .classifier);
    }
    EXPECT_EQ(told(model, "n_updates"), told(whole, "n_updates"));
    for (std::size_t place = 0; place < 3; ++place) {
      EXPECT_EQ(model.coefficients(0, place), whole.coefficients(0, place));
    }
    EXPECT_EQ(model.n_iterations[0], 5U);
    EXPECT_EQ(model.parameters.count("bound"), 0U);
  }
}

TEST(PerceptronTraining, names_what_does_not_fit) {
  const Separable problem("H2");
  const LinearClassifier before = problem.model();
  const auto message = [&](const LinearClassifier& model, const Labels& labels,
                           const PerceptronTrainingOptions& options) {
    try {
      (void)learn_batch(&model, problem.data.points, problem.classes, labels, options);
    } catch (const InvalidInput& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(message(before, two_classes, problem.options), "");
  EXPECT_EQ(message(before, std::vector<std::int64_t>{0, 7}, problem.options),
            "the model has other classes than the rows; fit it anew to change them");
  PerceptronTrainingOptions options = problem.options;
  options.manifold = Manifold("H2(-2)", Coordinates::poincare);
  EXPECT_EQ(message(before, two_classes, options),
            "the model is on H2 in poincare coordinates, the rows are on H2(-2) in poincare; fit "
            "it anew to change it");
  options = problem.options;
  options.kind = {true, 1};
  EXPECT_EQ(message(before, two_classes, options),
            "the model has no memory of such a perceptron, and cannot learn on");
  options.kind = {true, -1};
  EXPECT_EQ(message(before, two_classes, options),
            "regularization is -1, expected a number from 0 to 1e100");
  LinearClassifier forgetful = before;
  forgetful.memory = {};
  EXPECT_EQ(message(forgetful, two_classes, problem.options),
            "the model has no memory of its training, and cannot learn on");
}

}  // namespace
}  // namespace bentwood
