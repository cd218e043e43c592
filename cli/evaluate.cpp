#include <fmt/format.h>

#include <CLI/App.hpp>
#include <CLI/Option.hpp>
#include <CLI/Validators.hpp>
#include <algorithm>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "bentwood/base/error.hpp"
#include "bentwood/base/parallel.hpp"
#include "bentwood/data/text.hpp"
#include "bentwood/metrics/classification.hpp"
#include "bentwood/metrics/ranking.hpp"
#include "bentwood/metrics/regression.hpp"
#include "bentwood/model/describe.hpp"
#include "cli/model_points.hpp"
#include "cli/scores.hpp"
#include "cli/session.hpp"
#include "cli/targets.hpp"

namespace bentwood::cli {
namespace {

struct EvaluateCommand {
  ModelPointsOptions both;
  std::string unknown_labels = "error";
  bool json = false;
};

struct Score {
  /// For people and for JSON.
  std::string name;
  std::string key;
  double value = 0;
};

/// What the model is worth on a file.
struct Evaluation {
  std::size_t n_rows = 0;
  /// Rows left out because the model does not know their labels.
  std::size_t n_skipped = 0;
  std::vector<Score> scores;
  /// Of a classifier: its classes, and the rows of each class (down) by prediction (across).
  std::vector<std::string> classes;
  Matrix confusion;
};

Matrix gathered(const Matrix& values, const std::vector<std::size_t>& rows) {
  Matrix result = Matrix::uninitialized(rows.size(), values.n_cols());
  for (std::size_t row = 0; row < rows.size(); ++row) {
    std::ranges::copy(values.row(rows[row]), result.row(row).begin());
  }
  return result;
}

Evaluation evaluate_classes(const ModelPoints& both, const Predicted& found,
                            const KnownRows& known) {
  const Matrix shares = gathered(found.values, known.rows);
  const std::vector<std::int64_t>& truth = known.classes;
  std::vector<std::int64_t> predicted;
  for (const std::size_t row : known.rows) {
    predicted.push_back(found.winners[row]);
  }
  const std::size_t n_classes = shares.n_cols();
  std::vector<double> weights;
  for (const std::size_t row : known.rows) {
    if (!both.file.dataset.weights.empty()) {
      weights.push_back(both.file.dataset.weights[row]);
    }
  }
  Evaluation result;
  result.n_rows = known.rows.size();
  result.n_skipped = both.file.table.n_rows() - known.rows.size();
  const auto f1 = [&](Average average) {
    return average_scores(truth, predicted, n_classes, average, weights).f1;
  };
  result.scores = {{"accuracy", "accuracy", accuracy(truth, predicted, weights)},
                   {"micro F1", "micro_f1", f1(Average::micro)},
                   {"macro F1", "macro_f1", f1(Average::macro)},
                   {"AUPR", "aupr", macro_average_precision(truth, shares, weights)}};
  if (found.has_probabilities) {
    result.scores.push_back({"log loss", "log_loss", log_loss(truth, shares, weights)});
  }
  result.classes = label_texts(classes_of(both.model));
  result.confusion = confusion_matrix(truth, predicted, n_classes, weights);
  return result;
}

Evaluation evaluate_numbers(const ModelPoints& both, const Matrix& values, const Matrix& truth) {
  const std::vector<double>& weights = both.file.dataset.weights;
  Evaluation result;
  result.n_rows = truth.n_rows();
  result.scores = {{"RMSE", "rmse", rmse(truth, values, weights)},
                   {"MAE", "mae", mae(truth, values, weights)}};
  if (truth.n_rows() > 1) {
    result.scores.push_back({"R²", "r2", r2(truth, values, weights)});
  }
  return result;
}

/// The classes down the side are the true ones, those across the predicted ones, by number.
void append_confusion(std::string& out, const Evaluation& evaluation) {
  constexpr std::size_t most_classes = 20;
  constexpr std::size_t longest_name = 20;
  const std::size_t n_classes = evaluation.classes.size();
  if (n_classes > most_classes) {
    fmt::format_to(std::back_inserter(out), "confusion of {} classes: see it with --json\n",
                   n_classes);
    return;
  }
  std::vector<std::string> names;
  std::size_t width = 9;
  for (const std::string& name : evaluation.classes) {
    names.push_back(printable(name, longest_name));
    width = std::max(width, names.back().size());
  }
  out += "confusion, true classes down, predicted ones across:\n";
  fmt::format_to(std::back_inserter(out), "  {:<{}}", "", width);
  for (const std::string& name : names) {
    fmt::format_to(std::back_inserter(out), " {:>{}}", name, std::max<std::size_t>(name.size(), 6));
  }
  out += '\n';
  for (std::size_t truth = 0; truth < n_classes; ++truth) {
    fmt::format_to(std::back_inserter(out), "  {:<{}}", names[truth], width);
    for (std::size_t guess = 0; guess < n_classes; ++guess) {
      fmt::format_to(std::back_inserter(out), " {:>{}.6g}", evaluation.confusion(truth, guess),
                     std::max<std::size_t>(names[guess].size(), 6));
    }
    out += '\n';
  }
}

std::string evaluation_text(const ModelPoints& both, const std::string& model,
                            const Evaluation& evaluation) {
  std::string out = fmt::format("{} on {} row{} of {}:\n", printable(model), evaluation.n_rows,
                                evaluation.n_rows == 1 ? "" : "s", both.file.table.source());
  for (const Score& score : evaluation.scores) {
    fmt::format_to(std::back_inserter(out), "  {:<9} {}\n", score.name,
                   score_text(score.key, score.value));
  }
  if (!evaluation.classes.empty()) {
    append_confusion(out, evaluation);
  }
  return out;
}

nlohmann::ordered_json evaluation_json(const ModelPoints& both, const std::string& model,
                                       const Evaluation& evaluation) {
  nlohmann::ordered_json json{{"model", model},
                              {"source", both.file.table.source()},
                              {"rows", evaluation.n_rows},
                              {"rows_skipped", evaluation.n_skipped}};
  for (const Score& score : evaluation.scores) {
    json[score.key] = score.value;
  }
  if (!evaluation.classes.empty()) {
    std::visit([&](const auto& classes) { json["classes"] = classes; }, classes_of(both.model));
    json["confusion"] = nlohmann::ordered_json::array();
    for (std::size_t truth = 0; truth < evaluation.classes.size(); ++truth) {
      const auto row = evaluation.confusion.row(truth);
      json["confusion"].push_back(std::vector<double>(row.begin(), row.end()));
    }
  }
  return json;
}

Evaluation evaluation_of(const EvaluateCommand& command, const ModelPoints& both,
                         const Session& session) {
  if (task_of(both.model) == Task::regression) {
    if (width_of(both.model) != 1) {
      throw InvalidInput(fmt::format("{}: predicts {} numbers a row, expected 1 to compare with {}",
                                     printable(command.both.model), width_of(both.model),
                                     shown(both.file.dataset.label->name)));
    }
    const Matrix truth = label_numbers(both.file);
    return evaluate_numbers(both, predicted(both, session).values, truth);
  }
  const KnownRows known =
      known_rows(both.file, classes_of(both.model),
                 command.unknown_labels == "skip" ? UnknownLabels::skip : UnknownLabels::error);
  Evaluation result = evaluate_classes(both, predicted(both, session), known);
  if (result.n_skipped > 0) {
    warn(session,
         fmt::format("{}: left out {} of {} rows: the model does not know their labels",
                     both.file.table.source(), result.n_skipped, both.file.table.n_rows()));
  }
  return result;
}

void evaluate(const EvaluateCommand& command, const Session& session) {
  const ThreadLimit limit(session.n_threads);
  const ModelPoints both = read_model_and_points(command.both, session);
  const Evaluation evaluation = evaluation_of(command, both, session);
  if (command.json) {
    print(evaluation_json(both, command.both.model, evaluation));
  } else {
    print(evaluation_text(both, command.both.model, evaluation));
  }
}

}  // namespace

void add_evaluate(CLI::App& app, Session& session) {
  CLI::App* command =
      app.add_subcommand("evaluate", "Compare what a model says about points with their labels.");
  command->fallthrough();
  auto options = std::make_shared<EvaluateCommand>();
  options->both.input.needs_label = true;
  add_model_points_options(*command, options->both);
  command->add_option("--weights", options->both.input.weights, "The column of the rows' weights.");
  command
      ->add_option("--unknown-labels", options->unknown_labels,
                   "What to do with rows of a class the model does not know. Default: error.")
      ->check(CLI::IsMember({"error", "skip"}));
  command->add_flag("--json", options->json, "The scores as JSON.");
  command->footer(
      "AUPR is the mean over the classes of the area under the precision-recall curve.\n"
      "Examples:\n"
      "  bentwood evaluate model.bent test.csv --label species\n"
      "  bentwood evaluate model.bent test.csv --json | jq .accuracy");
  command->callback([options, &session] { evaluate(*options, session); });
}

}  // namespace bentwood::cli
