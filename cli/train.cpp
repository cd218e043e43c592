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
#include "bentwood/model/model.hpp"
#include "cli/geodesic_options.hpp"
#include "cli/horosphere_options.hpp"
#include "cli/horosphere_report.hpp"
#include "cli/linear_options.hpp"
#include "cli/linear_report.hpp"
#include "cli/model_report.hpp"
#include "cli/output_file.hpp"
#include "cli/perceptron_options.hpp"
#include "cli/points_file.hpp"
#include "cli/problem.hpp"
#include "cli/scores.hpp"
#include "cli/session.hpp"
#include "cli/targets.hpp"
#include "cli/train_geodesic.hpp"
#include "cli/train_horospheres.hpp"
#include "cli/train_linear.hpp"
#include "cli/training_options.hpp"

namespace bentwood::cli {
namespace {

struct TrainCommand {
  PointsFileOptions input;
  TrainingOptions training;
  HorosphereOptions horospheres;
  LinearOptions linear;
  PerceptronOptions perceptron;
  GeodesicForestOptions geodesic;
  std::string output;
  std::string task;
  bool no_cv = false;
  std::size_t n_folds = 5;
  bool json = false;
  /// For the options that were given.
  const CLI::App* command = nullptr;
};

std::string problem_text(const TrainCommand& command, const PointsFile& file, const Target& target,
                         const Manifold& manifold) {
  const std::string label = shown(file.dataset.label->name);
  const std::string what =
      target.task == Task::classification
          ? fmt::format("{} class{} in {}", target.width, target.width == 1 ? "" : "es", label)
          : fmt::format("numbers in {}", label);
  return fmt::format("{}: {} row{} on {} in {} coordinates, {}{}\n", file.table.source(),
                     file.table.n_rows(), file.table.n_rows() == 1 ? "" : "s",
                     manifold.signature().text(), name(manifold.coordinates()), what,
                     command.task.empty() ? fmt::format(" ({})", name(target.task)) : "");
}

std::string method_text(const Problem& problem) {
  const std::size_t n_trees = problem.options.forest.n_trees;
  return problem.options.forest.bootstrap
             ? fmt::format("a forest of {} tree{}", n_trees, n_trees == 1 ? "" : "s")
             : "a tree";
}

template <class AnyModel>
nlohmann::ordered_json report_json(const PointsFile& file, const Target& target,
                                   const Manifold& manifold, const std::vector<FoldScores>& scores,
                                   const AnyModel& model) {
  nlohmann::ordered_json json{{"source", file.table.source()},
                              {"rows", file.table.n_rows()},
                              {"label", file.dataset.label->name},
                              {"task", name(target.task)}};
  std::visit([&](const auto& classes) { json["classes"] = classes; }, model.classes);
  json["signature"] = manifold.signature().text();
  json["coordinates"] = name(manifold.coordinates());
  json["estimator"] = model.estimator;
  json["parameters"] = parameters_json(model);
  json["cross_validation"] = nullptr;
  if (!scores.empty()) {
    json["cross_validation"] = scores_json(scores);
  }
  return json;
}

/// What is said about a training: on standard output, unless the model goes there.
class Speaker {
 public:
  Speaker(const TrainCommand& command, const Session& session)
      : to_stdout_(command.output == "-"), quiet_(session.quiet), json_(command.json) {}

  void say(const std::string& text) const {
    if (json_) {
      return;
    }
    if (!to_stdout_) {
      print(text);
    } else if (!quiet_) {
      fmt::print(stderr, "{}", text);
    }
  }
  void report(nlohmann::ordered_json json, nlohmann::ordered_json size,
              const std::string& path) const {
    if (!json_) {
      return;
    }
    json["model"] = std::move(size);
    json["model"]["path"] = path;
    if (to_stdout_) {
      fmt::print(stderr, "{}", json_text(json));
    } else {
      print(json);
    }
  }
  [[nodiscard]] std::string place(const std::string& path) const {
    return to_stdout_ ? "standard output" : printable(path);
  }

