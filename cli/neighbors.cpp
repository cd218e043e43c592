#include <fmt/format.h>

#include <CLI/App.hpp>
#include <CLI/Error.hpp>
#include <CLI/Option.hpp>
#include <cstdint>
#include <cstdio>
#include <initializer_list>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "bentwood/base/error.hpp"
#include "bentwood/base/parallel.hpp"
#include "bentwood/data/file.hpp"
#include "bentwood/data/text.hpp"
#include "bentwood/infer/neighbours.hpp"
#include "bentwood/model/model.hpp"
#include "cli/geodesic_options.hpp"
#include "cli/interrupt.hpp"
#include "cli/model_points.hpp"
#include "cli/model_report.hpp"
#include "cli/neighbour_scores.hpp"
#include "cli/neighbour_tables.hpp"
#include "cli/output_file.hpp"
#include "cli/points_file.hpp"
#include "cli/scores.hpp"
#include "cli/session.hpp"
#include "cli/train_geodesic.hpp"

namespace bentwood::cli {
namespace {

struct NeighborsCommand {
  PointsFileOptions input;
  TrainingOptions training;
  GeodesicForestOptions geodesic;
  /// Empty: a forest is trained on the points.
  std::string model;
  std::size_t n_neighbors = 50;
  OutputFile output{"-", ""};
  bool wide = false;
  bool json = false;
  /// For the options that were given.
  const CLI::App* command = nullptr;

  [[nodiscard]] bool trains() const { return model.empty(); }
  [[nodiscard]] bool has_points() const { return !input.path.empty(); }
  [[nodiscard]] bool was_given(const char* option) const { return command->count(option) > 0; }
};

/// What was found, by which forest and for which points; no file where they are the model's own training rows.
struct Found {
  std::shared_ptr<const GeodesicForest> forest;
  std::optional<PointsFile> file;
  Neighbours neighbours;
  std::optional<NeighbourPrecision> precision;

