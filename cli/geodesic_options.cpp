#include "cli/geodesic_options.hpp"

#include <fmt/format.h>

#include <CLI/Error.hpp>
#include <CLI/Option.hpp>
#include <CLI/Validators.hpp>
#include <algorithm>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <vector>

#include "bentwood/geometry/columns.hpp"
#include "cli/max_features.hpp"
#include "cli/points_file.hpp"
#include "cli/session.hpp"

namespace bentwood::cli {
namespace {

using Json = nlohmann::json;

constexpr std::uint64_t most_rows = 1'000'000'000;

const std::vector<std::string>& cluster_criteria() {
  static const std::vector<std::string> names{"fast_bic", "fast_bic_raw", "two_means", "em_bic"};
  return names;
}

/// Of a letter in a to z.
char upper_case(char letter) { return static_cast<char>(letter - 'a' + 'A'); }

std::string criterion(const TrainingOptions& training) {
  return training.criterion.empty() ? cluster_criteria().front() : training.criterion;
}

Json max_features_json(const TrainingOptions& training) {
  return training.max_features.empty() ? Json() : parse_max_features(training.max_features);
}

/// What shaped the model, under the names of the Python package's parameters.
std::map<std::string, std::string> parameters(const GeodesicForestOptions& options,
                                              const TrainingOptions& training,
                                              std::size_t min_samples_split) {
  const Json json{{"bootstrap", options.bootstrap},
                  {"counted", options.counted},
                  {"criterion", criterion(training)},
                  {"density", options.density ? Json(*options.density) : Json()},
                  {"max_depth", training.max_depth == 0 ? Json() : Json(training.max_depth)},
                  {"max_features", max_features_json(training)},
                  {"max_samples", nullptr},
                  {"min_samples_split", min_samples_split},
                  {"min_share", options.min_share},
                  {"n_estimators", training.n_trees},
                  {"n_projections", options.n_projections},
                  {"projection", options.projection},
                  {"random_state", training.seed},
                  {"seed", training.seed},
                  {"shared", options.shared},
                  {"signature", training.signature ? Json(*training.signature) : Json()},
                  {"temperature", options.temperature}};
  std::map<std::string, std::string> result;
  for (const auto& [name, value] : json.items()) {
    result.emplace(name, value.dump(-1, ' ', false, Json::error_handler_t::replace));
  }
  return result;
}

}  // namespace

void add_geodesic_options(CLI::App& command, GeodesicForestOptions& options,
                          const std::string& whose) {
  const auto help = [&whose](std::string text) {
    text.front() = whose.empty() ? upper_case(text.front()) : text.front();
    return whose + text;
  };
  command
      .add_option("--projection", options.projection,
                  help("what nodes look at: all columns, then sums of those with the most "
                       "structure (guided), sums at random (sparse), or the columns alone (axis). "
                       "Default: guided."))
      ->check(CLI::IsMember({"guided", "sparse", "axis"}));
  command
      .add_option("--n-projections", options.n_projections,
                  help("sums that a node looks at with --projection guided, at most. "
                       "Default: 16."))
      ->transform(whole_number(1, 1'000'000));
  command
      .add_option_function<double>(
          "--density", [&options](double density) { options.density = density; },
          help("the share of the columns in a sum with --projection sparse. Default: one column in "
               "the mean."))
      ->check(share_number());
  command
      .add_option("--temperature", options.temperature,
                  help("how evenly a cut is drawn among those about as good; 0 takes the best. "
                       "Default: 0.2."))
      ->check(non_negative_number());
  command
      .add_option("--min-share", options.min_share,
                  help("the share of a node's rows that both sides of a cut keep. Default: 0.1."))
      ->check(share_number(0.5));
  command
      .add_option(
          "--shared", options.shared,
          help("what makes two rows close in a tree: that nothing speaks for two clusters where "
               "they part (evidence), a node that both pass, the smaller the closer (node), or "
               "nothing but the same leaf (leaf). Default: evidence."))
      ->check(CLI::IsMember({"evidence", "node", "leaf"}));
  command.add_flag("--bootstrap", options.bootstrap,
                   help("every tree draws its rows with replacement, and learns from two thirds "
                        "of them. Default: from all."));
  command
      .add_option("--counted", options.counted,
                  help("the trees that count for two rows: all, those that have drawn both "
                       "(in_bag) or neither (out_of_bag, with --bootstrap). Default: all."))
      ->check(CLI::IsMember({"all", "in_bag", "out_of_bag"}));
}

void add_options_of_geodesic_forest(CLI::App& command, TrainingOptions& training,
                                    GeodesicForestOptions& options) {
  add_signature_option(command, training.signature);
  add_coordinates_option(command, "-c,--coordinates", training.coordinates,
                         "The coordinates of the points. Default: ambient.");
  add_off_manifold_option(command, training.off_manifold);
  command.add_option("--n-trees", training.n_trees, "Trees of the forest. Default: 100.")
      ->transform(whole_number(1, 1'000'000));
  command
      .add_option("--criterion", training.criterion,
                  "How two clusters are told: by the BIC of two Gaussians minus that of one "
                  "(fast_bic), of two alone (fast_bic_raw), the variance within them (two_means), "
                  "the BIC of a mixture (em_bic, slow). Default: fast_bic.")
      ->check(CLI::IsMember(cluster_criteria()));
  add_geodesic_options(command, options, "");
  command
      .add_option("--min-samples-split", training.min_samples_split,
                  "Rows that a node needs to be split. Default: 10.")
      ->transform(whole_number(2, most_rows));
  command.add_option("--max-depth", training.max_depth, "Levels of a tree. Default: no limit.")
      ->transform(whole_number(1, most_rows));
  command
      .add_option("--max-features", training.max_features,
                  "Columns that a node looks at: a number, a fraction, sqrt, log2 or all. Default: "
                  "all.")
      ->check(max_features_text());
  command.add_option("--seed", training.seed, "The same seed gives the same forest. Default: 0.")
      ->transform(whole_number(0, std::numeric_limits<std::uint64_t>::max()));
}

void require_geodesic_options(const CLI::App& command, const TrainingOptions& training) {
  const bool tells_clusters =
      std::ranges::find(cluster_criteria(), training.criterion) != cluster_criteria().end();
  if (!training.criterion.empty() && tells_clusters != training.is_geodesic()) {
    throw CLI::ValidationError(fmt::format(
        "--criterion {} is for {}, not for --method {}", training.criterion,
        tells_clusters ? "--method geodesic-forest" : "learning from labels", training.method));
  }
  for (const char* const option :
       {"--task", "--weights", "--class-weight", "--min-samples-leaf", "--max-leaf-nodes",
        "--min-weight-fraction-leaf", "--min-impurity-decrease", "--cv-folds"}) {
    if (training.is_geodesic() && command.count(option) > 0) {
      throw CLI::ValidationError(
          fmt::format("{} is for learning from labels, not for --method geodesic-forest", option));
    }
  }
}

GeodesicOptions geodesic_training_options(const GeodesicForestOptions& options,
                                          const TrainingOptions& training, const CLI::App& command,
                                          std::size_t n_columns) {
  const Signature signature(training.signature ? *training.signature
                                               : fmt::format("E{}", n_columns));
  if (options.density && !(*options.density > 0)) {
    throw CLI::ValidationError("--density is 0, expected a number above 0: a sum has columns");
  }
  GeodesicOptions result{.manifold = Manifold(signature, training.coordinates),
                         .off_manifold = parse_off_manifold(training.off_manifold)};
  result.n_trees = training.n_trees;
  result.counted = parse_counted_trees(options.counted);
  result.bootstrap = options.bootstrap;
  result.shared = parse_shared_nodes(options.shared);
  result.seed = training.seed;
  ClusterOptions& grow = result.grow;
  grow.criterion = parse_cluster_criterion(criterion(training));
  grow.projection = parse_projection(options.projection);
  grow.n_projections = options.n_projections;
  grow.density = options.density.value_or(0);
  grow.temperature = options.temperature;
  grow.limits.min_share = options.min_share;
  if (command.count("--min-samples-split") > 0) {
    grow.min_samples_split = training.min_samples_split;
  }
  grow.max_depth = training.max_depth == 0 ? grow.max_depth : training.max_depth;
  const Columns columns(result.manifold, {ColumnFamily::chordal});
  grow.max_features =
      max_features(max_features_json(training), std::max<std::size_t>(1, columns.size()));
  result.parameters = parameters(options, training, grow.min_samples_split);
  return result;
}

}  // namespace bentwood::cli
