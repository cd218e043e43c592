#include "cli/model_points.hpp"

#include <fmt/format.h>

#include <CLI/Error.hpp>
#include <CLI/Option.hpp>
#include <utility>
#include <vector>

#include "bentwood/base/error.hpp"
#include "bentwood/data/text.hpp"
#include "bentwood/model/model.hpp"
#include "cli/interrupt.hpp"

namespace bentwood::cli {
namespace {

/// Throws where a column that the model was trained on is not in the table.
void require_names(const std::vector<std::string>& names, const std::string& model_path,
                   const Table& table) {
  for (const std::string& name : names) {
    if (!table.has(name)) {
      throw InvalidInput(fmt::format(
          "{}: no column {}, which {} was trained on; rename the column or name all {} with "
          "--columns, in this order: {}",
          table.source(), shown(name), printable(model_path), names.size(), name_list(names)));
    }
  }
}

}  // namespace

void add_model_points_options(CLI::App& command, ModelPointsOptions& options) {
  command.add_option("model", options.model, "The model file that bentwood train wrote.")
      ->required();
  add_points_file_options(command, options.input);
  add_off_manifold_option(command, options.off_manifold)
      ->description("What to do with rows off the manifold. Default: what the model was told.");
}

PointsFile read_points_for(const std::vector<std::string>& names, const Manifold& manifold,
                           const std::string& model_path, const PointsFileOptions& input,
                           const Session& session) {
  Table table = read_points_table(input);
  PointsFileOptions chosen = input;
  if (chosen.columns.empty() && !names.empty() && has_names(input)) {
    require_names(names, model_path, table);
    chosen.columns = names;
  }
  PointsFile file = choose_points(std::move(table), chosen, session);
  require_columns(file, manifold.signature(), manifold.coordinates());
  return file;
}

ModelPoints read_model_and_points(const ModelPointsOptions& options, const Session& session) {
  if (options.model == "-" && options.input.path == "-") {
    throw CLI::ValidationError("model and input are both standard input, expected one of them");
  }
  PredictingModel model = [&] {
    const ExitOnInterrupt while_reading;
    return predicting(load_model(options.model), options.model);
  }();
  if (!options.off_manifold.empty()) {
    set_off_manifold(model, parse_off_manifold(options.off_manifold));
  }
  PointsFile file = read_points_for(feature_names_of(model), manifold_of(model), options.model,
                                    options.input, session);
  return {std::move(model), std::move(file)};
}

Predicted predicted(const ModelPoints& both, const Session& session, Wanted wanted) {
  require_on_manifold(both.file, manifold_of(both.model), off_manifold_of(both.model), session);
  Predicted result = predicted(both.model, both.file.points(), wanted);
  warn_of_projection(both.file, result.n_projected, result.largest_residual, session);
  return result;
}

}  // namespace bentwood::cli
