#pragma once

#include <CLI/App.hpp>
#include <cstddef>
#include <string>

#include "bentwood/linear/horosphere_training.hpp"
#include "cli/training_options.hpp"

namespace bentwood::cli {

/// What --method horo-svc can be told besides, as the user said it.
struct HorosphereOptions {
  double cost = 1;
  std::string loss = "squared_hinge";
  double beta = 0;
  std::size_t n_restarts = 2;
  std::size_t max_iterations = 200;
  double tolerance = 1e-6;
  bool probability = false;
};

void add_horosphere_options(CLI::App& command, HorosphereOptions& options);
void add_horo_tree_options(CLI::App& command, HoroTreeOptions& options);

/// Throws a usage error where an option was given that is not for the method.
void require_options_of_method(const CLI::App& command, const std::string& method);

/// The same for the library, with the names and parameters that the Python package would give the model. Without a signature, points are
/// tangent vectors of H with `n_columns` dimensions, unless coordinates were given. Throws InvalidInput.
[[nodiscard]] HorosphereTrainingOptions horosphere_training_options(
    const HorosphereOptions& options, const TrainingOptions& training, bool has_coordinates,
    std::size_t n_columns);

}  // namespace bentwood::cli
