#pragma once

#include <CLI/App.hpp>
#include <cstddef>
#include <string>

#include "bentwood/linear/linear_training.hpp"
#include "cli/horosphere_options.hpp"
#include "cli/training_options.hpp"

namespace bentwood::cli {

/// The manifold of a method that only makes sense on hyperbolic space: without a signature, points are tangent vectors of H with as many
/// dimensions as there are columns, unless coordinates were given.
[[nodiscard]] Manifold hyperbolic_manifold(const TrainingOptions& training, const CLI::App& command,
                                           std::size_t n_columns);

/// What --method poincare-svm can be told besides what it shares with horo-svc, as the user said it.
struct LinearOptions {
  std::string space = "tangent";
  std::string reference = "hull";
  std::string platt = "cross";
  bool no_intercept = false;
};

void add_linear_options(CLI::App& command, LinearOptions& options);

/// The same for the library, with the names and parameters that the Python package would give the model. `shared` are the options that
/// horo-svc has, too. Throws InvalidInput.
[[nodiscard]] LinearTrainingOptions linear_training_options(const LinearOptions& options,
                                                            const HorosphereOptions& shared,
                                                            const TrainingOptions& training,
                                                            const CLI::App& command,
                                                            std::size_t n_columns);

}  // namespace bentwood::cli
