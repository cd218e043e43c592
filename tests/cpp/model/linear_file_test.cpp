#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "bentwood/base/error.hpp"
#include "bentwood/base/parallel.hpp"
#include "bentwood/data/file.hpp"
#include "bentwood/data/npz.hpp"
#include "bentwood/data/text.hpp"
#include "bentwood/linear/linear_training.hpp"
#include "bentwood/model/model.hpp"
#include "data/allocation.hpp"
#include "model/model_bytes.hpp"
#include "model/mutated.hpp"
#include "repetitions.hpp"

namespace bentwood {
namespace {

LinearClassifier sample() {
  const Manifold disk("H2(-0.25)", Coordinates::poincare);
  const Matrix references = disk.convert(Matrix(3, 2, {0, 0, 0.5, 0.25, -1, 0.5}),
                                         Coordinates::poincare, Coordinates::ambient);
  return {.estimator = "PoincareSVC",
          .manifold = disk,
          .off_manifold = OffManifold::project,
          .space = FeatureSpace::tangent,
          .classes = std::vector<std::string>{"ant", "bee", "cat"},
          .references = references,
          .coefficients = Matrix(3, 2, {1, -2, 0.5, 3, 0, 1}),
          .intercepts = {0.25, 0, -1},
          .sigmoids = Matrix(3, 2, {-1, 0, -2, 0.5, -0.5, 0}),
          .n_iterations = {7, 8, 9},
          .support = {0, 3, 4},
          .feature_names = {"x", "y"},
          .parameters = {{"C", "1.0"}, {"overlapping", "[true,false,false]"}}};
}

/// A perceptron that can learn on.
LinearClassifier with_memory() {
  LinearClassifier result = sample();
  result.estimator = "PoincarePerceptron";
  result.space = FeatureSpace::weighted;
  result.sigmoids = {};
  result.support = {};
  // First order, no regularization, rows seen, mistakes, rows since; then w and its sum.
  result.memory = Matrix(
      3, 9, {0, 0, 9, 2, 3, 0.5, -1, 4, 2, 0, 0, 9, 0, 9, 0, 0, 0, 0, 0, 0, 9, 1, 8, 1, 1, 8, 8});
  return result;
}

LinearClassifier read(const std::string& bytes) {
  return std::get<LinearClassifier>(model_from_bytes(bytes, "m.bent"));
}

std::string message_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

std::vector<double> numbers(const Matrix& matrix) {
  return {matrix.data(), matrix.data() + matrix.n_rows() * matrix.n_cols()};
}

TEST(LinearFile, keeps_everything_and_gives_the_same_bytes) {
  for (const FeatureSpace space :
       {FeatureSpace::tangent, FeatureSpace::weighted, FeatureSpace::lorentz}) {
    LinearClassifier before = sample();
    before.space = space;
    if (space == FeatureSpace::lorentz) {
      before.references = {};
      before.coefficients = Matrix(3, 3, {1, 2, 3, 4, 5, 6, 7, 8, 9});
      before.sigmoids = {};
    }
    const std::string bytes = to_bytes(before);
    const LinearClassifier after = read(bytes);
    EXPECT_EQ(after.estimator, before.estimator);
    EXPECT_EQ(after.manifold.signature(), before.manifold.signature());
    EXPECT_EQ(after.manifold.coordinates(), before.manifold.coordinates());
    EXPECT_EQ(after.off_manifold, before.off_manifold);
    EXPECT_EQ(after.space, before.space);
    EXPECT_EQ(after.classes, before.classes);
    EXPECT_EQ(numbers(after.references), numbers(before.references));
    EXPECT_EQ(numbers(after.coefficients), numbers(before.coefficients));
    EXPECT_EQ(after.intercepts, before.intercepts);
    EXPECT_EQ(numbers(after.sigmoids), numbers(before.sigmoids));
    EXPECT_EQ(after.n_iterations, before.n_iterations);
    EXPECT_EQ(after.support, before.support);
    EXPECT_EQ(after.feature_names, before.feature_names);
    EXPECT_EQ(after.parameters, before.parameters);
    EXPECT_EQ(to_bytes(after), bytes);
  }
}

TEST(LinearFile, keeps_the_memory_of_what_can_learn_on) {
  const LinearClassifier before = with_memory();
  const std::string bytes = to_bytes(before);
  const LinearClassifier after = read(bytes);
  EXPECT_EQ(numbers(after.memory), numbers(before.memory));
  EXPECT_EQ(to_bytes(after), bytes);
  EXPECT_NE(bytes.find("\"format_version\":\"2\""), std::string::npos);
  EXPECT_NE(to_bytes(sample()).find("\"format_version\":\"1\""), std::string::npos);
}

TEST(LinearFile, is_refused_where_a_forest_is_expected) {
  EXPECT_EQ(message_of([] { (void)from_bytes(to_bytes(sample()), "m.bent"); }),
            "m.bent: holds a linear classifier, expected a tree or a forest");
}

TEST(LinearFile, names_what_is_not_whole) {
  const auto problem = [](const std::function<void(LinearClassifier&)>& spoil) {
    LinearClassifier classifier = sample();
    spoil(classifier);
    return message_of([&] { (void)to_bytes(classifier); });
  };
  EXPECT_EQ(problem([](auto& model) { model.classes = std::vector<std::int64_t>{3}; }),
            "there are 1 classes, expected at least 2");
  EXPECT_EQ(problem([](auto& model) { model.classes = std::vector<std::int64_t>{3, 4}; }),
            "there are 3 rows of coefficients, expected 1");
  EXPECT_EQ(problem([](auto& model) { model.manifold = Manifold("H3"); }),
            "there are 2 coefficients in a row, expected 3");
  EXPECT_EQ(problem([](auto& model) { model.coefficients(1, 1) = NAN; }),
            "one of the coefficients is not finite");
  EXPECT_EQ(problem([](auto& model) { model.intercepts.pop_back(); }),
            "there are 2 intercepts, expected 3");
  EXPECT_EQ(problem([](auto& model) { model.references(1, 0) = 7; }),
            "reference point 1 is not on the manifold");
  EXPECT_EQ(problem([](auto& model) { model.references = {}; }),
            "there are 0 reference points, expected 3");
  EXPECT_EQ(problem([](auto& model) {
              model.space = FeatureSpace::lorentz;
              model.coefficients = Matrix(3, 3);
            }),
            "there are 3 reference points, expected 0");
  EXPECT_EQ(problem([](auto& model) { model.sigmoids = Matrix(1, 2); }),
            "there are 1 sigmoids, expected 3");
  EXPECT_EQ(problem([](auto& model) { model.feature_names.pop_back(); }),
            "there are 1 feature names, expected 2");
  EXPECT_EQ(problem([](auto& model) { model.support = {4, 4}; }),
            "the support vectors do not ascend");
  EXPECT_EQ(problem([](auto& model) { model.memory = Matrix(1, 5); }),
            "there are 1 rows of memory, expected 3");
  EXPECT_EQ(problem([](auto& model) { model.memory = Matrix(3, 1, {1, INFINITY, 2}); }),
            "one of the numbers of the memory is not finite");
  const auto with_number = [&](std::size_t place, double number) {
    return problem([=](auto& model) {
      model = with_memory();
      model.memory(2, place) = number;
    });
  };
  EXPECT_EQ(with_number(0, 2), "the model's memory is damaged: it is of no perceptron");
  EXPECT_EQ(with_number(0, 1), "the model's memory is damaged: 9 numbers, expected 19");
  EXPECT_EQ(with_number(1, -1), "the model's memory is damaged: its regularization is -1");
  EXPECT_EQ(with_number(3, 0.5), "the model's memory is damaged: a count of rows is 0.5");
  EXPECT_EQ(with_number(8, 1e300), "");
  EXPECT_EQ(problem([](auto& model) { model.n_iterations[1] = std::uint64_t{1} << 63U; }),
            "one of the numbers of iterations is 9223372036854775808, expected less than 2^63");
  EXPECT_EQ(problem([](auto& model) { model.support.push_back(~std::uint64_t{0}); }),
            "one of the support vectors is 18446744073709551615, expected less than 2^63");
  EXPECT_EQ(problem([](auto& model) { model.estimator = "HoroSVC"; }),
            "the estimator is HoroSVC, expected horospheres, but the model is boundaries without a "
            "memory");
  EXPECT_EQ(problem([](auto& model) { model.estimator = "PoincarePerceptron"; }),
            "the estimator is PoincarePerceptron, expected boundaries with a memory, but the model "
            "is boundaries without a memory");
}

TEST(LinearFile, changed_with_right_checksums_is_read_or_refused) {
  const ThreadLimit serial(1);
  const std::vector<std::string> whole{to_bytes(sample()), to_bytes(with_memory())};
  const Matrix origin(2, 2);
  std::size_t n_read = 0;
  for (std::uint64_t item = 0; item < repetitions(25'000); ++item) {
    Random random(1, 0, item);
    std::string bytes = mutated(whole[item % 2], random);
    reseal(bytes);
    largest_allocation() = 0;
    try {
      const LinearClassifier classifier = read(bytes);
      ++n_read;
      if (classifier.manifold.n_columns() == 2) {
        (void)winners(classifier, scores(classifier, origin).values);
      }
    } catch (const Error& error) {
      const std::string message = error.what();
      ASSERT_TRUE(is_utf8(message) && message.find('\n') == std::string::npos) << message;
    }
    ASSERT_LE(largest_allocation(), std::size_t{1} << 26U);
  }
  EXPECT_GT(n_read, repetitions(300));
}

TEST(LinearFile, changed_with_the_old_checksums_is_refused) {
  const std::string whole = to_bytes(sample());
  for (std::uint64_t item = 0; item < repetitions(25'000); ++item) {
    Random random(2, 0, item);
    const std::string bytes = mutated(whole, random);
    if (bytes != whole) {
      ASSERT_THROW((void)model_from_bytes(bytes), FormatError) << item;
    }
  }
}

// Close, not equal: logarithms may differ in the last bit from one instruction set to another.
TEST(LinearFile, of_older_versions_predict_what_they_did) {
  std::size_t n_files = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::string(BENTWOOD_GOLDEN) + "/linear")) {
    if (entry.path().extension() != ".bent") {
      continue;
    }
    ++n_files;
    const Model model = load_model(entry.path());
    const auto& classifier = std::get<LinearClassifier>(model);
    const Bytes bytes = read_file(std::filesystem::path(entry.path()).replace_extension(".npz"));
    const NpzArchive truth(bytes.view(), "golden");
    const auto matrix = [&](std::string_view name) {
      const NpyArray array = truth.array(name);
      return Matrix(array.n_rows(), array.n_cols(), std::get<std::vector<double>>(array.values));
    };
    const Matrix points = matrix("points");
    const auto expect = [](const Matrix& expected, const Matrix& found) {
      ASSERT_EQ(numbers(found).size(), numbers(expected).size());
      for (std::size_t place = 0; place < numbers(expected).size(); ++place) {
        EXPECT_NEAR(found.data()[place], expected.data()[place], 1e-12);
      }
    };
    expect(matrix("values"), scores(classifier, points).values);
    if (classifier.sigmoids.n_rows() > 0) {
      expect(matrix("probabilities"), probabilities(classifier, points).values);
    }
  }
  EXPECT_EQ(n_files, 3U);
}

}  // namespace
}  // namespace bentwood
