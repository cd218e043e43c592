#pragma once

#include <CLI/App.hpp>
#include <string>
#include <vector>

#include "bentwood/model/model.hpp"
#include "cli/any_model.hpp"
#include "cli/points_file.hpp"
#include "cli/session.hpp"

namespace bentwood::cli {

/// A model and a file of points for it: the options of every command that applies one to the other.
struct ModelPointsOptions {
  std::string model;
  PointsFileOptions input;
  /// Empty: as the model says.
  std::string off_manifold;
};
void add_model_points_options(CLI::App& command, ModelPointsOptions& options);

/// A model, and points in the order of its columns.
struct ModelPoints {
  PredictingModel model;
  PointsFile file;
};

/// Reads both. Columns are those of the model by name where both have names, else all of the file in
/// their order. Throws IoError, FormatError and InvalidInput that name the file.
[[nodiscard]] ModelPoints read_model_and_points(const ModelPointsOptions& options,
                                                const Session& session);

/// The points of a file for a model on `manifold` that was trained on columns of these names, none where they had none; as
/// read_model_and_points.
[[nodiscard]] PointsFile read_points_for(const std::vector<std::string>& names,
                                         const Manifold& manifold, const std::string& model_path,
                                         const PointsFileOptions& input, const Session& session);

/// What the model says about the points. Throws InvalidInput that names the line of a point off the
/// manifold.
[[nodiscard]] Predicted predicted(const ModelPoints& both, const Session& session,
                                  Wanted wanted = Wanted::everything);

}  // namespace bentwood::cli
