#include "cli/training_options.hpp"

#include <fmt/format.h>

#include <CLI/Error.hpp>
#include <CLI/Option.hpp>
#include <CLI/Validators.hpp>
#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "bentwood/base/error.hpp"
#include "cli/max_features.hpp"
#include "cli/points_file.hpp"
#include "cli/session.hpp"
#include "cli/targets.hpp"

namespace bentwood::cli {
namespace {

using Json = nlohmann::json;

constexpr std::uint64_t most_rows = 1'000'000'000;

Json max_features_json(const TrainingOptions& options, Task task) {
  if (!options.max_features.empty()) {
    return parse_max_features(options.max_features);
  }
  if (options.is_tree()) {
    return nullptr;
  }
  return task == Task::classification ? Json("sqrt") : Json(1.0);
}

std::string criterion(const TrainingOptions& options, Task task) {
  const bool classifies = task == Task::classification;
  if (options.criterion.empty()) {
    return classifies ? "gini" : "squared_error";
  }
  if ((options.criterion == "squared_error") == classifies) {
    throw InvalidInput(fmt::format(
        "--criterion {} is not for {}, expected {}; or say what to learn "
        "with --task",
        options.criterion, name(task), classifies ? "gini, entropy or log_loss" : "squared_error"));
  }
  return options.criterion;
}

ClassBalance balance(const TrainingOptions& options, Task task) {
  if (options.class_weight.empty()) {
    return ClassBalance::none;
  }
  if (task == Task::regression) {
    throw InvalidInput("--class-weight is for classification, but the task is regression");
  }
  if (options.class_weight == "balanced") {
    return ClassBalance::all_rows;
  }
  if (options.is_tree()) {
    throw CLI::ValidationError(
        "--class-weight balanced_subsample is for forests: a tree draws no rows");
  }
  return ClassBalance::each_tree;
}

std::string estimator(const TrainingOptions& options, Task task) {
  return fmt::format("{}{}{}", options.is_horo() ? "Horo" : "Manifold",
                     options.is_tree() ? "Tree" : "Forest",
                     task == Task::classification ? "Classifier" : "Regressor");
}

/// As in the Python package: exact cuts of horospheres fit leaves of one row too well.
std::size_t min_samples_leaf(const TrainingOptions& options) {
  constexpr std::size_t of_horospheres = 3;
  return options.min_samples_leaf > 0 ? options.min_samples_leaf
         : options.is_horo()          ? of_horospheres
                                      : 1;
}

/// What shaped the model, under the names of the Python package's parameters.
std::map<std::string, std::string> parameters(const TrainingOptions& options, Task task) {
  const auto or_null = [](std::size_t limit) { return limit == 0 ? Json() : Json(limit); };
  Json json{{"criterion", criterion(options, task)},
            {"max_depth", or_null(options.max_depth)},
            {"max_features", max_features_json(options, task)},
            {"max_leaf_nodes", or_null(options.max_leaf_nodes)},
            {"min_impurity_decrease", options.min_impurity_decrease},
            {"min_samples_leaf", min_samples_leaf(options)},
            {"min_samples_split", options.min_samples_split},
            {"min_weight_fraction_leaf", options.min_weight_fraction_leaf},
            {"random_state", options.seed},
            {"seed", options.seed},
            {"signature", options.signature ? Json(*options.signature) : Json()}};
  if (task == Task::classification) {
    json["class_weight"] = options.class_weight.empty() ? Json() : Json(options.class_weight);
  }
  if (options.is_horo()) {
    const HoroTreeOptions& horospheres = options.horospheres;
    json["beta"] = horospheres.beta;
    json["hyperclasses"] = !horospheres.no_hyperclasses;
    json["ideal_points"] = horospheres.ideal_points;
    json["n_candidates"] = horospheres.n_candidates;
    json["threshold"] = horospheres.threshold;
  }
  if (!options.is_tree()) {
    json["n_estimators"] = options.n_trees;
    json["bootstrap"] = true;
    json["max_samples"] = nullptr;
  }
  std::map<std::string, std::string> result;
  for (const auto& [name, value] : json.items()) {
    result.emplace(name, value.dump(-1, ' ', false, Json::error_handler_t::replace));
  }
  return result;
}

Impurity impurity(const std::string& criterion) {
  if (criterion == "squared_error") {
    return Impurity::squared_error;
  }
  return criterion == "gini" ? Impurity::gini : Impurity::entropy;
}

}  // namespace

void add_training_options(CLI::App& command, TrainingOptions& options) {
  add_signature_option(command, options.signature);
  add_coordinates_option(command, "-c,--coordinates", options.coordinates,
                         "The coordinates of the points. Default: ambient.");
  add_off_manifold_option(command, options.off_manifold);
  command
      .add_option("--splits", options.splits,
                  "What trees cut: geodesic (the axes of every factor), pairs (these and the "
                  "angles of all pairs of a factor's axes), horosphere (of hyperbolic factors; "
                  "alone, or besides the others) or chordal (ambient coordinates of spherical "
                  "factors). Default: geodesic.")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::IsMember({"geodesic", "pairs", "horosphere", "chordal"}));
  command
      .add_option("--method", options.method,
                  "forest, tree, horo-forest (or horo) and horo-tree (which cut horospheres), "
                  "horo-svc (one horosphere a class, on one hyperbolic factor), poincare-svm (a "
                  "linear SVM), perceptron, second-order-perceptron or geodesic-forest "
                  "(neighbours, without labels). Default: forest.")
      ->transform(CLI::Transformer({{"horo", "horo-forest"}}).description(""))
      ->check(
          CLI::IsMember({"forest", "tree", "horo-forest", "horo-tree", "horo-svc", "poincare-svm",
                         "perceptron", "second-order-perceptron", "geodesic-forest"}));
  command.add_option("--n-trees", options.n_trees, "Trees of a forest. Default: 100.")
      ->transform(whole_number(1, 1'000'000));
  command.add_option("--max-depth", options.max_depth, "Levels of a tree. Default: no limit.")
      ->transform(whole_number(1, most_rows));
  command
      .add_option("--min-samples-split", options.min_samples_split,
                  "Rows that a node needs to be split. Default: 2; of geodesic-forest 10.")
      ->transform(whole_number(2, most_rows));
  command
      .add_option("--min-samples-leaf", options.min_samples_leaf,
                  "Rows that a leaf must have. Default: 1; of horo-tree and horo-forest 3.")
      ->transform(whole_number(1, most_rows));
  command
      .add_option("--max-leaf-nodes", options.max_leaf_nodes,
                  "Leaves of a tree. Default: no limit.")
      ->transform(whole_number(2, most_rows));
  command
      .add_option("--min-weight-fraction-leaf", options.min_weight_fraction_leaf,
                  "The share of all weights that a leaf must have, up to 0.5. Default: 0.")
      ->check(share_number(0.5));
  command
      .add_option("--min-impurity-decrease", options.min_impurity_decrease,
                  "How much a split must lower the impurity, weighed by the node's share of all "
                  "rows. Default: 0.")
      ->check(non_negative_number());
  command
      .add_option("--max-features", options.max_features,
                  "Columns that a node looks at: a number, a fraction, sqrt, log2 or all. Default: "
                  "sqrt for forests that classify, else all.")
      ->check(max_features_text());
  command
      .add_option(
          "--criterion", options.criterion,
          "How impure a node is; of geodesic-forest, how two clusters are told. Default: gini, "
          "squared_error in a regression, fast_bic.")
      ->check(CLI::IsMember({"gini", "entropy", "log_loss", "squared_error", "fast_bic",
                             "fast_bic_raw", "two_means", "em_bic"}));
  command
      .add_option("--class-weight", options.class_weight,
                  "balanced lets each class weigh as much as any other; balanced_subsample counts "
                  "anew among the rows that each tree has drawn. Default: neither.")
      ->check(CLI::IsMember({"balanced", "balanced_subsample"}));
  command.add_option("--seed", options.seed, "The same seed gives the same model. Default: 0.")
      ->transform(whole_number(0, std::numeric_limits<std::uint64_t>::max()));
}

