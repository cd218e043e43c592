#pragma once

#include <CLI/App.hpp>
#include <cstddef>
#include <optional>
#include <string>

#include "bentwood/ensemble/train_geodesic.hpp"
#include "cli/training_options.hpp"

namespace bentwood::cli {

/// What a geodesic forest can be told besides what it shares with other forests, as the user said it.
struct GeodesicForestOptions {
  std::string projection = "guided";
  std::size_t n_projections = 16;
  std::optional<double> density;
  double temperature = 0.2;
  double min_share = 0.1;
  std::string shared = "evidence";
  bool bootstrap = false;
  std::string counted = "all";
};

/// Adds them; their help begins with `whose`, such as "geodesic-forest: ".
void add_geodesic_options(CLI::App& command, GeodesicForestOptions& options,
                          const std::string& whose);

/// Adds those that it shares, for a command that trains nothing else.
void add_options_of_geodesic_forest(CLI::App& command, TrainingOptions& training,
                                    GeodesicForestOptions& options);

/// Throws a usage error where `command` was given an option of learning from labels for a geodesic forest, or the criterion of one for
/// another method.
void require_geodesic_options(const CLI::App& command, const TrainingOptions& training);

/// The same for the library, with the names and parameters that the Python package would give the model. Points have `n_columns`
/// columns, which makes the Euclidean space where no signature is given. Throws InvalidInput.
[[nodiscard]] GeodesicOptions geodesic_training_options(const GeodesicForestOptions& options,
                                                        const TrainingOptions& training,
                                                        const CLI::App& command,
                                                        std::size_t n_columns);

}  // namespace bentwood::cli
