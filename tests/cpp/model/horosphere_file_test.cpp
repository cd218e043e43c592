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
#include "bentwood/linear/horosphere_training.hpp"
#include "bentwood/model/model.hpp"
#include "data/allocation.hpp"
#include "model/model_bytes.hpp"
#include "model/mutated.hpp"
#include "repetitions.hpp"

namespace bentwood {
namespace {

HorosphereClassifier sample() {
  return {.estimator = "HoroSVC",
          .manifold = Manifold("H2(-0.5)", Coordinates::poincare),
          .off_manifold = OffManifold::project,
          .classes = std::vector<std::string>{"ant", "bee", "cat"},
          .ideal_points = Matrix(3, 2, {1, 0, 0.6, 0.8, 0, -1}),
          .slopes = {1, -2, 0.5},
          .offsets = {0.25, 0, -1},
          .sigmoids = Matrix(3, 2, {-1, 0, -2, 0.5, -0.5, 0}),
          .n_iterations = {7, 8, 9},
          .feature_names = {"x", "y"},
          .parameters = {{"C", "1.0"}}};
}

HorosphereClassifier read(const std::string& bytes) {
  return std::get<HorosphereClassifier>(model_from_bytes(bytes, "m.bent"));
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

TEST(HorosphereFile, keeps_everything_and_gives_the_same_bytes) {
  const HorosphereClassifier before = sample();
  const std::string bytes = to_bytes(before);
  const HorosphereClassifier after = read(bytes);
  EXPECT_EQ(after.estimator, before.estimator);
  EXPECT_EQ(after.manifold.signature(), before.manifold.signature());
  EXPECT_EQ(after.manifold.coordinates(), before.manifold.coordinates());
  EXPECT_EQ(after.off_manifold, before.off_manifold);
  EXPECT_EQ(after.classes, before.classes);
  EXPECT_EQ(numbers(after.ideal_points), numbers(before.ideal_points));
  EXPECT_EQ(after.slopes, before.slopes);
  EXPECT_EQ(after.offsets, before.offsets);
  EXPECT_EQ(numbers(after.sigmoids), numbers(before.sigmoids));
  EXPECT_EQ(after.n_iterations, before.n_iterations);
  EXPECT_EQ(after.feature_names, before.feature_names);
  EXPECT_EQ(after.parameters, before.parameters);
  EXPECT_EQ(to_bytes(after), bytes);
}

TEST(HorosphereFile, is_refused_where_a_forest_is_expected) {
  EXPECT_EQ(message_of([] { (void)from_bytes(to_bytes(sample()), "m.bent"); }),
            "m.bent: holds horospheres, expected a tree or a forest");
}

TEST(HorosphereFile, names_what_is_not_whole) {
  const auto problem = [](const std::function<void(HorosphereClassifier&)>& spoil) {
    HorosphereClassifier classifier = sample();
    spoil(classifier);
    return message_of([&] { (void)to_bytes(classifier); });
  };
  EXPECT_EQ(problem([](auto& model) { model.manifold = Manifold("E2"); }),
            "the signature is E2, expected one hyperbolic factor");
  EXPECT_EQ(problem([](auto& model) { model.classes = std::vector<std::int64_t>{3}; }),
            "there are 1 classes, expected at least 2");
  EXPECT_EQ(problem([](auto& model) { model.classes = std::vector<std::int64_t>{3, 4}; }),
            "there are 3 ideal points, expected 1");
  EXPECT_EQ(problem([](auto& model) { model.slopes[1] = NAN; }), "one of the slopes is not finite");
  EXPECT_EQ(problem([](auto& model) { model.offsets.pop_back(); }),
            "there are 2 offsets, expected 3");
  EXPECT_EQ(problem([](auto& model) { model.ideal_points(1, 0) = 0; }),
            "ideal point 1 has length 0.8, expected 1");
  EXPECT_EQ(problem([](auto& model) { model.sigmoids = Matrix(1, 2); }),
            "there are 1 sigmoids, expected 3");
  EXPECT_EQ(problem([](auto& model) { model.feature_names.pop_back(); }),
            "there are 1 feature names, expected 2");
}

TEST(HorosphereFile, changed_with_right_checksums_is_read_or_refused) {
  const ThreadLimit serial(1);
  const std::string whole = to_bytes(sample());
  const Matrix origin(2, 2);
  std::size_t n_read = 0;
  for (std::uint64_t item = 0; item < repetitions(25'000); ++item) {
    Random random(1, 0, item);
    std::string bytes = mutated(whole, random);
    reseal(bytes);
    largest_allocation() = 0;
    try {
      const HorosphereClassifier classifier = read(bytes);
      ++n_read;
      if (classifier.manifold.n_columns() == 2) {
        (void)scores(classifier, origin);
      }
    } catch (const Error& error) {
      const std::string message = error.what();
      ASSERT_TRUE(is_utf8(message) && message.find('\n') == std::string::npos) << message;
    }
    ASSERT_LE(largest_allocation(), std::size_t{1} << 26U);
  }
  EXPECT_GT(n_read, repetitions(500));
}

TEST(HorosphereFile, changed_with_the_old_checksums_is_refused) {
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
TEST(HorosphereFile, of_older_versions_predict_what_they_did) {
  std::size_t n_files = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::string(BENTWOOD_GOLDEN) + "/horospheres")) {
    if (entry.path().extension() != ".bent") {
      continue;
    }
    ++n_files;
    const Model model = load_model(entry.path());
    const auto& classifier = std::get<HorosphereClassifier>(model);
    const Bytes bytes = read_file(std::filesystem::path(entry.path()).replace_extension(".npz"));
    const NpzArchive truth(bytes.view(), "golden");
    const auto expect = [&](std::string_view name, const Matrix& points, const Matrix& found) {
      const NpyArray array = truth.array(name);
      const auto& expected = std::get<std::vector<double>>(array.values);
      ASSERT_EQ(found.n_rows(), points.n_rows());
      for (std::size_t place = 0; place < expected.size(); ++place) {
        EXPECT_NEAR(found.data()[place], expected[place], 1e-12);
      }
    };
    const NpyArray array = truth.array("points");
    const Matrix points(array.n_rows(), array.n_cols(),
                        std::get<std::vector<double>>(array.values));
    expect("values", points, scores(classifier, points).values);
    if (classifier.sigmoids.n_rows() > 0) {
      expect("probabilities", points, probabilities(classifier, points).values);
    }
  }
  EXPECT_EQ(n_files, 2U);
}

}  // namespace
}  // namespace bentwood
