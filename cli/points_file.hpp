#pragma once

#include <CLI/App.hpp>
#include <optional>
#include <string>
#include <vector>

#include "bentwood/data/dataset.hpp"
#include "bentwood/data/table.hpp"
#include "bentwood/geometry/coordinates.hpp"
#include "bentwood/geometry/manifold.hpp"
#include "bentwood/geometry/membership.hpp"
#include "bentwood/geometry/signature.hpp"
#include "cli/session.hpp"

namespace bentwood {
class Input;
}  // namespace bentwood

namespace bentwood::cli {

/// How a file of points is read: the options every command that takes one has.
struct PointsFileOptions {
  std::string path;
  std::string label;
  /// Whether it is an error if there are no labels.
  bool needs_label = false;
  /// The column of weights; empty for none.
  std::string weights;
  std::vector<std::string> columns;
  bool no_header = false;
  std::string format;
  std::string array;
};
void add_points_file_options(CLI::App& command, PointsFileOptions& options);

/// A table and the part of it that is points.
struct PointsFile {
  Table table;
  Dataset dataset;
  /// Whether --columns has named the coordinates.
  bool has_named_columns = false;

  [[nodiscard]] Points points() const { return {dataset.points.view(), dataset.precision}; }
};

/// The table of the file, "-" being standard input. Throws FormatError and IoError that name the file.
[[nodiscard]] Table read_points_table(const PointsFileOptions& options);

/// Takes a table apart. A column called "label" is the label if no other is named. Throws FormatError
/// and InvalidInput that name the file.
[[nodiscard]] PointsFile choose_points(Table table, const PointsFileOptions& options,
                                       const Session& session);

/// Both at once.
[[nodiscard]] PointsFile read_points(const PointsFileOptions& options, const Session& session);
/// The same from an input that somebody has opened, and maybe looked at.
[[nodiscard]] PointsFile read_points(Input& input, const PointsFileOptions& options,
                                     const Session& session);

/// The first names, fit for one line of a message.
[[nodiscard]] std::string name_list(const std::vector<std::string>& names);

/// Whether the columns of the file have names of their own, not c1, c2, ...
[[nodiscard]] bool has_names(const PointsFileOptions& options);

/// Throws InvalidInput where the file has another number of coordinates than the signature.
void require_columns(const PointsFile& file, const Signature& signature, Coordinates coordinates);

/// Throws InvalidInput that names file and line where a point is not on the manifold, and the policy
/// does not project it; warns about points near the limit of precision.
void require_on_manifold(const PointsFile& file, const Manifold& manifold, OffManifold policy,
                         const Session& session);
/// Says how many rows have been projected, if any.
void warn_of_projection(const PointsFile& file, std::size_t n_projected, double largest_residual,
                        const Session& session);

/// Messages with the file's name and line, and with the command's way to mend points.
[[nodiscard]] MessageStyle message_style(const PointsFile& file, std::string mend_hint);

/// "x0", "x1", "x2" for one factor, "h1.x0", ..., "e2.x1" for a product; x0 only where ambient
/// coordinates have it.
[[nodiscard]] std::vector<std::string> coordinate_names(const Signature& signature,
                                                        Coordinates coordinates);

/// A table of points, one column a coordinate.
[[nodiscard]] Table points_table(MatrixView points, const std::vector<std::string>& names);

/// Where a table goes: "-" is standard output, which gets CSV unless a format is named.
struct OutputFile {
  std::string path;
  /// Empty: that of the extension.
  std::string format;
};
void write_points(const OutputFile& output, const Table& table, const Session& session);

/// Adds --off-manifold.
CLI::Option* add_off_manifold_option(CLI::App& command, std::string& off_manifold);

/// Adds an option that names the format of the output.
CLI::Option* add_output_format_option(CLI::App& command, const std::string& flags,
                                      std::string& format);

/// Adds an option that takes the name of a coordinate system, and reads it.
CLI::Option* add_coordinates_option(CLI::App& command, const std::string& flags,
                                    Coordinates& coordinates, const std::string& description);

/// Adds an option that takes a signature. It is parsed when the command runs.
CLI::Option* add_signature_option(CLI::App& command, std::string& signature);
/// The same where the command can do without; an empty signature is not none.
CLI::Option* add_signature_option(CLI::App& command, std::optional<std::string>& signature);

}  // namespace bentwood::cli
