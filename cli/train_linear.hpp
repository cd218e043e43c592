#pragma once

#include <cstddef>
#include <vector>

#include "cli/linear_options.hpp"
#include "cli/perceptron_options.hpp"
#include "cli/points_file.hpp"
#include "cli/scores.hpp"
#include "cli/session.hpp"
#include "cli/targets.hpp"

namespace bentwood::cli {

/// Points, classes and options that fit each other: LinearTrainingOptions, or PerceptronTrainingOptions.
template <class Options>
struct LinearProblem {
  PointsFile file;
  LabelledTarget labelled;
  Options options;
};

/// Puts a file and options together. Throws InvalidInput that names the file where they do not fit.
template <class Options>
[[nodiscard]] LinearProblem<Options> make_linear_problem(PointsFile file,
                                                         const PointsFileOptions& input,
                                                         Options options, const Session& session);

/// What linear boundaries say about rows they have not seen is worth. Throws InvalidInput where there are too few rows.
template <class Options>
[[nodiscard]] std::vector<FoldScores> cross_validate(const LinearProblem<Options>& problem,
                                                     std::size_t n_folds);

/// Trains on all rows, and says which were projected, what was stopped early and where hulls overlap.
template <class Options>
[[nodiscard]] LinearClassifier train_on_all(const LinearProblem<Options>& problem,
                                            const Session& session);

}  // namespace bentwood::cli
