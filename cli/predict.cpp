#include <fmt/format.h>

#include <CLI/App.hpp>
#include <CLI/Option.hpp>
#include <cmath>
#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "bentwood/base/error.hpp"
#include "bentwood/base/parallel.hpp"
#include "bentwood/data/text.hpp"
#include "bentwood/model/describe.hpp"
#include "cli/model_points.hpp"
#include "cli/output_file.hpp"
#include "cli/scores.hpp"
#include "cli/session.hpp"

namespace bentwood::cli {
namespace {

struct PredictCommand {
  ModelPointsOptions both;
  std::string output = "-";
  std::string output_format;
  bool proba = false;
  bool json = false;
};

/// Numbers where a double holds every label, text otherwise.
TableColumn label_column(const Labels& classes, const std::vector<std::int64_t>& predicted) {
  constexpr std::int64_t largest_whole = std::int64_t{1} << 53;
  std::vector<double> numbers;
  if (const auto* const whole = std::get_if<std::vector<std::int64_t>>(&classes)) {
    for (const std::int64_t label : *whole) {
      if (label < -largest_whole || label > largest_whole) {
        numbers.clear();
        break;
      }
      numbers.push_back(static_cast<double>(label));
    }
  } else if (const auto* const reals = std::get_if<std::vector<double>>(&classes)) {
    numbers = *reals;
  }
  if (!numbers.empty()) {
    std::vector<double> values;
    values.reserve(predicted.size());
    for (const std::int64_t label : predicted) {
      values.push_back(numbers[static_cast<std::size_t>(label)]);
    }
    return {"prediction", std::move(values), {}};
  }
  const std::vector<std::string> names = label_texts(classes);
  std::vector<std::string> values;
  values.reserve(predicted.size());
  for (const std::int64_t label : predicted) {
    values.push_back(names[static_cast<std::size_t>(label)]);
  }
  return {"prediction", std::move(values), {}};
}

TableColumn number_column(std::string name, const Matrix& values, std::size_t column) {
  std::vector<double> numbers(values.n_rows());
  for (std::size_t row = 0; row < numbers.size(); ++row) {
    numbers[row] = values(row, column);
  }
  return {std::move(name), std::move(numbers), {}};
}

std::string output_name(const Forest& model, std::size_t output) {
  if (output < model.output_names.size()) {
    return model.output_names[output];
  }
  return model.width() == 1 ? "prediction" : fmt::format("prediction{}", output + 1);
}

Table prediction_table(const PredictingModel& model, const Predicted& predicted, bool proba) {
  Table table;
  if (task_of(model) == Task::regression) {
    for (std::size_t output = 0; output < predicted.values.n_cols(); ++output) {
      table.add(
          number_column(output_name(std::get<Forest>(model), output), predicted.values, output));
    }
    return table;
  }
  table.add(label_column(classes_of(model), predicted.winners));
  if (proba) {
    const std::vector<std::string> names = label_texts(classes_of(model));
    for (std::size_t label = 0; label < names.size(); ++label) {
      table.add(number_column(fmt::format("p({})", names[label]), predicted.values, label));
    }
  }
  return table;
}

/// One list a column. Whole labels stay whole: a table has them as doubles.
nlohmann::ordered_json table_json(const Table& table, const PredictingModel& model) {
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  for (const TableColumn& column : table.columns()) {
    std::visit([&](const auto& values) { json[column.name] = values; }, column.values);
  }
  const TableColumn& first = table.columns().front();
  const auto* const numbers = std::get_if<std::vector<double>>(&first.values);
  if (numbers != nullptr && task_of(model) != Task::regression &&
      std::holds_alternative<std::vector<std::int64_t>>(classes_of(model))) {
    json[first.name] = std::vector<std::int64_t>(numbers->begin(), numbers->end());
  }
  return json;
}

void predict(const PredictCommand& command, const Session& session) {
  const ThreadLimit limit(session.n_threads);
  if (!command.json) {
    check_output(command.output, {command.both.model, command.both.input.path});
  }
  const ModelPoints both = read_model_and_points(command.both, session);
  if (command.proba && task_of(both.model) == Task::regression) {
    throw InvalidInput(
        fmt::format("{}: predicts numbers, which have no probabilities; leave out "
                    "--proba",
                    printable(command.both.model)));
  }
  const Predicted found =
      predicted(both, session, command.proba ? Wanted::everything : Wanted::winners);
  if (command.proba && !found.has_probabilities) {
    throw InvalidInput(
        fmt::format("{}: has learned no probabilities; leave out --proba, or train an SVM with "
                    "--probability",
                    printable(command.both.model)));
  }
  const Table table = prediction_table(both.model, found, command.proba);
  if (command.json) {
    print(table_json(table, both.model));
  } else {
    write_points({command.output, command.output_format}, table, session);
  }
}

}  // namespace

void add_predict(CLI::App& app, Session& session) {
  CLI::App* command = app.add_subcommand("predict", "Say what a model makes of points.");
  command->fallthrough();
  auto options = std::make_shared<PredictCommand>();
  add_model_points_options(*command, options->both);
  CLI::Option* const output =
      command->add_option("-o,--output", options->output,
                          "The file to write (.csv, .tsv, .npy, .npz). Default: CSV on stdout.");
  add_output_format_option(*command, "--to-format", options->output_format);
  command->add_flag("--proba", options->proba, "Also the probability of every class: p(class).");
  command->add_flag("--json", options->json, "The predictions as JSON on stdout.")
      ->excludes(output);
  command->footer(
      "Columns are found by the names the model was trained on, where the file has names.\n"
      "Examples:\n"
      "  bentwood predict model.bent points.csv --proba -o predictions.csv\n"
      "  bentwood generate mixture -n 5 -c poincare | bentwood predict model.bent -");
  command->callback([options, &session] { predict(*options, session); });
}

}  // namespace bentwood::cli
