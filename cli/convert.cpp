#include <fmt/format.h>

#include <CLI/App.hpp>
#include <CLI/Option.hpp>
#include <CLI/Validators.hpp>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "bentwood/base/error.hpp"
#include "bentwood/base/parallel.hpp"
#include "bentwood/data/text.hpp"
#include "bentwood/geometry/manifold.hpp"
#include "cli/points_file.hpp"
#include "cli/session.hpp"

namespace bentwood::cli {
namespace {

struct ConvertOptions {
  PointsFileOptions input;
  std::string output;
  std::string output_format;
  std::string signature;
  Coordinates source = Coordinates::ambient;
  Coordinates target = Coordinates::ambient;
  std::string off_manifold = "error";
};

/// The points on the manifold, in the source coordinates: as they are, or mended if the user says
/// so.
Matrix points_on_manifold(const PointsFile& file, const Manifold& manifold, OffManifold policy,
                          const Session& session) {
  require_on_manifold(file, manifold, policy, session);
  Manifold::Projection projection = manifold.project(file.points());
  warn_of_projection(file, projection.n_projected, projection.largest_residual, session);
  return std::move(projection.points);
}

/// The new coordinates first, then every column that was no coordinate, as it was.
Table converted_table(const PointsFile& file, const Matrix& points, const Signature& signature,
                      Coordinates target) {
  Table result = points_table(points, coordinate_names(signature, target));
  const std::unordered_set<std::string_view> coordinates(file.dataset.feature_names.begin(),
                                                         file.dataset.feature_names.end());
  for (const TableColumn& column : file.table.columns()) {
    if (coordinates.contains(column.name)) {
      continue;
    }
    if (result.has(column.name)) {
      throw InvalidInput(
          fmt::format("{}: column {} is none of the coordinates, but the output "
                      "names one so; rename it in the file",
                      file.table.source(), shown(column.name)));
    }
    result.add(column);
  }
  return result;
}

void convert(const ConvertOptions& options, const Session& session) {
  const ThreadLimit limit(session.n_threads);
  const Signature signature(options.signature);
  const PointsFile file = read_points(options.input, session);
  require_columns(file, signature, options.source);
  const Manifold manifold(signature, options.source);
  const Matrix points =
      points_on_manifold(file, manifold, parse_off_manifold(options.off_manifold), session);
  Matrix converted;
  try {
    converted = manifold.convert(points, options.source, options.target);
  } catch (const RowError& error) {
    throw InvalidInput(fmt::format("{}: {}", file.table.place(error.row()), error.problem()));
  }
  write_points({options.output, options.output_format},
               converted_table(file, converted, signature, options.target), session);
}

}  // namespace

void add_convert(CLI::App& app, Session& session) {
  CLI::App* command = app.add_subcommand(
      "convert", "Write points in other coordinates, or in another file format.");
  command->fallthrough();
  auto options = std::make_shared<ConvertOptions>();
  add_points_file_options(*command, options->input);
  command->add_option("output", options->output, "The file to write; - for CSV on stdout.")
      ->required();
  add_output_format_option(*command, "--to-format", options->output_format);
  add_signature_option(*command, options->signature)->required();
  add_coordinates_option(*command, "--from", options->source, "The coordinates of the input.")
      ->required();
  add_coordinates_option(*command, "--to", options->target, "The coordinates of the output.")
      ->required();
  add_off_manifold_option(*command, options->off_manifold);
  command->footer(
      "Columns that are no coordinates (labels, names) are kept as they are.\n"
      "Examples:\n"
      "  bentwood convert points.csv disk.csv --signature H2 --from ambient --to poincare\n"
      "  bentwood convert points.npy - -s \"H2(-0.5) x S2\" --from ambient --to tangent | head\n"
      "  bentwood convert noisy.csv clean.csv -s S2 --from ambient --to ambient "
      "--off-manifold project");
  command->callback([options, &session] { convert(*options, session); });
}

}  // namespace bentwood::cli