 private:
  bool to_stdout_;
  bool quiet_;
  bool json_;
};

void train_trees(const TrainCommand& command, PointsFile file, Task task, const Session& session) {
  const Speaker speaker(command, session);
  const Problem problem =
      make_problem(std::move(file), command.input, command.training, task, session);
  const Target& target = problem.labelled.target;
  const Manifold& manifold = problem.options.columns.manifold();
  speaker.say(problem_text(command, problem.file, target, manifold));
  std::vector<FoldScores> scores;
  if (!command.no_cv) {
    scores = cross_validate(problem, command.n_folds, session).scores;
    speaker.say(fmt::format("{}-fold cross-validation of {}:\n{}", command.n_folds,
                            method_text(problem), scores_text(scores)));
  }
  const Forest forest = train_on_all(problem, session);
  const std::string bytes = to_bytes(forest);
  write_file(command.output, std::span(&bytes, 1));
  const ModelSize size = model_size(forest, bytes.size());
  speaker.say(fmt::format("{}: {}\n", speaker.place(command.output), size_text(size)));
  speaker.report(report_json(problem.file, target, manifold, scores, forest), size_json(size),
                 command.output);
}

void train_horospheres(const TrainCommand& command, PointsFile file, Task task,
                       const Session& session) {
  const Speaker speaker(command, session);
  if (task == Task::regression) {
    throw InvalidInput("--method horo-svc is for classification, but the task is regression");
  }
  HorosphereTrainingOptions options = horosphere_training_options(
      command.horospheres, command.training, command.command->count("--coordinates") > 0,
      file.dataset.points.n_cols());
  const HorosphereProblem problem =
      make_horosphere_problem(std::move(file), command.input, std::move(options), session);
  const Target& target = problem.labelled.target;
  const Manifold& manifold = problem.options.manifold;
  speaker.say(problem_text(command, problem.file, target, manifold));
  std::vector<FoldScores> scores;
  if (!command.no_cv) {
    scores = cross_validate(problem, command.n_folds);
    speaker.say(fmt::format("{}-fold cross-validation of horospheres:\n{}", command.n_folds,
                            scores_text(scores)));
  }
  const HorosphereClassifier classifier = train_on_all(problem, session);
  const std::string bytes = to_bytes(classifier);
  write_file(command.output, std::span(&bytes, 1));
  speaker.say(
      fmt::format("{}: {}\n", speaker.place(command.output), size_text(classifier, bytes.size())));
  speaker.report(report_json(problem.file, target, manifold, scores, classifier),
                 {{"horospheres", classifier.size()}, {"bytes", bytes.size()}}, command.output);
}

template <class Options>
void train_boundaries(const TrainCommand& command, PointsFile file, Task task, Options options,
                      const Session& session) {
  const Speaker speaker(command, session);
  if (task == Task::regression) {
    throw InvalidInput(fmt::format("--method {} is for classification, but the task is regression",
                                   command.training.method));
  }
  const LinearProblem<Options> problem =
      make_linear_problem(std::move(file), command.input, std::move(options), session);
  const Target& target = problem.labelled.target;
  const Manifold& manifold = problem.options.manifold;
  speaker.say(problem_text(command, problem.file, target, manifold));
  std::vector<FoldScores> scores;
  if (!command.no_cv) {
    scores = cross_validate(problem, command.n_folds);
    speaker.say(fmt::format("{}-fold cross-validation of linear boundaries:\n{}", command.n_folds,
                            scores_text(scores)));
  }
  const LinearClassifier classifier = train_on_all(problem, session);
  const std::string bytes = to_bytes(classifier);
  write_file(command.output, std::span(&bytes, 1));
  speaker.say(
      fmt::format("{}: {}\n", speaker.place(command.output), size_text(classifier, bytes.size())));
  speaker.report(report_json(problem.file, target, manifold, scores, classifier),
                 {{"boundaries", classifier.size()}, {"bytes", bytes.size()}}, command.output);
}

void train_geodesic(const TrainCommand& command, PointsFile file, const Session& session) {
  const Speaker speaker(command, session);
  GeodesicOptions options = geodesic_training_options(
      command.geodesic, command.training, *command.command, file.dataset.points.n_cols());
  const GeodesicProblem problem =
      make_geodesic_problem(std::move(file), command.input, std::move(options), session);
  const Manifold& manifold = problem.options.manifold;
  speaker.say(points_text(problem.file, manifold));
  const GeodesicForest forest = train_on_all(problem, session);
  const std::string bytes = to_bytes(forest);
  write_file(command.output, std::span(&bytes, 1));
  const ModelSize size = model_size(forest.forest, bytes.size());
  speaker.say(fmt::format("{}: {}\n", speaker.place(command.output), size_text(size)));
  nlohmann::ordered_json json = points_json(problem.file, manifold);
  json["estimator"] = forest.forest.estimator;
  json["parameters"] = parameters_json(forest.forest);
  speaker.report(std::move(json), size_json(size), command.output);
}

void train(TrainCommand command, const Session& session) {
  const ThreadLimit limit(session.n_threads);
  if (command.training.is_horo()) {
    command.training.horospheres.beta = command.horospheres.beta;
    if (!command.training.signature && command.command->count("--coordinates") == 0) {
      command.training.coordinates = Coordinates::tangent;
    }
  }
  require_options_of_method(*command.command, command.training.method);
  require_geodesic_options(*command.command, command.training);
  check_output(command.output, {command.input.path});
  command.input.needs_label = !command.training.is_geodesic();
  PointsFile file = read_points(command.input, session);
  if (command.training.is_geodesic()) {
    train_geodesic(command, std::move(file), session);
    return;
  }
  const Task task = command.task.empty()               ? guess_task(*file.dataset.label)
                    : command.task == "classification" ? Task::classification
                                                       : Task::regression;
  if (command.training.method == "horo-svc") {
    train_horospheres(command, std::move(file), task, session);
  } else if (command.training.method == "poincare-svm") {
    LinearTrainingOptions options =
        linear_training_options(command.linear, command.horospheres, command.training,
                                *command.command, file.dataset.points.n_cols());
    train_boundaries(command, std::move(file), task, std::move(options), session);
  } else if (command.training.is_perceptron()) {
    PerceptronTrainingOptions options = perceptron_training_options(
        command.perceptron, command.linear, command.horospheres, command.training, *command.command,
        file.dataset.points.n_cols());
    train_boundaries(command, std::move(file), task, std::move(options), session);
  } else {
    train_trees(command, std::move(file), task, session);
  }
}

}  // namespace

void add_train(CLI::App& app, Session& session) {
  CLI::App* command = app.add_subcommand(
      "train", "Learn a model from points, most from their labels, and save it.");
  command->fallthrough();
  auto options = std::make_shared<TrainCommand>();
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
  add_horosphere_options(*command, options->horospheres);
  add_horo_tree_options(*command, options->training.horospheres);
  add_linear_options(*command, options->linear);
  add_perceptron_options(*command, options->perceptron);
  add_geodesic_options(*command, options->geodesic, "geodesic-forest: ");
  options->command = command;
  CLI::Option* const no_cv =
      command->add_flag("--no-cv", options->no_cv, "Save without cross-validation.");
  command
      ->add_option("--cv-folds", options->n_folds, "The folds of the cross-validation. Default: 5.")
      ->transform(whole_number(2, 1000))
      ->excludes(no_cv);
  command->add_flag("--json", options->json,
                    "The report as JSON; on stderr where the model goes to stdout.");
  command->footer(
      "Without --signature points are Euclidean (horo-*, poincare-svm and perceptrons: tangent "
      "vectors of H). "
      "Scores are mean "
      "± standard deviation over the "
      "folds.\n"
      "Examples:\n"
      "  bentwood train points.csv --label species -s H2 -c poincare -o model.bent\n"
      "  bentwood train points.csv -s \"H2 x S2\" --method tree --max-depth 5 -o tree.bent\n"
      "  bentwood train points.csv -s H2 -c poincare --method horo-svc --cost 10 -o horo.bent\n"
      "  bentwood train points.csv -s H2 -c poincare --method horo-forest --beta 0.9 -o horo.bent\n"
      "  bentwood train points.csv -s H2 -c poincare --method poincare-svm --probability -o "
      "svm.bent\n"
      "  bentwood train points.csv -s H2 -c poincare --method perceptron --average -o line.bent\n"
      "  bentwood train points.csv --method geodesic-forest -o geodesic.bent\n"
      "  bentwood train houses.csv --label price --n-trees 500 --cv-folds 10 -o prices.bent "
      "--json");
  command->callback([options, &session] { train(*options, session); });
}

}  // namespace bentwood::cli