  [[nodiscard]] std::size_t n_points() const { return neighbours.distances.n_rows(); }
};

/// Throws usage errors about what does not go together.
void check_usage(const NeighborsCommand& command) {
  const auto refuse = [&](std::initializer_list<const char*> options, const char* reason) {
    for (const char* const option : options) {
      if (command.was_given(option)) {
        throw CLI::ValidationError(fmt::format("{} {}", option, reason));
      }
    }
  };
  if (command.trains() && !command.has_points()) {
    throw CLI::ValidationError("input or --model is required");
  }
  if (!command.trains()) {
    refuse(
        {"--signature", "--coordinates", "--n-trees", "--criterion", "--projection",
         "--n-projections", "--density", "--temperature", "--min-share", "--shared", "--bootstrap",
         "--counted", "--min-samples-split", "--max-depth", "--max-features", "--seed"},
        "is for training, but --model names a trained forest");
  }
  if (!command.has_points()) {
    refuse({"--label", "--columns", "--no-header", "--format", "--array", "--off-manifold"},
           "is for a file of points, but there is only --model");
  }
  if (command.model == "-" && command.input.path == "-") {
    throw CLI::ValidationError("model and input are both standard input, expected one of them");
  }
  if (command.json && command.output.path == "-") {
    throw CLI::ValidationError(
        "--json and the neighbours both go to standard output; name a file with --output");
  }
}

/// Throws where n_rows rows, less the one that is asked about if it is among them, are too few to find so many neighbours.
void require_enough(const NeighborsCommand& command, const std::string& source, std::size_t n_rows,
                    bool is_among) {
  const std::size_t n_others = n_rows - (is_among ? 1 : 0);
  if (command.n_neighbors > n_others) {
    throw InvalidInput(
        fmt::format("{}: {} row{}{} to find neighbours among, expected at least {}{}", source,
                    n_others, n_others == 1 ? "" : "s", is_among ? " besides each" : "",
                    command.n_neighbors, n_others == 0 ? "" : "; pass a smaller -k"));
  }
}

Found found_by_training(const NeighborsCommand& command, const Session& session) {
  PointsFile file = read_points(command.input, session);
  GeodesicOptions options = geodesic_training_options(
      command.geodesic, command.training, *command.command, file.dataset.points.n_cols());
  GeodesicProblem problem =
      make_geodesic_problem(std::move(file), command.input, std::move(options), session);
  require_enough(command, problem.file.table.source(), problem.file.table.n_rows(), true);
  const bool judged = command.was_given("--label");
  if (judged) {
    require_labels(problem.file);
  }
  Found found;
  found.forest = std::make_shared<const GeodesicForest>(train_on_all(problem, session));
  progress(session, "looking for neighbours");
  found.neighbours = NeighbourIndex(found.forest).of_training_rows(command.n_neighbors);
  if (judged) {
    found.precision = neighbour_precision(
        problem.file,
        {found.neighbours.rows.data(), problem.file.table.n_rows(), command.n_neighbors});
  }
  found.file = std::move(problem.file);
  return found;
}

GeodesicForest load_geodesic_forest(const std::string& path) {
  const ExitOnInterrupt while_reading;
  Model model = load_model(path);
  if (auto* const forest = std::get_if<GeodesicForest>(&model)) {
    return std::move(*forest);
  }
  throw InvalidInput(
      fmt::format("{}: holds {}, expected a geodesic forest; train one with bentwood train "
                  "--method geodesic-forest",
                  source_name(path), kind_text(model)));
}

Found found_by_model(const NeighborsCommand& command, const Session& session) {
  GeodesicForest loaded = load_geodesic_forest(command.model);
  if (command.was_given("--off-manifold")) {
    loaded.forest.off_manifold = parse_off_manifold(command.training.off_manifold);
  }
  const bool has_points = command.has_points();
  require_enough(command, source_name(command.model), loaded.n_rows, !has_points);
  Found found;
  found.forest = std::make_shared<const GeodesicForest>(std::move(loaded));
  const Forest& forest = found.forest->forest;
  const Manifold& manifold = forest.columns.manifold();
  if (has_points) {
    found.file =
        read_points_for(forest.feature_names, manifold, command.model, command.input, session);
    require_on_manifold(*found.file, manifold, forest.off_manifold, session);
  }
  progress(session, "looking for neighbours");
  const NeighbourIndex index(found.forest);
  found.neighbours = has_points ? index.of_points(found.file->points(), command.n_neighbors)
                                : index.of_training_rows(command.n_neighbors);
  if (has_points) {
    warn_of_projection(*found.file, found.neighbours.n_projected, found.neighbours.largest_residual,
                       session);
  }
  return found;
}

std::string found_text(const NeighborsCommand& command, const Found& found) {
  const std::size_t n_trees = found.forest->forest.trees.size();
  const Manifold& manifold = found.forest->forest.columns.manifold();
  std::string out = found.file ? points_text(*found.file, manifold) : "";
  out +=
      fmt::format("{}: {} neighbour{} of each of {} row{}, by {} tree{}\n",
                  command.output.path == "-" ? "standard output" : printable(command.output.path),
                  command.n_neighbors, command.n_neighbors == 1 ? "" : "s", found.n_points(),
                  found.n_points() == 1 ? "" : "s", n_trees, n_trees == 1 ? "" : "s");
  if (found.precision) {
    out += fmt::format("precision by {} in {}: {:.4f}, by chance {:.4f}\n",
                       found.precision->by_class ? "classes" : "positions",
                       shown(found.precision->column), found.precision->precision,
                       found.precision->chance);
  }
  return out;
}

nlohmann::ordered_json found_json(const NeighborsCommand& command, const Found& found) {
  const Forest& forest = found.forest->forest;
  const Manifold& manifold = forest.columns.manifold();
  nlohmann::ordered_json json{{"source", nullptr},
                              {"rows", found.n_points()},
                              {"label", nullptr},
                              {"signature", manifold.signature().text()},
                              {"coordinates", name(manifold.coordinates())}};
  if (found.file) {
    json = points_json(*found.file, manifold);
  }
  json["model"] = nullptr;
  if (!command.trains()) {
    json["model"] = command.model;
  }
  json["training_rows"] = found.forest->n_rows;
  json["n_neighbors"] = command.n_neighbors;
  json["parameters"] = parameters_json(forest);
  json["precision"] = nullptr;
  if (found.precision) {
    json["precision"] = {{"truth", found.precision->by_class ? "classes" : "positions"},
                         {"column", found.precision->column},
                         {"value", found.precision->precision},
                         {"chance", found.precision->chance}};
  }
  json["output"] = command.output.path;
  return json;
}

void neighbors(const NeighborsCommand& command, const Session& session) {
  const ThreadLimit limit(session.n_threads);
  check_usage(command);
  check_output(command.output.path, {command.model, command.input.path});
  const Found found =
      command.trains() ? found_by_training(command, session) : found_by_model(command, session);
  write_points(command.output,
               command.wide ? wide_table(found.neighbours) : long_table(found.neighbours), session);
  if (command.json) {
    print(found_json(command, found));
  } else if (command.output.path != "-") {
    print(found_text(command, found));
  } else if (!session.quiet) {
    fmt::print(stderr, "{}", found_text(command, found));
  }
}

}  // namespace

void add_neighbors(CLI::App& app, Session& session) {
  CLI::App* command = app.add_subcommand(
      "neighbors", "Find which points are near each other on the manifold that they live on.");
  command->fallthrough();
  auto options = std::make_shared<NeighborsCommand>();
  options->command = command;
  add_points_file_options(*command, options->input);
  command->get_option("input")->required(false)->description(
      "The file of points; may be left out with --model: its training rows.");
  command->get_option("--label")->description(
      "A column to leave out of the points and, where a forest is trained, to judge neighbours by: "
      "classes, or positions on a line. Default: only to leave out, the one called \"label\".");
  command->add_option("--model", options->model,
                      "Ask this geodesic forest, which bentwood train wrote, for neighbours among "
                      "its training rows. Default: train one on the points.");
  command->add_option("-k,--n-neighbors", options->n_neighbors, "Neighbours of a row. Default: 50.")
      ->transform(whole_number(1, 1'000'000'000));
  command->add_option("-o,--output", options->output.path,
                      "The file to write (.csv, .tsv, .npy, .npz). Default: CSV on stdout.");
  add_output_format_option(*command, "--to-format", options->output.format);
  command->add_flag("--wide", options->wide,
                    "A line a row (row, neighbor1, neighbor2, ...) rather than a line a neighbour "
                    "(row, rank, neighbor, distance).");
  add_options_of_geodesic_forest(*command, options->training, options->geodesic);
  command->add_flag("--json", options->json, "The summary as JSON.");
  command->footer(
      "Rows are counted from 0, the nearest neighbour has rank 1. The distance of two rows is "
      "one minus their proximity: the less speaks for two clusters where they part, and the "
      "smaller the nodes that they share, the nearer they are. Without --signature points are "
      "Euclidean.\n"
      "Examples:\n"
      "  bentwood neighbors points.csv -k 50 -o neighbors.csv\n"
      "  bentwood neighbors cells.csv --label type -k 20 --wide -o neighbors.npy\n"
      "  bentwood train points.csv --method geodesic-forest -o model.bent\n"
      "  bentwood neighbors new.csv --model model.bent -k 10 -o neighbors.csv --json");
  command->callback([options, &session] { neighbors(*options, session); });
}

}  // namespace bentwood::cli
