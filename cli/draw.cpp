#include <fmt/format.h>

#include <CLI/App.hpp>
#include <CLI/Error.hpp>
#include <CLI/Option.hpp>
#include <CLI/Validators.hpp>
#include <algorithm>
#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "bentwood/base/error.hpp"
#include "bentwood/base/parallel.hpp"
#include "bentwood/data/file.hpp"
#include "bentwood/data/text.hpp"
#include "bentwood/draw/horosphere_picture.hpp"
#include "bentwood/draw/linear_picture.hpp"
#include "bentwood/draw/regions.hpp"
#include "bentwood/draw/tree_regions.hpp"
#include "cli/interrupt.hpp"
#include "cli/model_points.hpp"
#include "cli/output_file.hpp"
#include "cli/scores.hpp"
#include "cli/session.hpp"
#include "cli/targets.hpp"

namespace bentwood::cli {
namespace {

constexpr const char* default_label = "label";

struct DrawCommand {
  ModelPointsOptions both;
  std::string output = "-";
  std::string title;
  std::optional<std::size_t> tree;
  std::optional<std::size_t> target{};
  std::string unknown_labels = "error";
  bool cuts = false;
  bool json = false;
};

/// The points that are drawn, and what is known about them.
struct DrawnRows {
  Matrix points;
  std::vector<std::int64_t> classes;
  std::vector<double> values;
  /// Rows left out because the model does not know their labels.
  std::size_t n_skipped = 0;
};

/// A file of another ending would be opened as what it is not. One without any may be a pipe.
void require_svg(const std::string& output) {
  const std::string ending = extension(output);
  if (output != "-" && !ending.empty() && ending != ".svg") {
    throw InvalidInput(fmt::format("{}: the extension is {}, expected .svg or .svg.gz",
                                   printable(output), shown(ending)));
  }
}

/// What cannot be drawn is said with the name of the file.
void require_drawable(const DrawCommand& command, const PredictingModel& any) {
  try {
    static_cast<void>(is_hyperbolic_plane(manifold_of(any).signature()));
  } catch (const InvalidInput& error) {
    throw InvalidInput(fmt::format("{}: {}", printable(command.both.model), error.what()));
  }
  const auto* const forest = std::get_if<Forest>(&any);
  if (command.target && (forest == nullptr || forest->task != Task::regression)) {
    throw InvalidInput(
        fmt::format("{}: --target {} is for regressions, and the model tells classes",
                    printable(command.both.model), *command.target));
  }
  if (forest == nullptr) {
    if (command.tree) {
      throw InvalidInput(fmt::format(
          "{}: there is no tree {}: the model has {}", printable(command.both.model), *command.tree,
          std::holds_alternative<LinearClassifier>(any) ? "linear boundaries" : "horospheres"));
    }
    return;
  }
  if (command.tree && *command.tree >= forest->trees.size()) {
    throw InvalidInput(fmt::format("{}: there is no tree {}: the model has {}, counted from 0",
                                   printable(command.both.model), *command.tree,
                                   forest->trees.size()));
  }
}

DrawnRows drawn_rows(const DrawCommand& command, const ModelPoints& both, const Session& session) {
  require_on_manifold(both.file, manifold_of(both.model), off_manifold_of(both.model), session);
  const Manifold::Projection projection = manifold_of(both.model).project(both.file.points());
  warn_of_projection(both.file, projection.n_projected, projection.largest_residual, session);
  DrawnRows result;
  std::vector<std::size_t> rows(projection.points.n_rows());
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  if (both.file.dataset.label && task_of(both.model) == Task::classification) {
    KnownRows known =
        known_rows(both.file, classes_of(both.model),
                   command.unknown_labels == "skip" ? UnknownLabels::skip : UnknownLabels::error);
    result.n_skipped = rows.size() - known.rows.size();
    rows = std::move(known.rows);
    result.classes = std::move(known.classes);
  } else if (both.file.dataset.label) {
    const Matrix values = label_numbers(both.file);
    result.values.assign(values.data(), values.data() + values.n_rows());
  }
  result.points = Matrix(rows.size(), projection.points.n_cols());
  for (std::size_t row = 0; row < rows.size(); ++row) {
    std::ranges::copy(projection.points.row(rows[row]), result.points.row(row).begin());
  }
  return result;
}

nlohmann::ordered_json report(const DrawCommand& command, const ModelPoints& both,
                              const DrawnRows& rows) {
  nlohmann::ordered_json json{{"model", command.both.model},
                              {"source", both.file.table.source()},
                              {"output", command.output},
                              {"signature", manifold_of(both.model).signature().text()}};
  if (const auto* const forest = std::get_if<Forest>(&both.model)) {
    json["trees"] = forest->trees.size();
    json["tree"] = nullptr;
  } else if (const auto* const linear = std::get_if<LinearClassifier>(&both.model)) {
    json["boundaries"] = linear->size();
  } else {
    json["horospheres"] = std::get<HorosphereClassifier>(both.model).size();
  }
  json["rows"] = rows.points.n_rows();
  json["rows_skipped"] = rows.n_skipped;
  if (command.tree) {
    json["tree"] = *command.tree;
  }
  return json;
}

void write_picture(const std::string& path, const std::string& picture) {
  if (path == "-") {
    const ExitOnInterrupt while_writing;
    write_file(path, std::span(&picture, 1));
  } else {
    write_file(path, std::span(&picture, 1));
  }
}

void draw(const DrawCommand& command, const Session& session) {
  if (command.json && command.output == "-") {
    throw CLI::ValidationError("--json and the picture are both for stdout, name a file with -o");
  }
  const ThreadLimit limit(session.n_threads);
  check_output(command.output, {command.both.model, command.both.input.path});
  require_svg(command.output);
  ModelPoints both = read_model_and_points(command.both, session);
  require_drawable(command, both.model);
  // The columns of a model with names leave no room for a label by default.
  if (!both.file.dataset.label && both.file.table.has(default_label)) {
    both.file.dataset.label = both.file.table.column(default_label);
  }
  const DrawnRows rows = drawn_rows(command, both, session);
  const RegionPoints points{rows.points, rows.classes, rows.values};
  const RegionPictureOptions options{.title = command.title,
                                     .tree = command.tree,
                                     .output = command.target.value_or(0),
                                     .forest_cuts = command.cuts};
  const auto* const forest = std::get_if<Forest>(&both.model);
  const auto* const linear = std::get_if<LinearClassifier>(&both.model);
  const std::string picture =
      forest != nullptr ? region_picture(*forest, points, options)
      : linear != nullptr
          ? linear_picture(*linear, points, options)
          : horosphere_picture(std::get<HorosphereClassifier>(both.model), points, options);
  write_picture(command.output, picture);
  if (command.json) {
    print(report(command, both, rows));
  } else if (command.output != "-") {
    progress(session, fmt::format("drew {} points to {}", rows.points.n_rows(),
                                  source_name(command.output)));
  }
}

}  // namespace

void add_draw(CLI::App& app, Session& session) {
  CLI::App* command =
      app.add_subcommand("draw", "Draw the regions of a model on H2 or E2, and points, as SVG.");
  command->fallthrough();
  auto options = std::make_shared<DrawCommand>();
  add_model_points_options(*command, options->both);
  command->add_option("-o,--output", options->output,
                      "The file to write (.svg, .svg.gz). Default: stdout.");
  command
      ->add_option_function<std::size_t>(
          "--tree", [options](std::size_t tree) { options->tree = tree; },
          "Only this tree of a forest, counted from 0.")
      ->transform(whole_number(0, 1'000'000'000));
  command->add_flag("--cuts", options->cuts,
                    "Also the cuts of all trees of a forest. One tree always shows its own.");
  command
      ->add_option_function<std::size_t>(
          "--target", [options](std::size_t target) { options->target = target; },
          "The output of a regression that has several, counted from 0. Default: 0.")
      ->transform(whole_number(0, 1'000'000'000));
  command->add_option("--title", options->title, "The title. Default: what the model is.");
  command
      ->add_option("--unknown-labels", options->unknown_labels,
                   "What to do with rows of a class the model does not know. Default: error.")
      ->check(CLI::IsMember({"error", "skip"}));
  command->add_flag("--json", options->json, "A report of what was drawn as JSON on stdout.");
  command->footer(
      "H2 is drawn as the Poincaré disk, where cuts are arcs, E2 as the plane.\n"
      "Examples:\n"
      "  bentwood draw model.bent points.csv -o disk.svg\n"
      "  bentwood draw model.bent points.csv --label species --tree 0 -o tree.svg");
  command->callback([options, &session] { draw(*options, session); });
}

}  // namespace bentwood::cli
