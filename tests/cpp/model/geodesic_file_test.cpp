#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "bentwood/base/error.hpp"
#include "bentwood/base/parallel.hpp"
#include "bentwood/data/file.hpp"
#include "bentwood/data/npz.hpp"
#include "bentwood/data/text.hpp"
#include "bentwood/infer/neighbours.hpp"
#include "bentwood/model/model.hpp"
#include "data/allocation.hpp"
#include "model/model_bytes.hpp"
#include "model/mutated.hpp"
#include "model/sample_forests.hpp"
#include "model/sample_geodesic.hpp"
#include "repetitions.hpp"

namespace bentwood {
namespace {

/// Two words of drawn rows a tree, and a doubt of every node.
GeodesicForest sample() {
  GeodesicForest forest = sample_geodesic_forest("H2 x S2", 40, 3, 4);
  doubt_at_random(forest, 5);
  forest.largest_node = 30;
  forest.counted = CountedTrees::out_of_bag;
  forest.forest.feature_names = {"t", "x", "y", "u", "v", "größe"};
  return forest;
}

GeodesicForest read(const std::string& bytes) {
  return std::get<GeodesicForest>(model_from_bytes(bytes, "m.bent"));
}

std::string message_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

/// What is said of bytes that are sealed again first.
std::string message_of_bytes(std::string bytes) {
  reseal(bytes);
  return message_of([&] { (void)model_from_bytes(bytes, "m.bent"); });
}

/// The bytes with another number at a place of an array.
std::string with_number(std::string bytes, std::string_view tensor, std::size_t place,
                        std::uint32_t number) {
  const std::uint64_t size = header_size(bytes);
  const std::string_view all = bytes;
  const auto found = tensor_bytes(all.substr(8, size), all.substr(8 + size), tensor);
  const auto begin = static_cast<std::size_t>(found.value().data() - all.data());
  std::memcpy(bytes.data() + begin + place * sizeof number, &number, sizeof number);
  return bytes;
}

/// The bytes with another text in the header.
std::string with_text(std::string bytes, std::string_view before, std::string_view after) {
  const std::size_t place = bytes.find(before);
  EXPECT_NE(place, std::string::npos) << before;
  bytes.replace(place, before.size(), after);
  const std::uint64_t size = header_size(bytes) + after.size() - before.size();
  std::memcpy(bytes.data(), &size, sizeof size);
  return bytes;
}

TEST(GeodesicFile, keeps_everything_and_gives_the_same_bytes) {
  const GeodesicForest before = sample();
  const std::string bytes = to_bytes(before);
  const GeodesicForest after = read(bytes);
  EXPECT_EQ(after.forest.task, Task::none);
  EXPECT_EQ(after.forest.estimator, before.forest.estimator);
  EXPECT_EQ(after.forest.columns.manifold().signature(),
            before.forest.columns.manifold().signature());
  EXPECT_EQ(after.forest.columns.families(), before.forest.columns.families());
  EXPECT_EQ(after.forest.feature_names, before.forest.feature_names);
  EXPECT_EQ(after.forest.importances, before.forest.importances);
  EXPECT_EQ(after.forest.parameters, before.forest.parameters);
  ASSERT_EQ(after.forest.trees.size(), before.forest.trees.size());
  for (std::size_t tree = 0; tree < before.forest.trees.size(); ++tree) {
    EXPECT_EQ(after.forest.trees[tree].own, before.forest.trees[tree].own);
    EXPECT_EQ(after.forest.trees[tree].weights, before.forest.trees[tree].weights);
    EXPECT_EQ(after.forest.trees[tree].values, before.forest.trees[tree].values);
  }
  EXPECT_EQ(after.counted, before.counted);
  EXPECT_EQ(after.seed, before.seed);
  EXPECT_EQ(after.n_rows, before.n_rows);
  EXPECT_EQ(after.leaves, before.leaves);
  EXPECT_EQ(after.drawn, before.drawn);
  EXPECT_EQ(after.doubts, before.doubts);
  EXPECT_EQ(after.largest_node, before.largest_node);
  EXPECT_EQ(to_bytes(after), bytes);
}

TEST(GeodesicFile, is_refused_where_a_forest_is_expected) {
  EXPECT_EQ(message_of([] { (void)from_bytes(to_bytes(sample()), "m.bent"); }),
            "m.bent: holds a geodesic forest, expected a tree or a forest");
}

TEST(GeodesicFile, names_what_is_not_whole) {
  const auto problem = [](const std::function<void(GeodesicForest&)>& spoil) {
    GeodesicForest forest = sample();
    spoil(forest);
    return message_of([&] { (void)to_bytes(forest); });
  };
  EXPECT_EQ(problem([](auto& model) { model.leaves[43] = 1000; }),
            "tree 1: row 3 is in node 1000, which is no leaf");
  EXPECT_EQ(problem([](auto& model) { model.leaves[2] = 0; }),
            "tree 0: row 2 is in node 0, which is no leaf");
  EXPECT_EQ(problem([](auto& model) { model.drawn.pop_back(); }),
            "3 trees have 120 leaves of 40 rows and 5 words of drawn rows");
  EXPECT_EQ(problem([](auto& model) { model.n_rows = 39; }),
            "3 trees have 120 leaves of 39 rows and 6 words of drawn rows");
  EXPECT_EQ(problem([](auto& model) {
              model.n_rows = 0;
              model.leaves.clear();
              model.drawn.clear();
            }),
            "3 trees have 0 leaves of 0 rows and 0 words of drawn rows");
  EXPECT_EQ(problem([](auto& model) { model.doubts.pop_back(); }),
            "38 nodes are in doubt, there are 39");
  EXPECT_EQ(problem([](auto& model) { model.doubts[7] = 1.5; }),
            "the doubt of node 7 is 1.5, expected a number from 0 to 1");
  EXPECT_EQ(problem([](auto& model) { model.doubts[8] = NAN; }),
            "the doubt of node 8 is nan, expected a number from 0 to 1");
  EXPECT_EQ(problem([](auto& model) {
              model.forest.task = Task::regression;
              model.forest.estimator = "";
            }),
            "tree 0: a tree that predicts cuts a sum of columns");
  EXPECT_EQ(problem([](auto& model) { model.forest.trees[1].values[0] = 1.5; }),
            "tree 1: value row 0 has shares that sum to 1.5, expected at most 1");
  EXPECT_EQ(problem([](auto& model) { model.forest.trees.clear(); }), "the forest has no trees");
}

TEST(GeodesicFile, names_sums_of_columns_that_are_not_whole) {
  const auto problem = [](const std::vector<std::uint32_t>& places,
                          const std::vector<double>& coefficients,
                          ColumnFamily family = ColumnFamily::chordal) {
    GeodesicForest forest = sample();
    forest.forest.columns = Columns(Manifold("H2 x S2"), {family});
    forest.forest.importances.assign(forest.forest.columns.size(), 0);
    for (Tree& tree : forest.forest.trees) {
      tree = {.nodes = {TreeNode{}}, .weights = {1}, .width = 1, .values = {1}};
    }
    std::ranges::fill(forest.leaves, 0);
    forest.doubts.clear();
    forest.forest.trees[0].own.add_oblique(places, coefficients, 0);
    return message_of([&] { (void)to_bytes(forest); });
  };
  const std::string lines =
      "tree 0: own column 0: its places are not columns that are lines, in ascending order";
  EXPECT_EQ(problem({0, 4}, {1, -1}), "no error");
  EXPECT_EQ(problem({0, 5}, {1, -1}), lines);
  EXPECT_EQ(problem({0, 4294967295U}, {1, -1}), lines);
  EXPECT_EQ(problem({2, 1}, {1, -1}), lines);
  EXPECT_EQ(problem({1, 1}, {1, -1}), lines);
  EXPECT_EQ(problem({}, {}), lines);
  // Columns 2 and 3 are then the angles of the sphere.
  EXPECT_EQ(problem({0, 2}, {1, -1}, ColumnFamily::geodesic), lines);
  EXPECT_EQ(problem({0, 1}, {1, NAN}), "tree 0: own column 0: a coefficient is not finite");
}

TEST(GeodesicFile, names_what_a_stranger_changed) {
  const std::string whole = to_bytes(sample());
  EXPECT_EQ(message_of_bytes(with_number(whole, "leaf", 5, 77)),
            "m.bent: tree 0: row 5 is in node 77, which is no leaf");
  EXPECT_EQ(message_of_bytes(with_number(whole, "leaf", 5, 0)),
            "m.bent: tree 0: row 5 is in node 0, which is no leaf");
  EXPECT_EQ(message_of_bytes(with_number(whole, "own_place", 0, 5)),
            "m.bent: tree 0: own column 0: its places are not columns that are lines, in ascending "
            "order");
  EXPECT_EQ(message_of_bytes(with_number(whole, "own_kind", 0, 0)),
            "m.bent: tree 0: own column 0: its places are not those of a hyperbolic factor");
  EXPECT_EQ(message_of_bytes(with_number(whole, "own_kind", 0, 2)),
            "m.bent: tree 0: own column 0: its kind is 2, which this version does not know");
  EXPECT_EQ(message_of_bytes(with_text(whole, R"("counted":"out_of_bag")", R"("counted":"a\nb")")),
            R"(m.bent: counted is "a\x0ab", expected "all", "in_bag" or "out_of_bag")");
  EXPECT_EQ(
      message_of_bytes(with_text(whole, R"("seed":"18446744073709551615")", R"("seed":"-1")")),
      R"(m.bent: "seed" is "-1", expected a whole number)");
  EXPECT_EQ(message_of_bytes(with_text(whole, R"("seed":"18446744073709551615")",
                                       R"("seed":"18446744073709551616")")),
            R"(m.bent: "seed" is "18446744073709551616", expected a whole number)");
  EXPECT_EQ(message_of_bytes(with_text(whole, R"("task":"none")", R"("task":"regression")")),
            R"(m.bent: "task" is regression, expected none)");
  EXPECT_EQ(
      message_of_bytes(with_text(whole, R"("format_version":"4")", R"("format_version":"6")")),
      "m.bent: was written by a newer version of bentwood: its format is 6, this version "
      "reads formats up to 5");
  EXPECT_EQ(message_of_bytes(with_text(whole, R"([0,312],"dtype":"F64","shape":[39])",
                                       R"([0,312],"dtype":"F64","shape":[3,13])")),
            R"(m.bent: tensor "doubt" has another type or shape than in a model)");
  EXPECT_EQ(message_of_bytes(with_number(whole, "doubt", 1, 0x7FF80000U)),
            "m.bent: the doubt of node 0 is nan, expected a number from 0 to 1");
  EXPECT_EQ(message_of_bytes(with_text(whole, R"("shape":[3,40])", R"("shape":[40,3])")),
            R"(m.bent: "leaf" and "drawn" are of 40 and 3 trees, there are 3)");
  EXPECT_EQ(message_of_bytes(with_text(whole, R"("shape":[3,2])", R"("shape":[2,3])")),
            R"(m.bent: "leaf" and "drawn" are of 3 and 2 trees, there are 3)");
  EXPECT_EQ(message_of_bytes(with_text(whole, R"("kind":"neighbours")", R"("kind":"forest")")),
            "m.bent: there are 17 tensors, a model has 8");
}

TEST(GeodesicFile, has_no_task_that_a_forest_could_have) {
  const Forest leaf = sample_forests().back().make();
  EXPECT_EQ(
      message_of_bytes(with_text(to_bytes(leaf), R"("task":"classification")", R"("task":"none")")),
      R"(m.bent: "task" is none, expected classification or regression)");
  // Nor is a forest without a task written, which could not be read.
  Forest none = sample().forest;
  EXPECT_EQ(message_of([&] { (void)to_bytes(none); }),
            "the forest predicts nothing, expected one that classifies or regresses");
}

TEST(GeodesicFile, cut_short_anywhere_is_refused) {
  const std::string whole = to_bytes(sample());
  for (std::size_t size = 0; size < whole.size(); ++size) {
    std::string bytes = whole.substr(0, size);
    ASSERT_THROW((void)model_from_bytes(bytes), FormatError) << size;
    reseal(bytes);
    ASSERT_THROW((void)model_from_bytes(bytes), FormatError) << size;
  }
}

TEST(GeodesicFile, with_any_byte_changed_is_refused) {
  const std::string whole = to_bytes(sample());
  for (std::size_t place = 0; place < whole.size(); ++place) {
    for (const unsigned bit : {0U, 5U, 7U}) {
      std::string bytes = whole;
      bytes[place] = static_cast<char>(static_cast<unsigned char>(bytes[place]) ^ (1U << bit));
      ASSERT_THROW((void)model_from_bytes(bytes), FormatError) << place;
    }
  }
}

TEST(GeodesicFile, changed_with_right_checksums_is_read_or_refused) {
  const ThreadLimit serial(1);
  const std::string whole = to_bytes(sample());
  std::size_t n_read = 0;
  for (std::uint64_t item = 0; item < repetitions(25'000); ++item) {
    Random random(1, 0, item);
    std::string bytes = mutated(whole, random);
    reseal(bytes);
    largest_allocation() = 0;
    try {
      auto forest = std::make_shared<const GeodesicForest>(read(bytes));
      ++n_read;
      ASSERT_EQ(to_bytes(read(to_bytes(*forest))), to_bytes(*forest));
      const NeighbourIndex index(forest);
      (void)index.training_proximities();
      (void)index.of_training_rows(forest->n_rows - 1);
      (void)index.of_points(sample_points(forest->forest, 2), 1);
    } catch (const Error& error) {
      const std::string message = error.what();
      ASSERT_TRUE(is_utf8(message) && message.find('\n') == std::string::npos) << message;
    }
    ASSERT_LE(largest_allocation(), std::size_t{1} << 26U);
  }
  EXPECT_GT(n_read, repetitions(500));
}

TEST(GeodesicFile, changed_with_the_old_checksums_is_refused) {
  const std::string whole = to_bytes(sample());
  for (std::uint64_t item = 0; item < repetitions(25'000); ++item) {
    Random random(2, 0, item);
    const std::string bytes = mutated(whole, random);
    if (bytes != whole) {
      ASSERT_THROW((void)model_from_bytes(bytes), FormatError) << item;
    }
  }
}

// Proximities are shares of whole numbers, and columns the same bits everywhere: equal, not close. But powers are not the same everywhere.
TEST(GeodesicFile, of_older_versions_find_the_neighbours_that_they_did) {
  std::size_t n_files = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::string(BENTWOOD_GOLDEN) + "/neighbours")) {
    if (entry.path().extension() != ".bent") {
      continue;
    }
    ++n_files;
    const Bytes file = read_file(entry.path());
    auto forest = std::make_shared<const GeodesicForest>(
        std::get<GeodesicForest>(model_from_bytes(file.view())));
    EXPECT_EQ(to_bytes(*forest), file.view());
    const Bytes bytes = read_file(std::filesystem::path(entry.path()).replace_extension(".npz"));
    const NpzArchive truth(bytes.view(), "golden");
    const auto matrix = [&](std::string_view name) {
      const NpyArray array = truth.array(name);
      return Matrix(array.n_rows(), array.n_cols(), std::get<std::vector<double>>(array.values));
    };
    const Matrix points = matrix("points");
    const Matrix indices = matrix("indices");
    const Matrix distances = matrix("distances");
    const NeighbourIndex index(forest);
    const Neighbours of_points = index.of_points(points, indices.n_cols());
    const Neighbours of_rows = index.of_training_rows(indices.n_cols());
    ASSERT_EQ(indices.n_rows(), points.n_rows() + forest->n_rows);
    for (std::size_t row = 0; row < indices.n_rows(); ++row) {
      const bool is_point = row < points.n_rows();
      const Neighbours& found = is_point ? of_points : of_rows;
      const std::size_t place = is_point ? row : row - points.n_rows();
      for (std::size_t column = 0; column < indices.n_cols(); ++column) {
        EXPECT_EQ(static_cast<double>(found.rows[place * indices.n_cols() + column]),
                  indices(row, column));
        EXPECT_NEAR(found.distances(place, column), distances(row, column),
                    forest->doubts.empty() ? 0 : 1e-14);
      }
    }
  }
  EXPECT_EQ(n_files, 3U);
}

}  // namespace
}  // namespace bentwood
