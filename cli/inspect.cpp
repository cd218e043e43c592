#include <fmt/format.h>

#include <CLI/App.hpp>
#include <CLI/Error.hpp>
#include <CLI/Option.hpp>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>

#include "bentwood/base/error.hpp"
#include "bentwood/base/parallel.hpp"
#include "bentwood/data/file.hpp"
#include "bentwood/data/input.hpp"
#include "bentwood/data/text.hpp"
#include "bentwood/model/describe.hpp"
#include "bentwood/model/model.hpp"
#include "cli/geodesic_report.hpp"
#include "cli/horosphere_report.hpp"
#include "cli/linear_report.hpp"
#include "cli/model_report.hpp"
#include "cli/output_file.hpp"
#include "cli/points_file.hpp"
#include "cli/report.hpp"
#include "cli/scores.hpp"
#include "cli/session.hpp"

namespace bentwood::cli {
namespace {

struct InspectOptions {
  PointsFileOptions input;
  std::optional<std::string> signature;
  Coordinates coordinates = Coordinates::ambient;
  ShownTree shown;
  std::string graphviz;
  bool json = false;
  /// For the options that were given.
  const CLI::App* command = nullptr;
};

/// Throws a usage error where one of the options was given.
void refuse(const CLI::App& command, std::initializer_list<const char*> options,
            const std::string& reason) {
  for (const char* const option : options) {
    if (command.count(option) > 0) {
      throw CLI::ValidationError(fmt::format("{} {}", option, reason));
    }
  }
}

/// The tree as it is, unless --depth says how much of it.
void write_graphviz(const InspectOptions& options, const Forest& forest) {
  TreeTextOptions text;
  text.max_depth = options.shown.depth.value_or(text.max_depth);
  const std::string dot = tree_graphviz(forest, options.shown.tree, text);
  if (options.graphviz == "-") {
    print(dot);
  } else {
    write_file(options.graphviz, std::span(&dot, 1));
  }
}

void inspect_model(const InspectOptions& options, Input& input) {
  const std::string& path = input.path();
  refuse(*options.command,
         {"--signature", "--coordinates", "--label", "--columns", "--no-header", "--format",
          "--array"},
         fmt::format("is for points, but {} is a model", printable(path)));
  std::size_t n_bytes = 0;
  const Model model = load_model(input, n_bytes);
  const auto report = [&](const auto& found, const auto&... shown) {
    if (options.json) {
      print(model_json(input.source(), found, n_bytes, shown...));
    } else {
      print(model_text(input.source(), found, n_bytes, shown...));
    }
  };
  const auto report_trees = [&](const auto& found, const Forest& forest) {
    if (options.graphviz.empty()) {
      report(found, options.shown);
    } else {
      check_output(options.graphviz, {path});
      write_graphviz(options, forest);
    }
  };
  if (const auto* const forest = std::get_if<Forest>(&model)) {
    report_trees(*forest, *forest);
    return;
  }
  if (const auto* const geodesic = std::get_if<GeodesicForest>(&model)) {
    report_trees(*geodesic, geodesic->forest);
    return;
  }
  refuse(
      *options.command, {"--tree", "--depth", "--graphviz"},
      fmt::format("is for trees and forests, but {} holds {}", printable(path), kind_text(model)));
  if (const auto* const linear = std::get_if<LinearClassifier>(&model)) {
    report(*linear);
  } else {
    report(std::get<HorosphereClassifier>(model));
  }
}

void inspect(const InspectOptions& options, const Session& session) {
  const ThreadLimit limit(session.n_threads);
  Input input(options.input.path);
  if (extension(input.path()) == ".bent" || holds_model(input)) {
    inspect_model(options, input);
    return;
  }
  refuse(*options.command, {"--tree", "--depth", "--graphviz"},
         fmt::format("is for models, but {} is not one", input.source()));
  std::optional<Signature> signature;
  if (options.signature) {
    signature.emplace(*options.signature);
  }
  const Report report =
      make_report(read_points(input, options.input, session), signature, options.coordinates);
  if (options.json) {
    print(report_json(report));
  } else {
    print(report_text(report));
  }
}

}  // namespace

void add_inspect(CLI::App& app, Session& session) {
  CLI::App* command =
      app.add_subcommand("inspect", "Say what is in a file of points, or in a model.");
  command->fallthrough();
  auto options = std::make_shared<InspectOptions>();
  options->command = command;
  add_points_file_options(*command, options->input);
  CLI::Option* const signature = add_signature_option(*command, options->signature);
  add_coordinates_option(*command, "-c,--coordinates", options->coordinates,
                         "The coordinates of the file. Default: ambient.")
      ->needs(signature);
  command->add_option("--tree", options->shown.tree, "The tree of a model to show. Default: 0.")
      ->transform(whole_number(0, 1'000'000'000));
  command
      ->add_option_function<std::size_t>(
          "--depth", [options](std::size_t depth) { options->shown.depth = depth; },
          "The levels of the tree to show. Default: 3, and with --graphviz all.")
      ->transform(whole_number(0, 1'000'000'000));
  CLI::Option* const graphviz =
      command->add_option("--graphviz", options->graphviz,
                          "Write the tree for Graphviz' dot to this file, and no report; - for "
                          "stdout.");
  command->add_flag("--json", options->json, "The report as JSON.")->excludes(graphviz);
  command->footer(
      "Points: whether they lie on a manifold; without --signature, which one would fit.\n"
      "Models (*.bent): size, importances, and a tree to read.\n"
      "Examples:\n"
      "  bentwood inspect points.csv\n"
      "  bentwood inspect points.csv --signature H2 --coordinates poincare --label species\n"
      "  bentwood inspect latents.npy -s \"S2 x E2 x H2\" --json | jq .manifold.factors\n"
      "  bentwood inspect model.bent --tree 7 --depth 5\n"
      "  bentwood inspect geodesic.bent --json | jq .column_importances\n"
      "  bentwood inspect model.bent --graphviz - | dot -Tsvg > tree.svg");
  command->callback([options, &session] { inspect(*options, session); });
}

}  // namespace bentwood::cli
