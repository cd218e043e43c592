#include "cli/perceptron_options.hpp"

#include <fmt/format.h>

#include <CLI/Error.hpp>
#include <CLI/Option.hpp>
#include <nlohmann/json.hpp>

#include "cli/session.hpp"

namespace bentwood::cli {
namespace {

using Json = nlohmann::json;

std::map<std::string, std::string> parameters(const PerceptronOptions& options,
                                              const std::string& reference,
                                              const TrainingOptions& training,
                                              const PerceptronTrainingOptions& told) {
  Json json{{"average", options.average},
            {"max_iter", told.max_passes},
            {"max_updates", options.max_updates == 0 ? Json() : Json(options.max_updates)},
            {"random_state", training.seed},
            {"reference", reference},
            {"seed", training.seed},
            {"shuffle", !options.no_shuffle},
            {"signature", training.signature ? Json(*training.signature) : Json()}};
  if (told.kind.second_order) {
    json["regularization"] = options.regularization;
  }
  std::map<std::string, std::string> result;
  for (const auto& [name, value] : json.items()) {
    result.emplace(name, value.dump(-1, ' ', false, Json::error_handler_t::replace));
  }
  return result;
}

}  // namespace

void add_perceptron_options(CLI::App& command, PerceptronOptions& options) {
  command.add_flag("--average", options.average,
                   "perceptrons: the mean of all boundaries on the way rather than the last one.");
  command.add_flag("--no-shuffle", options.no_shuffle,
                   "perceptrons: pass over the rows in their order, as published.");
  command
      .add_option("--max-updates", options.max_updates,
                  "perceptrons: the most mistakes of a boundary. Default: no limit.")
      ->transform(whole_number(1, 1'000'000'000'000));
  command
      .add_option("--regularization", options.regularization,
                  "second-order-perceptron: a of aI + SSᵀ; 0 for the pseudo-inverse. Default: 1.")
      ->check(decimal_number());
}

PerceptronTrainingOptions perceptron_training_options(
    const PerceptronOptions& options, const LinearOptions& linear, const HorosphereOptions& shared,
    const TrainingOptions& training, const CLI::App& command, std::size_t n_columns) {
  for (const char* const weights : {"--class-weight", "--weights"}) {
    if (command.count(weights) > 0) {
      throw CLI::ValidationError(fmt::format(
          "{} is not for --method {}: a perceptron has no weights", weights, training.method));
    }
  }
  const bool second_order = training.method == "second-order-perceptron";
  PerceptronTrainingOptions result{.manifold = hyperbolic_manifold(training, command, n_columns),
                                   .off_manifold = parse_off_manifold(training.off_manifold)};
  const std::string reference = command.count("--reference") > 0 ? linear.reference : "means";
  result.reference = parse_reference_kind(reference);
  result.kind = {second_order, options.regularization};
  result.average = options.average;
  result.shuffle = !options.no_shuffle;
  if (command.count("--max-iter") > 0) {
    result.max_passes = shared.max_iterations;
  }
  if (options.max_updates > 0) {
    result.max_updates = options.max_updates;
  }
  result.seed = training.seed;
  result.estimator = second_order ? "PoincareSecondOrderPerceptron" : "PoincarePerceptron";
  result.parameters = parameters(options, reference, training, result);
  return result;
}

}  // namespace bentwood::cli
