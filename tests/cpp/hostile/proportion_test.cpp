// Files that ask for much with few bytes, and files of much of one thing: loading takes memory in proportion to the file.
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <utility>

#include "bentwood/base/error.hpp"
#include "bentwood/base/parallel.hpp"
#include "bentwood/model/model.hpp"
#include "hostile/counted_memory.hpp"
#include "hostile/sample_models.hpp"
#include "hostile/sealed_file.hpp"

namespace bentwood {
namespace {

/// The most memory that is held while some bytes are read or refused, over their number.
double proportion(const std::string& bytes) {
  const ThreadLimit serial(1);
  const std::size_t before = held_memory().now;
  held_memory().forget_peak();
  try {
    (void)model_from_bytes(bytes);
  } catch (const FormatError&) {
    // Refused is as good.
  }
  return static_cast<double>(held_memory().peak - before) / static_cast<double>(bytes.size());
}

constexpr double most = 16;

/// A forest of one leaf on a manifold of many columns: the most that a file can ask for with its importances.
std::string leaf_on(const std::string& signature, ColumnFamily family) {
  Forest forest{.estimator = "SomebodysForest", .columns = Columns(Manifold(signature), {family})};
  forest.task = Task::regression;
  Tree leaf;
  leaf.nodes = {{0, TreeNode::leaf, 0}};
  leaf.weights = {1};
  leaf.width = 1;
  leaf.values = {1};
  forest.trees = {leaf};
  forest.importances.assign(forest.columns.n_importances(), 0.0);
  return to_bytes(forest);
}

TEST(Proportion, of_many_columns_and_factors_is_bounded) {
  EXPECT_LE(proportion(leaf_on("E100000", ColumnFamily::geodesic)), most);
  EXPECT_LE(proportion(leaf_on("(E1)^50000", ColumnFamily::geodesic)), most);
  EXPECT_LE(proportion(leaf_on("(S1)^50000", ColumnFamily::chordal)), most);
  EXPECT_LE(proportion(leaf_on("(H2)^50000", ColumnFamily::horosphere)), most);
  EXPECT_LE(proportion(leaf_on("H300", ColumnFamily::pairs)), most);
}

TEST(Proportion, of_many_small_trees_is_bounded) {
  Forest forest = from_bytes(leaf_on("E1", ColumnFamily::geodesic));
  forest.trees.assign(20'000, forest.trees.front());
  EXPECT_LE(proportion(to_bytes(forest)), most);
}

TEST(Proportion, of_many_classes_is_bounded) {
  Forest forest = from_bytes(leaf_on("E1", ColumnFamily::geodesic));
  forest.task = Task::classification;
  std::vector<std::string> names;
  for (std::size_t name = 0; name < 20'000; ++name) {
    names.push_back(std::to_string(100'000 + name));
  }
  forest.classes = names;
  forest.trees[0].width = names.size();
  forest.trees[0].values.assign(names.size(), 0);
  forest.trees[0].values[0] = 1;
  EXPECT_LE(proportion(to_bytes(forest)), most);
  forest.trees[0] = with_sparse_values(std::move(forest.trees[0]));
  EXPECT_LE(proportion(to_bytes(forest)), most);
}

/// 50,000 characters in one of a model's metadata.
TEST(Proportion, of_metadata_that_say_one_thing_again_and_again_is_bounded) {
  const std::vector<std::string> items{"[],",   "{},", "1,", "\"\",", "[[[],[]]],",
                                       "null,", "x ",  "(",  "E1x",   "{\"a\":1},"};
  for (const SampleModel& sample : sample_models()) {
    // One of every kind of file: the others have the same metadata.
    if (sample.kind != "forest_classifier" && sample.kind != "horo_svc" &&
        sample.kind != "poincare_svc" && sample.kind != "geodesic_forest") {
      continue;
    }
    const SealedFile whole(sample.bytes());
    for (const std::string& name : whole.names()) {
      for (const std::string& item : items) {
        std::string many;
        while (many.size() < 50'000) {
          many += item;
        }
        many.pop_back();
        for (const std::string& text : {many, "[" + many + "]", "{\"a\":[" + many + "]}"}) {
          SealedFile file = whole;
          file.set(name, text);
          EXPECT_LE(proportion(file.bytes()), most) << sample.kind << " " << name << " " << item;
        }
      }
    }
  }
}

TEST(Proportion, of_signatures_that_ask_for_much_is_bounded) {
  for (const SampleModel& sample : sample_models()) {
    for (const std::string signature :
         {"(H1)^1000000", "((E1)^1000)^1000", "H1000000", "E1000000", "(S1 x H1)^400000"}) {
      SealedFile file(sample.bytes());
      file.set("signature", signature);
      EXPECT_LE(proportion(file.bytes()), most) << sample.kind << " " << signature;
    }
  }
}

}  // namespace
}  // namespace bentwood
