#pragma once

#include <CLI/App.hpp>
#include <cstddef>

#include "bentwood/linear/perceptron_training.hpp"
#include "cli/horosphere_options.hpp"
#include "cli/linear_options.hpp"
#include "cli/training_options.hpp"

namespace bentwood::cli {

/// What --method perceptron and second-order-perceptron can be told besides what they share with others, as the user said it; 0 mistakes
/// stand for any number.
struct PerceptronOptions {
  bool average = false;
  bool no_shuffle = false;
  std::size_t max_updates = 0;
  double regularization = 1;
};

void add_perceptron_options(CLI::App& command, PerceptronOptions& options);

/// The same for the library, with the names and parameters that the Python package would give the model. `linear` has --reference, `shared`
/// --max-iter. Throws InvalidInput, and usage errors where rows or classes have weights.
[[nodiscard]] PerceptronTrainingOptions perceptron_training_options(
    const PerceptronOptions& options, const LinearOptions& linear, const HorosphereOptions& shared,
    const TrainingOptions& training, const CLI::App& command, std::size_t n_columns);

}  // namespace bentwood::cli
