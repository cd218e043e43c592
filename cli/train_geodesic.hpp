#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "bentwood/ensemble/train_geodesic.hpp"
#include "cli/points_file.hpp"
#include "cli/session.hpp"

namespace bentwood::cli {

/// Points and options of a geodesic forest that fit each other.
struct GeodesicProblem {
  PointsFile file;
  GeodesicOptions options;
};

/// Puts a file and options together; labels, where there are any, play no part. Throws InvalidInput that names the file where they
/// do not fit.
[[nodiscard]] GeodesicProblem make_geodesic_problem(PointsFile file, const PointsFileOptions& input,
                                                    GeodesicOptions options,
                                                    const Session& session);

/// Trains on all rows, and says which were projected.
[[nodiscard]] GeodesicForest train_on_all(const GeodesicProblem& problem, const Session& session);

/// "points.csv: 500 rows on E13 in ambient coordinates", a line.
[[nodiscard]] std::string points_text(const PointsFile& file, const Manifold& manifold);
/// What the reports of `train` and `neighbors` begin with; without a label it is null.
[[nodiscard]] nlohmann::ordered_json points_json(const PointsFile& file, const Manifold& manifold);

}  // namespace bentwood::cli
