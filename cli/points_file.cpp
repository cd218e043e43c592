#include "cli/points_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/Option.hpp>
#include <CLI/Validators.hpp>
#include <algorithm>

#include "bentwood/base/error.hpp"
#include "bentwood/data/file.hpp"
#include "bentwood/data/io.hpp"
#include "bentwood/data/text.hpp"
#include "cli/interrupt.hpp"

namespace bentwood::cli {
namespace {

constexpr const char* default_label = "label";

char letter(Geometry geometry) {
  switch (geometry) {
    case Geometry::hyperbolic:
      return 'h';
    case Geometry::spherical:
      return 's';
    case Geometry::euclidean:
      break;
  }
  return 'e';
}

/// The first names, fit for one line of a message.
std::string listed(const std::vector<std::string>& names) {
  constexpr std::size_t most_names = 8;
  constexpr std::size_t longest_name = 40;
  std::vector<std::string> words;
  for (std::size_t index = 0; index < std::min(names.size(), most_names); ++index) {
    words.push_back(printable(names[index], longest_name));
  }
  if (names.size() > most_names) {
    words.emplace_back("...");
  }
  return fmt::format("{}", fmt::join(words, ", "));
}

}  // namespace

void add_points_file_options(CLI::App& command, PointsFileOptions& options) {
  command
      .add_option("input", options.path,
                  "The file: .csv, .tsv, .npy, .npz and others by extension; - for CSV on stdin.")
      ->required();
  command.add_option("--label", options.label,
                     "The column of labels. Default: the one called \"label\", if there is one.");
  command
      .add_option("--columns", options.columns,
                  "The columns of coordinates, in order. Default: all numeric ones but the label.")
      ->delimiter(',');
  command.add_flag("--no-header", options.no_header,
                   "The first line of a CSV or TSV file is a row; columns are c1, c2, ...");
  command.add_option("--format", options.format, "The input's format, whatever its name.")
      ->check(CLI::IsMember({"csv", "tsv", "npy", "npz", "word2vec"}));
  command.add_option("--array", options.array, "The matrix of an .npz file, if it has several.");
}

PointsFile read_points(const PointsFileOptions& options, const Session& session) {
  PointsFile file;
  {
    TableOptions how;
    how.format = options.format;
    how.array = options.array;
    how.csv.header = !options.no_header;
    how.csv.no_header_hint = "pass --no-header if the file has no header";
    const ExitOnInterrupt while_reading;
    file.table = read_table(options.path, how);
  }
  DatasetColumns columns;
  columns.features = options.columns;
  if (!options.label.empty()) {
    columns.label = options.label;
  } else if (options.columns.empty() && file.table.has(default_label)) {
    columns.label = default_label;
  }
  file.dataset = select(file.table, columns);
  progress(session, fmt::format("read {} rows of {} coordinates from {}", file.table.n_rows(),
                                file.dataset.points.n_cols(), source_name(options.path)));
  return file;
}

void require_columns(const PointsFile& file, const Signature& signature, Coordinates coordinates) {
  const std::size_t expected = n_columns(signature, coordinates);
  const auto& names = file.dataset.feature_names;
  if (names.size() == expected) {
    return;
  }
  const auto& text = file.dataset.ignored;
  throw InvalidInput(fmt::format(
      "{}: found {} columns of coordinates ({}){}, expected {} for {} in {} coordinates; name the "
      "label with --label or the coordinates with --columns",
      file.table.source(), names.size(), listed(names),
      text.empty() ? "" : fmt::format(" and {} of text ({})", text.size(), listed(text)), expected,
      signature.text(), name(coordinates)));
}

MessageStyle message_style(const PointsFile& file) {
  return {[&file](std::size_t row) { return file.table.place(row); },
          [&file](std::size_t column) {
            return fmt::format("column {}", shown(file.dataset.feature_names[column]));
          },
          "pass --off-manifold project to project it"};
}

std::vector<std::string> coordinate_names(const Signature& signature, Coordinates coordinates) {
  const auto& factors = signature.factors();
  std::vector<std::string> names;
  for (std::size_t index = 0; index < factors.size(); ++index) {
    const std::string prefix =
        factors.size() == 1 ? "" : fmt::format("{}{}.", letter(factors[index].geometry), index + 1);
    const std::size_t n_names = n_columns(factors[index], coordinates);
    const std::size_t first = n_names == factors[index].dim ? 1 : 0;
    for (std::size_t axis = first; axis < first + n_names; ++axis) {
      names.push_back(fmt::format("{}x{}", prefix, axis));
    }
  }
  return names;
}

Table points_table(MatrixView points, const std::vector<std::string>& names) {
  std::vector<Column> columns;
  for (std::size_t col = 0; col < points.n_cols(); ++col) {
    std::vector<double> values(points.n_rows());
    for (std::size_t row = 0; row < points.n_rows(); ++row) {
      values[row] = points(row, col);
    }
    columns.push_back({names[col], std::move(values), {}});
  }
  return Table(std::move(columns));
}

void write_points(const std::string& path, const Table& table, const Session& session) {
  if (path == "-") {
    // A pipe may block for ever, and what went down it cannot be taken back anyway.
    const ExitOnInterrupt while_writing;
    write_table(path, table);
    return;
  }
  write_table(path, table);
  progress(session, fmt::format("wrote {} rows to {}", table.n_rows(), source_name(path)));
}

CLI::Option* add_coordinates_option(CLI::App& command, const std::string& flags,
                                    Coordinates& coordinates, const std::string& description) {
  return command
      .add_option_function<std::string>(
          flags, [&coordinates](const std::string& text) { coordinates = parse_coordinates(text); },
          description)
      ->check(CLI::IsMember({"ambient", "poincare", "stereographic", "klein", "tangent"}));
}

CLI::Option* add_signature_option(CLI::App& command, std::string& signature) {
  return command.add_option("-s,--signature", signature,
                            "The manifold, such as H2, \"H2(-0.5) x S2\" or \"(S2)^4 x E1\".");
}

}  // namespace bentwood::cli