TrainOptions train_options(const TrainingOptions& options, Task task, std::size_t n_columns) {
  if (options.is_horo() && task == Task::regression) {
    throw InvalidInput(
        fmt::format("--method {} is for classification, but the task is regression; pass --splits "
                    "horosphere to a tree or a forest",
                    options.method));
  }
  std::vector<ColumnFamily> families;
  for (const std::string& split : options.splits) {
    families.push_back(parse_column_family(split));
  }
  if (options.is_horo()) {
    families = {ColumnFamily::horosphere};
  }
  const std::size_t dim =
      n_columns - (options.is_horo() && options.coordinates == Coordinates::ambient ? 1 : 0);
  const std::string flat = fmt::format("{}{}", options.is_horo() ? 'H' : 'E', dim);
  const Manifold manifold(Signature(options.signature ? *options.signature : flat),
                          options.coordinates);
  TrainOptions result{.columns = Columns(manifold, families),
                      .off_manifold = parse_off_manifold(options.off_manifold)};
  result.estimator = estimator(options, task);
  result.parameters = parameters(options, task);
  ForestOptions& forest = result.forest;
  forest.n_trees = options.is_tree() ? 1 : options.n_trees;
  forest.bootstrap = !options.is_tree();
  forest.seed = options.seed;
  forest.balance = balance(options, task);
  GrowOptions& grow = forest.grow;
  grow.impurity = impurity(criterion(options, task));
  grow.max_depth = options.max_depth == 0 ? grow.max_depth : options.max_depth;
  grow.min_samples_split = options.min_samples_split;
  grow.min_samples_leaf = min_samples_leaf(options);
  grow.max_leaf_nodes = options.max_leaf_nodes;
  grow.min_weight_fraction_leaf = options.min_weight_fraction_leaf;
  grow.min_impurity_decrease = options.min_impurity_decrease;
  grow.max_features = max_features(max_features_json(options, task),
                                   std::max<std::size_t>(1, result.columns.size()));
  const HoroTreeOptions& horospheres = options.horospheres;
  grow.horospheres = {.places = {},
                      .ideal_points = parse_ideal_points(horospheres.ideal_points),
                      .threshold = parse_horosphere_threshold(horospheres.threshold),
                      .hyperclasses = !horospheres.no_hyperclasses,
                      .balance = horospheres.beta,
                      .n_candidates = horospheres.n_candidates};
  return result;
}

}  // namespace bentwood::cli
