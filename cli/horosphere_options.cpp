#include "cli/horosphere_options.hpp"

#include <fmt/format.h>

#include <CLI/Error.hpp>
#include <CLI/Option.hpp>
#include <CLI/Validators.hpp>
#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>
#include <vector>

#include "bentwood/base/error.hpp"
#include "cli/session.hpp"

namespace bentwood::cli {
namespace {

using Json = nlohmann::json;

std::map<std::string, std::string> parameters(const HorosphereOptions& options,
                                              const TrainingOptions& training) {
  const Json json{
      {"C", options.cost},
      {"beta", options.beta},
      {"class_weight", training.class_weight.empty() ? Json() : Json(training.class_weight)},
      {"loss", options.loss},
      {"max_iter", options.max_iterations},
      {"n_restarts", options.n_restarts},
      {"probability", options.probability},
      {"random_state", training.seed},
      {"seed", training.seed},
      {"signature", training.signature ? Json(*training.signature) : Json()},
      {"tol", options.tolerance}};
  std::map<std::string, std::string> result;
  for (const auto& [name, value] : json.items()) {
    result.emplace(name, value.dump(-1, ' ', false, Json::error_handler_t::replace));
  }
  return result;
}

}  // namespace

void add_horosphere_options(CLI::App& command, HorosphereOptions& options) {
  command
      .add_option("--cost", options.cost,
                  "horo-svc, poincare-svm: what a row short of its margin costs (C). Default: 1.")
      ->check(positive_number());
  command
      .add_option("--loss", options.loss,
                  "horo-svc, poincare-svm: how much. Default: squared_hinge.")
      ->check(CLI::IsMember({"squared_hinge", "hinge"}));
  command
      .add_option("--beta", options.beta,
                  "horo-svc, horo-tree, horo-forest: balance of a horosphere's sides, 0 to 1. "
                  "Default: 0, none.")
      ->check(share_number());
  command
      .add_option("--n-restarts", options.n_restarts,
                  "horo-svc: descents besides that from the class means. Default: 2.")
      ->transform(whole_number(0, 1'000));
  command
      .add_option("--max-iter", options.max_iterations,
                  "horo-svc, poincare-svm: the most steps of a descent; perceptrons: the most "
                  "passes over the rows. Default: 200; 100000; 1000.")
      ->transform(whole_number(1, 1'000'000'000));
  command
      .add_option(
          "--tol", options.tolerance,
          "horo-svc: the gradient at which a descent ends; poincare-svm: how near the minimum. "
          "Default: 1e-6.")
      ->check(positive_number());
  command.add_flag("--probability", options.probability,
                   "horo-svc, poincare-svm: learn probabilities, too, for predict --proba.");
}

void add_horo_tree_options(CLI::App& command, HoroTreeOptions& options) {
  command
      .add_option("--ideal-points", options.ideal_points,
                  "horo-tree, horo-forest: where a node looks for them: svm, search, both or axes. "
                  "Default: svm.")
      ->check(CLI::IsMember({"svm", "search", "both", "axes"}));
  command
      .add_option("--threshold", options.threshold,
                  "horo-tree, horo-forest: where an SVM's horospheres are cut, by gain or margin. "
                  "Default: gain.")
      ->check(CLI::IsMember({"gain", "margin"}));
  command.add_flag("--no-hyperclasses", options.no_hyperclasses,
                   "horo-tree, horo-forest: no SVMs for groups of classes.");
  command
      .add_option("--n-candidates", options.n_candidates,
                  "horo-tree, horo-forest: directions that a search begins with. Default: 60.")
      ->transform(whole_number(1, 1'000'000));
}

void require_options_of_method(const CLI::App& command, const std::string& method) {
  struct Group {
    std::vector<const char*> options;
    std::vector<std::string> methods;
    std::string_view whose;
  };
  const std::vector<Group> groups{
      {{"--splits"}, {"tree", "forest"}, "--method tree and forest"},
      {{"--n-trees", "--max-depth", "--min-samples-split", "--min-samples-leaf", "--max-leaf-nodes",
        "--min-weight-fraction-leaf", "--min-impurity-decrease", "--max-features", "--criterion"},
       {"tree", "forest", "horo-tree", "horo-forest", "geodesic-forest"},
       "trees and forests"},
      {{"--projection", "--n-projections", "--density", "--temperature", "--min-share", "--shared",
        "--bootstrap", "--counted"},
       {"geodesic-forest"},
       "--method geodesic-forest"},
      {{"--n-restarts"}, {"horo-svc"}, "--method horo-svc"},
      {{"--cost", "--loss", "--tol", "--probability"},
       {"horo-svc", "poincare-svm"},
       "--method horo-svc and poincare-svm"},
      {{"--max-iter"},
       {"horo-svc", "poincare-svm", "perceptron", "second-order-perceptron"},
       "--method horo-svc, poincare-svm and perceptrons"},
      {{"--space", "--platt", "--no-intercept"}, {"poincare-svm"}, "--method poincare-svm"},
      {{"--reference"},
       {"poincare-svm", "perceptron", "second-order-perceptron"},
       "--method poincare-svm and perceptrons"},
      {{"--average", "--no-shuffle", "--max-updates"},
       {"perceptron", "second-order-perceptron"},
       "perceptrons"},
      {{"--regularization"}, {"second-order-perceptron"}, "--method second-order-perceptron"},
      {{"--beta"}, {"horo-svc", "horo-tree", "horo-forest"}, "horospheres"},
      {{"--ideal-points", "--threshold", "--no-hyperclasses", "--n-candidates"},
       {"horo-tree", "horo-forest"},
       "--method horo-tree and horo-forest"}};
  for (const Group& group : groups) {
    if (std::ranges::find(group.methods, method) != group.methods.end()) {
      continue;
    }
    for (const char* const option : group.options) {
      if (command.count(option) > 0) {
        throw CLI::ValidationError(
            fmt::format("{} is for {}, not for --method {}", option, group.whose, method));
      }
    }
  }
}

HorosphereTrainingOptions horosphere_training_options(const HorosphereOptions& options,
                                                      const TrainingOptions& training,
                                                      bool has_coordinates, std::size_t n_columns) {
  if (training.class_weight == "balanced_subsample") {
    throw CLI::ValidationError("--class-weight balanced_subsample is for forests, not horo-svc");
  }
  if (!training.class_weight.empty() && options.beta != 0) {
    throw CLI::ValidationError("--beta and --class-weight both balance classes, expected one");
  }
  Coordinates coordinates = training.coordinates;
  if (!training.signature && !has_coordinates) {
    coordinates = Coordinates::tangent;
  }
  const std::size_t dim = n_columns - (coordinates == Coordinates::ambient ? 1 : 0);
  const Signature signature(training.signature ? *training.signature : fmt::format("H{}", dim));
  HorosphereTrainingOptions result{.manifold = Manifold(signature, coordinates),
                                   .off_manifold = parse_off_manifold(training.off_manifold)};
  result.svm = {.cost = options.cost,
                .loss = parse_margin_loss(options.loss),
                .balance = options.beta,
                .n_restarts = options.n_restarts,
                .max_iterations = options.max_iterations,
                .tolerance = options.tolerance};
  result.balance_classes = training.class_weight == "balanced";
  result.probability = options.probability;
  result.seed = training.seed;
  result.parameters = parameters(options, training);
  return result;
}

}  // namespace bentwood::cli
