#include <fmt/format.h>

#include <CLI/App.hpp>
#include <CLI/Option.hpp>
#include <CLI/Validators.hpp>
#include <array>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "bentwood/base/error.hpp"
#include "bentwood/base/parallel.hpp"
#include "bentwood/data/file.hpp"
#include "bentwood/data/text.hpp"
#include "bentwood/ensemble/cross_validate.hpp"
#include "bentwood/ensemble/train.hpp"
#include "bentwood/model/file.hpp"
#include "cli/model_report.hpp"
#include "cli/points_file.hpp"
#include "cli/progress_bar.hpp"
#include "cli/scores.hpp"
#include "cli/session.hpp"
#include "cli/targets.hpp"
#include "cli/training_options.hpp"

namespace bentwood::cli {
namespace {

struct TrainCommand {
  PointsFileOptions input;
  TrainingOptions training;
  std::string output;
  std::string task;
  bool no_cv = false;
  std::size_t n_folds = 5;
  bool json = false;
};

/// Points, target and options that fit each other.
struct Problem {
  PointsFile file;
  Task task = Task::classification;
  LabelledTarget labelled;
  TrainOptions options;
};

/// Finds out before the work begins, not after.
void require_folder(const std::string& path) {
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  std::error_code ignored;
  if (!folder.empty() && !std::filesystem::is_directory(folder, ignored)) {
    throw IoError(fmt::format("{}: cannot write: no such folder", printable(path)), ENOENT);
  }
}

/// What NumPy would call the type of the labels, for the Python package.
std::string class_type(const Labels& classes) {
  constexpr std::array<const char*, 3> names{"\"int64\"", "\"float64\"", "\"object\""};
  return names.at(classes.index());
}

Problem read_problem(const TrainCommand& command, const Session& session) {
  PointsFile file = read_points(command.input, session);
  const Task guess = guess_task(*file.dataset.label);
  const Task task = command.task.empty()               ? guess
                    : command.task == "classification" ? Task::classification
                                                       : Task::regression;
  TrainOptions options = train_options(command.training, task, file.dataset.points.n_cols());
  const Manifold& manifold = options.columns.manifold();
  require_columns(file, manifold.signature(), manifold.coordinates());
  LabelledTarget labelled = make_target(file, task);
  require_on_manifold(file, manifold, options.off_manifold, session);
  if (has_names(command.input)) {
    options.feature_names = file.dataset.feature_names;
  }
  if (task == Task::classification) {
    options.parameters["class_dtype"] = class_type(labelled.classes);
    if (labelled.target.width == 1) {
      warn(session, fmt::format("{}: all rows have one label, {}: the model can say nothing else",
                                file.table.source(),
                                shown(file.table.text(file.dataset.label->name).front())));
    }
  }
  return {std::move(file), task, std::move(labelled), std::move(options)};
}

std::string problem_text(const TrainCommand& command, const Problem& problem) {
  const Manifold& manifold = problem.options.columns.manifold();
  const std::string label = shown(problem.file.dataset.label->name);
  const std::string what =
      problem.task == Task::classification
          ? fmt::format("{} classes in {}", problem.labelled.target.width, label)
          : fmt::format("numbers in {}", label);
  return fmt::format("{}: {} rows on {} in {} coordinates, {}{}\n", problem.file.table.source(),
                     problem.file.table.n_rows(), manifold.signature().text(),
                     name(manifold.coordinates()), what,
                     command.task.empty() ? fmt::format(" ({})", name(problem.task)) : "");
}

std::string method_text(const Problem& problem) {
  const std::size_t n_trees = problem.options.forest.n_trees;
  return problem.options.forest.bootstrap
             ? fmt::format("a forest of {} tree{}", n_trees, n_trees == 1 ? "" : "s")
             : "a tree";
}

std::vector<FoldScores> cross_validation(const TrainCommand& command, const Problem& problem,
                                         const Session& session) {
  const Target& target = problem.labelled.target;
  // R² needs two rows.
  const std::size_t rows_a_fold = problem.task == Task::classification ? 1 : 2;
  if (target.n_rows() < rows_a_fold * command.n_folds) {
    throw InvalidInput(
        fmt::format("{}: {} folds need at least {} rows, found {}; pass fewer "
                    "--cv-folds, or --no-cv",
                    problem.file.table.source(), command.n_folds, rows_a_fold * command.n_folds,
                    target.n_rows()));
  }
  const std::vector<std::uint32_t> folds =
      folds_for(target, command.n_folds, problem.options.forest.seed);
  ProgressBar bar(session, fmt::format("{} folds", command.n_folds),
                  command.n_folds * problem.options.forest.n_trees, "trees");
  const Matrix values =
      out_of_fold_values(problem.file.points(), target, folds, problem.options, bar.listener());
  return fold_scores(target, values, folds);
}

nlohmann::ordered_json report_json(const Problem& problem, const std::vector<FoldScores>& scores,
                                   const Forest& forest, const std::string& path,
                                   const ModelSize& size) {
  const Manifold& manifold = problem.options.columns.manifold();
  nlohmann::ordered_json json{{"source", problem.file.table.source()},
                              {"rows", problem.file.table.n_rows()},
                              {"label", problem.file.dataset.label->name},
                              {"task", name(problem.task)}};
  std::visit([&](const auto& classes) { json["classes"] = classes; }, forest.classes);
  json["signature"] = manifold.signature().text();
  json["coordinates"] = name(manifold.coordinates());
  json["estimator"] = forest.estimator;
  json["parameters"] = parameters_json(forest);
  json["cross_validation"] = nullptr;
  if (!scores.empty()) {
    json["cross_validation"] = scores_json(scores);
  }
  json["model"] = size_json(size);
  json["model"]["path"] = path;
  return json;
}

void train(const TrainCommand& command, const Session& session) {
  const ThreadLimit limit(session.n_threads);
  require_folder(command.output);
  const Problem problem = read_problem(command, session);
  // A model on standard output leaves only stderr for what is said about it.
  const bool to_stdout = command.output == "-";
  const auto say = [&](const std::string& text) {
    if (to_stdout) {
      fmt::print(stderr, "{}", text);
    } else if (!command.json) {
      print(text);
    }
  };
  say(problem_text(command, problem));
  std::vector<FoldScores> scores;
  if (!command.no_cv) {
    scores = cross_validation(command, problem, session);
    say(fmt::format("{}-fold cross-validation of {}:\n{}", command.n_folds, method_text(problem),
                    scores_text(scores)));
  }
  Training training = [&] {
    ProgressBar bar(session, "all rows", problem.options.forest.n_trees, "trees");
    return train_forest(problem.file.points(), problem.labelled.target, problem.labelled.classes,
                        problem.options, bar.listener());
  }();
  warn_of_projection(problem.file, training.n_projected, training.largest_residual, session);
  const std::string bytes = to_bytes(training.forest);
  write_file(command.output, std::span(&bytes, 1));
  const ModelSize size = model_size(training.forest, bytes.size());
  say(fmt::format("{}: {}\n", printable(command.output), size_text(size)));
  if (command.json && !to_stdout) {
    print(report_json(problem, scores, training.forest, command.output, size));
  }
}

}  // namespace

void add_train(CLI::App& app, Session& session) {
  CLI::App* command =
      app.add_subcommand("train", "Learn a tree or a forest from labelled points, and save it.");
  command->fallthrough();
  auto options = std::make_shared<TrainCommand>();
  options->input.needs_label = true;
  add_points_file_options(*command, options->input);
  command->add_option("-o,--output", options->output, "The model file to write; - for stdout.")
      ->required();
  command
      ->add_option("--task", options->task,
                   "What to learn. Default: classification where the labels are text or at most 20 "
                   "different whole numbers, else regression.")
      ->check(CLI::IsMember({"classification", "regression"}));
  command->add_option("--weights", options->input.weights, "The column of the rows' weights.");
  add_training_options(*command, options->training);
  CLI::Option* const no_cv =
      command->add_flag("--no-cv", options->no_cv, "Save without cross-validation.");
  command
      ->add_option("--cv-folds", options->n_folds, "The folds of the cross-validation. Default: 5.")
      ->transform(whole_number(2, 1000))
      ->excludes(no_cv);
  command->add_flag("--json", options->json, "The report as JSON.");
  command->footer(
      "Without --signature points are Euclidean. Scores are mean ± standard deviation over the "
      "folds.\n"
      "Examples:\n"
      "  bentwood train points.csv --label species -s H2 -c poincare -o model.bent\n"
      "  bentwood train points.csv -s \"H2 x S2\" --method tree --max-depth 5 -o tree.bent\n"
      "  bentwood train houses.csv --label price --n-trees 500 --cv-folds 10 -o prices.bent "
      "--json");
  command->callback([options, &session] { train(*options, session); });
}

}  // namespace bentwood::cli
