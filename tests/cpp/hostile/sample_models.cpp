#include "hostile/sample_models.hpp"

#include <array>
#include <cstdint>
#include <numeric>
#include <utility>

#include "bentwood/datasets/mixture.hpp"
#include "bentwood/ensemble/train.hpp"
#include "bentwood/ensemble/train_geodesic.hpp"
#include "bentwood/linear/horosphere_training.hpp"
#include "bentwood/linear/linear_training.hpp"
#include "bentwood/linear/perceptron_training.hpp"
#include "bentwood/model/check_forest.hpp"
#include "bentwood/model/model.hpp"

namespace bentwood {
namespace {

/// Points with the numbers of their classes.
struct Rows {
  Manifold manifold;
  Matrix points;
  std::vector<std::uint32_t> classes;
};

Rows rows(std::string_view signature, std::size_t n_classes,
          Coordinates coordinates = Coordinates::ambient, std::size_t n_rows = 40) {
  LabelledPoints drawn = wrapped_normal_mixture({.signature = Signature(signature),
                                                 .n_rows = n_rows,
                                                 .n_classes = n_classes,
                                                 .noise = 0.5,
                                                 .class_weights = std::vector<double>(n_classes, 1),
                                                 .coordinates = coordinates,
                                                 .seed = 3});
  std::vector<std::uint32_t> classes(drawn.labels.begin(), drawn.labels.end());
  return {Manifold(signature, coordinates), std::move(drawn.points), std::move(classes)};
}

Labels names(std::size_t n_classes) {
  constexpr std::array<std::string_view, 4> all{"ant", "bee", "cow", "dog"};
  return std::vector<std::string>(all.begin(),
                                  all.begin() + static_cast<std::ptrdiff_t>(n_classes));
}

TrainOptions tree_options(const Rows& given, std::vector<ColumnFamily> families,
                          std::string estimator, std::size_t n_trees) {
  TrainOptions options{.columns = Columns(given.manifold, std::move(families))};
  options.estimator = std::move(estimator);
  options.forest.n_trees = n_trees;
  options.forest.bootstrap = n_trees > 1;
  options.forest.grow.max_depth = 4;
  options.forest.grow.max_features = options.columns.size();
  options.forest.seed = 1;
  options.parameters = {{"max_depth", "4"},       {"n_estimators", std::to_string(n_trees)},
                        {"random_state", "null"}, {"seed", "1"},
                        {"class_weight", "null"}, {"max_features", "\"sqrt\""}};
  return options;
}

std::string classifier(std::string_view signature, std::vector<ColumnFamily> families,
                       std::string estimator, std::size_t n_trees,
                       const Labels& classes = names(3)) {
  const std::size_t n_classes = n_labels(classes);
  const Rows given = rows(signature, n_classes);
  TrainOptions options = tree_options(given, std::move(families), std::move(estimator), n_trees);
  options.feature_names.resize(given.manifold.n_columns());
  for (std::size_t column = 0; column < options.feature_names.size(); ++column) {
    options.feature_names[column] = "f" + std::to_string(column);
  }
  const Target target{.task = Task::classification,
                      .width = n_classes,
                      .classes = given.classes,
                      .outputs = {},
                      .weights = {}};
  return to_bytes(train_forest(given.points, target, classes, options).forest);
}

std::string regressor(std::string estimator, std::size_t n_trees) {
  const Rows given = rows("H2(-0.5) x S2 x E1", 2);
  TrainOptions options =
      tree_options(given, {ColumnFamily::geodesic}, std::move(estimator), n_trees);
  options.forest.grow.impurity = Impurity::squared_error;
  options.off_manifold = OffManifold::project;
  options.output_names = {"height", "width"};
  Matrix outputs(given.points.n_rows(), 2);
  for (std::size_t row = 0; row < outputs.n_rows(); ++row) {
    outputs(row, 0) = given.points(row, 1);
    outputs(row, 1) = 10 * given.points(row, 2);
  }
  const Target target{.task = Task::regression,
                      .width = 2,
                      .classes = {},
                      .outputs = std::move(outputs),
                      .weights = {}};
  return to_bytes(train_forest(given.points, target, {}, options).forest);
}

std::string horospheres(std::size_t n_classes, bool probability) {
  const Rows given = rows("H3(-0.5)", n_classes, Coordinates::poincare);
  HorosphereTrainingOptions options{.manifold = given.manifold, .probability = probability};
  options.parameters = {
      {"C", "1.0"}, {"seed", "0"}, {"probability", probability ? "true" : "false"}};
  return to_bytes(
      train_horospheres(given.points, given.classes, {}, names(n_classes), options).classifier);
}

std::string linear(std::string_view signature, std::size_t n_classes, FeatureSpace space,
                   PlattKind platt) {
  const Rows given = rows(signature, n_classes);
  LinearTrainingOptions options{
      .manifold = given.manifold, .space = space, .reference = ReferenceKind::means};
  options.fit_intercept = true;
  options.platt = platt;
  options.parameters = {{"C", "1.0"}, {"reference", "\"means\""}, {"seed", "0"}};
  return to_bytes(
      train_linear(given.points, given.classes, {}, names(n_classes), options).classifier);
}

std::string perceptron(std::size_t n_classes, PerceptronKind kind) {
  const Rows given = rows("H2", n_classes);
  PerceptronTrainingOptions options{.manifold = given.manifold, .kind = kind, .max_passes = 10};
  options.parameters = {{"max_iter", "10"}, {"seed", "0"}};
  return to_bytes(
      train_perceptron(given.points, given.classes, names(n_classes), options).classifier);
}

std::string geodesic(SharedNodes shared, CountedTrees counted) {
  const Rows given = rows("H2 x S1 x E2", 2);
  GeodesicOptions options{.manifold = given.manifold};
  options.n_trees = 3;
  options.bootstrap = true;
  options.shared = shared;
  options.counted = counted;
  options.parameters = {{"n_estimators", "3"}, {"seed", "0"}};
  return to_bytes(train_geodesic_forest(given.points, options).forest);
}

}  // namespace

std::vector<SampleModel> sample_models() {
  using Family = ColumnFamily;
  return {
      {"tree_classifier",
       [] {
         return classifier("H2", {Family::geodesic}, "ManifoldTreeClassifier", 1,
                           std::vector<std::int64_t>{-3, 0, 7});
       }},
      {"tree_regressor", [] { return regressor("ManifoldTreeRegressor", 1); }},
      {"forest_classifier",
       [] { return classifier("H2 x E2", {Family::geodesic}, "ManifoldForestClassifier", 4); }},
      {"forest_regressor", [] { return regressor("ManifoldForestRegressor", 4); }},
      {"many_classes",
       [] {
         std::vector<std::int64_t> classes(most_dense_classes + 44);
         std::iota(classes.begin(), classes.end(), std::int64_t{-9});
         return classifier("H2", {Family::geodesic}, "ManifoldForestClassifier", 2, classes);
       }},
      {"pairs",
       [] {
         return classifier("S3", {Family::geodesic, Family::pairs, Family::chordal},
                           "ManifoldForestClassifier", 3, std::vector<double>{-0.5, 2, 1e300});
       }},
      {"horosphere_tree",
       [] { return classifier("H2", {Family::horosphere}, "HoroTreeClassifier", 1); }},
      {"horosphere_forest",
       [] {
         return classifier("H2 x S1 x H3(-2)", {Family::horosphere}, "HoroForestClassifier", 3);
       }},
      {"horo_svc", [] { return horospheres(3, true); }},
      {"horo_svc_of_two", [] { return horospheres(2, false); }},
      {"poincare_svc", [] { return linear("H2", 3, FeatureSpace::tangent, PlattKind::train); }},
      {"poincare_svc_on_a_product",
       [] { return linear("H2 x S2 x E1", 2, FeatureSpace::weighted, PlattKind::none); }},
      {"poincare_svc_in_lorentz_space",
       [] { return linear("H2(-0.5)", 2, FeatureSpace::lorentz, PlattKind::train); }},
      {"perceptron", [] { return perceptron(3, {}); }},
      {"second_order_perceptron", [] { return perceptron(2, {.second_order = true}); }},
      {"second_order_perceptron_without_ridge",
       [] { return perceptron(2, {.second_order = true, .regularization = 0}); }},
      {"geodesic_forest", [] { return geodesic(SharedNodes::node, CountedTrees::all); }},
      {"geodesic_forest_of_leaves",
       [] { return geodesic(SharedNodes::leaf, CountedTrees::out_of_bag); }},
      {"geodesic_forest_with_doubts",
       [] { return geodesic(SharedNodes::evidence, CountedTrees::in_bag); }},
  };
}

}  // namespace bentwood
