#pragma once

#include <algorithm>
#include <functional>
#include <numeric>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bentwood/model/forest.hpp"
#include "model/random_forest.hpp"

namespace bentwood {

/// A small model, the same whenever it is made.
struct SampleForest {
  std::string_view name;
  std::function<Forest()> make;
};

inline std::ostream& operator<<(std::ostream& out, const SampleForest& sample) {
  return out << sample.name;
}

/// Points that the model takes.
inline Matrix sample_points(const Forest& forest, std::size_t n_rows) {
  return forest.columns.manifold().random(n_rows, 0.5, 7);
}

inline Forest sample_forest(const RandomForestShape& shape, std::uint64_t seed) {
  const Manifold manifold(shape.signature, shape.coordinates);
  Forest forest = random_forest(shape, manifold.random(50, 0.5, seed), seed);
  Random random(seed, 1);
  for (double& importance : forest.importances) {
    importance = random.uniform();
  }
  return forest;
}

/// Makes a classifier of a forest: its numbers become shares, of which those of a leaf sum to 1.
inline void make_classifier(Forest& forest, std::string estimator, Labels classes) {
  forest.task = Task::classification;
  forest.estimator = std::move(estimator);
  forest.classes = std::move(classes);
  for (Tree& tree : forest.trees) {
    for (std::size_t row = 0; row < tree.values.size(); row += tree.width) {
      const std::span<double> shares = std::span(tree.values).subspan(row, tree.width);
      double sum = 0;
      for (double& share : shares) {
        sum += share += 1e-3;
      }
      for (double& share : shares) {
        share /= sum;
      }
    }
  }
}

inline std::vector<SampleForest> sample_forests() {
  return {
      {"classifier",
       [] {
         Forest forest = sample_forest({.signature = "H2", .n_trees = 2, .n_splits = 6}, 3);
         make_classifier(forest, "ManifoldTreeClassifier",
                         std::vector<std::string>{"ant", "bee", "cat"});
         forest.feature_names = {"t", "x", "größe \"y\"\n"};
         forest.parameters = {
             {"max_depth", "null"}, {"max_features", "\"sqrt\""}, {"n_estimators", "2"}};
         return forest;
       }},
      {"regressor",
       [] {
         Forest forest = sample_forest({.signature = "H2(-0.5) x S2 x E1",
                                        .coordinates = Coordinates::poincare,
                                        .n_trees = 3,
                                        .n_splits = 8,
                                        .width = 2},
                                       5);
         forest.off_manifold = OffManifold::project;
         forest.output_names = {"height", "width"};
         return forest;
       }},
      {"pairs",
       [] {
         Forest forest = sample_forest({.signature = "S3",
                                        .families = {ColumnFamily::geodesic, ColumnFamily::pairs},
                                        .n_trees = 1,
                                        .n_splits = 10,
                                        .width = 2},
                                       8);
         make_classifier(forest, "ManifoldForestClassifier", std::vector<double>{-0.1, 1e300});
         return forest;
       }},
      {"horospheres",
       [] {
         Forest forest = sample_forest({.signature = "H2 x S1 x H3(-2)",
                                        .coordinates = Coordinates::poincare,
                                        .families = {ColumnFamily::horosphere},
                                        .n_trees = 3,
                                        .n_splits = 8,
                                        .width = 2},
                                       10);
         make_classifier(forest, "HoroForestClassifier",
                         std::vector<std::string>{"inside", "outside"});
         return forest;
       }},
      {"many_classes",
       [] {
         Forest forest =
             sample_forest({.signature = "H2", .n_trees = 2, .n_splits = 4, .width = 300}, 12);
         forest.task = Task::classification;
         forest.estimator = "ManifoldForestClassifier";
         std::vector<std::int64_t> classes(300);
         std::iota(classes.begin(), classes.end(), std::int64_t{0});
         forest.classes = classes;
         for (Tree& tree : forest.trees) {
           // Three classes in each leaf.
           for (std::size_t row = 0; row < tree.n_value_rows(); ++row) {
             const std::span<double> value = std::span(tree.values).subspan(row * 300, 300);
             std::ranges::fill(value, 0.0);
             value[7 * row] = 0.5;
             value[7 * row + 3] = value[299 - row] = 0.25;
           }
           tree = with_sparse_values(std::move(tree));
         }
         return forest;
       }},
      {"leaf",
       [] {
         Forest forest = sample_forest(
             {.signature = "E1", .n_trees = 1, .n_splits = 0, .width = 1, .n_value_rows = 1}, 9);
         make_classifier(forest, "ManifoldTreeClassifier",
                         std::vector<std::int64_t>{-9007199254740993});
         return forest;
       }},
  };
}

}  // namespace bentwood
