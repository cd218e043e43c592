#include <fmt/format.h>

#include <CLI/App.hpp>
#include <CLI/Option.hpp>
#include <CLI/Validators.hpp>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bentwood/base/error.hpp"
#include "bentwood/base/parallel.hpp"
#include "bentwood/data/file.hpp"
#include "bentwood/data/text.hpp"
#include "bentwood/model/file.hpp"
#include "cli/model_report.hpp"
#include "cli/output_file.hpp"
#include "cli/points_file.hpp"
#include "cli/problem.hpp"
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

std::string problem_text(const TrainCommand& command, const Problem& problem) {
  const Manifold& manifold = problem.options.columns.manifold();
  const std::string label = shown(problem.file.dataset.label->name);
  const std::string what = problem.task == Task::classification
                               ? fmt::format("{} class{} in {}", problem.labelled.target.width,
                                             problem.labelled.target.width == 1 ? "" : "es", label)
                               : fmt::format("numbers in {}", label);
  return fmt::format("{}: {} row{} on {} in {} coordinates, {}{}\n", problem.file.table.source(),
                     problem.file.table.n_rows(), problem.file.table.n_rows() == 1 ? "" : "s",
                     manifold.signature().text(), name(manifold.coordinates()), what,
                     command.task.empty() ? fmt::format(" ({})", name(problem.task)) : "");
}

std::string method_text(const Problem& problem) {
  const std::size_t n_trees = problem.options.forest.n_trees;
  return problem.options.forest.bootstrap
             ? fmt::format("a forest of {} tree{}", n_trees, n_trees == 1 ? "" : "s")
             : "a tree";
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
  check_output(command.output, {command.input.path});
  PointsFile file = read_points(command.input, session);
  const Task task = command.task.empty()               ? guess_task(*file.dataset.label)
                    : command.task == "classification" ? Task::classification
                                                       : Task::regression;
  const Problem problem =
      make_problem(std::move(file), command.input, command.training, task, session);
  // A model on standard output leaves only stderr for what is said about it.
  const bool to_stdout = command.output == "-";
  const auto say = [&](const std::string& text) {
    if (to_stdout && !session.quiet) {
      fmt::print(stderr, "{}", text);
    } else if (!to_stdout && !command.json) {
      print(text);
    }
  };
  say(problem_text(command, problem));
  std::vector<FoldScores> scores;
  if (!command.no_cv) {
    scores = cross_validate(problem, command.n_folds, session).scores;
    say(fmt::format("{}-fold cross-validation of {}:\n{}", command.n_folds, method_text(problem),
                    scores_text(scores)));
  }
  const Forest forest = train_on_all(problem, session);
  const std::string bytes = to_bytes(forest);
  write_file(command.output, std::span(&bytes, 1));
  const ModelSize size = model_size(forest, bytes.size());
  say(fmt::format("{}: {}\n", to_stdout ? "standard output" : printable(command.output),
                  size_text(size)));
  if (command.json && !to_stdout) {
    print(report_json(problem, scores, forest, command.output, size));
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
