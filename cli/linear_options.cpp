#include "cli/linear_options.hpp"

#include <fmt/format.h>

#include <CLI/Error.hpp>
#include <CLI/Option.hpp>
#include <CLI/Validators.hpp>
#include <nlohmann/json.hpp>

#include "bentwood/base/error.hpp"

namespace bentwood::cli {
namespace {

using Json = nlohmann::json;

std::map<std::string, std::string> parameters(const LinearOptions& options,
                                              const HorosphereOptions& shared,
                                              const TrainingOptions& training,
                                              std::size_t max_iterations) {
  const Json json{
      {"C", shared.cost},
      {"class_weight", training.class_weight.empty() ? Json() : Json(training.class_weight)},
      {"fit_intercept", !options.no_intercept},
      {"loss", shared.loss},
      {"max_iter", max_iterations},
      {"platt", options.platt},
      {"probability", shared.probability},
      {"random_state", training.seed},
      {"reference", options.reference},
      {"seed", training.seed},
      {"signature", training.signature ? Json(*training.signature) : Json()},
      {"space", options.space},
      {"tol", shared.tolerance}};
  std::map<std::string, std::string> result;
  for (const auto& [name, value] : json.items()) {
    result.emplace(name, value.dump(-1, ' ', false, Json::error_handler_t::replace));
  }
  return result;
}

}  // namespace

Manifold hyperbolic_manifold(const TrainingOptions& training, const CLI::App& command,
                             std::size_t n_columns) {
  Coordinates coordinates = training.coordinates;
  if (!training.signature && command.count("--coordinates") == 0) {
    coordinates = Coordinates::tangent;
  }
  const std::size_t dim = n_columns - (coordinates == Coordinates::ambient ? 1 : 0);
  if (!training.signature && dim == 0) {
    throw InvalidInput(
        fmt::format("found {} column of coordinates, expected at least 2 in ambient coordinates "
                    "of H",
                    n_columns));
  }
  const Signature signature(training.signature ? *training.signature : fmt::format("H{}", dim));
  return Manifold(signature, coordinates);
}

void add_linear_options(CLI::App& command, LinearOptions& options) {
  command
      .add_option(
          "--space", options.space,
          "poincare-svm: the features, tangent vectors at a reference point, these with the "
          "paper's weights, or ambient (Lorentz) coordinates. Default: tangent.")
      ->check(CLI::IsMember({"tangent", "weighted", "lorentz"}));
  command
      .add_option("--reference", options.reference,
                  "poincare-svm, perceptrons: the reference points, between the hulls or the means "
                  "of a class and the others, or the origin. Default: hull; means.")
      ->check(CLI::IsMember({"hull", "means", "origin"}));
  command
      .add_option("--platt", options.platt,
                  "poincare-svm: the scores that probabilities are learned from, cross (of rows "
                  "left out) or train. Default: cross.")
      ->check(CLI::IsMember({"cross", "train"}));
  command.add_flag("--no-intercept", options.no_intercept,
                   "poincare-svm: boundaries through their reference points, as published.");
}

LinearTrainingOptions linear_training_options(const LinearOptions& options,
                                              const HorosphereOptions& shared,
                                              const TrainingOptions& training,
                                              const CLI::App& command, std::size_t n_columns) {
  if (training.class_weight == "balanced_subsample") {
    throw CLI::ValidationError(
        "--class-weight balanced_subsample is for forests, not poincare-svm");
  }
  LinearTrainingOptions result{.manifold = hyperbolic_manifold(training, command, n_columns),
                               .off_manifold = parse_off_manifold(training.off_manifold)};
  result.space = parse_feature_space(options.space);
  result.reference = parse_reference_kind(options.reference);
  result.cost = shared.cost;
  result.svm.loss = parse_margin_loss(shared.loss);
  result.svm.tolerance = shared.tolerance;
  if (command.count("--max-iter") > 0) {
    result.svm.max_iterations = shared.max_iterations;
  }
  result.svm.seed = training.seed;
  result.fit_intercept = !options.no_intercept;
  result.balance_classes = training.class_weight == "balanced";
  if (shared.probability) {
    result.platt = parse_platt_kind(options.platt);
  }
  result.seed = training.seed;
  result.parameters = parameters(options, shared, training, result.svm.max_iterations);
  return result;
}

}  // namespace bentwood::cli
