#include "cli/train_geodesic.hpp"

#include <fmt/format.h>

#include <utility>

#include "cli/progress_bar.hpp"

namespace bentwood::cli {

GeodesicProblem make_geodesic_problem(PointsFile file, const PointsFileOptions& input,
                                      GeodesicOptions options, const Session& session) {
  require_columns(file, options.manifold.signature(), options.manifold.coordinates());
  require_on_manifold(file, options.manifold, options.off_manifold, session);
  if (has_names(input)) {
    options.feature_names = file.dataset.feature_names;
  }
  return {std::move(file), std::move(options)};
}

GeodesicForest train_on_all(const GeodesicProblem& problem, const Session& session) {
  GeodesicTraining training = [&] {
    ProgressBar bar(session, "all rows", problem.options.n_trees, "trees");
    return train_geodesic_forest(problem.file.points(), problem.options, bar.listener());
  }();
  warn_of_projection(problem.file, training.n_projected, training.largest_residual, session);
  return std::move(training.forest);
}

std::string points_text(const PointsFile& file, const Manifold& manifold) {
  return fmt::format("{}: {} row{} on {} in {} coordinates\n", file.table.source(),
                     file.table.n_rows(), file.table.n_rows() == 1 ? "" : "s",
                     manifold.signature().text(), name(manifold.coordinates()));
}

nlohmann::ordered_json points_json(const PointsFile& file, const Manifold& manifold) {
  nlohmann::ordered_json json{{"source", file.table.source()},
                              {"rows", file.table.n_rows()},
                              {"label", nullptr},
                              {"signature", manifold.signature().text()},
                              {"coordinates", name(manifold.coordinates())}};
  if (file.dataset.label) {
    json["label"] = file.dataset.label->name;
  }
  return json;
}

}  // namespace bentwood::cli
