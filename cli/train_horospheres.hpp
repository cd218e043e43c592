#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/horosphere_options.hpp"
#include "cli/points_file.hpp"
#include "cli/scores.hpp"
#include "cli/session.hpp"
#include "cli/targets.hpp"

namespace bentwood::cli {

/// Points, classes and options that fit each other.
struct HorosphereProblem {
  PointsFile file;
  LabelledTarget labelled;
  HorosphereTrainingOptions options;
};

/// Puts a file and options together. Throws InvalidInput that names the file where they do not fit.
[[nodiscard]] HorosphereProblem make_horosphere_problem(PointsFile file,
                                                        const PointsFileOptions& input,
                                                        HorosphereTrainingOptions options,
                                                        const Session& session);

/// What horospheres say about rows they have not seen is worth. Throws InvalidInput where there are too few rows.
[[nodiscard]] std::vector<FoldScores> cross_validate(const HorosphereProblem& problem,
                                                     std::size_t n_folds);

/// Trains on all rows, and says which were projected and what was stopped early.
[[nodiscard]] HorosphereClassifier train_on_all(const HorosphereProblem& problem,
                                                const Session& session);

}  // namespace bentwood::cli
