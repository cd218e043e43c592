#include "cli/points_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/Option.hpp>
#include <CLI/Validators.hpp>
#include <algorithm>
#include <variant>

#include "bentwood/base/error.hpp"
#include "bentwood/base/parallel.hpp"
#include "bentwood/data/file.hpp"
#include "bentwood/data/io.hpp"
#include "bentwood/data/text.hpp"
#include "cli/interrupt.hpp"

namespace bentwood::cli {
namespace {

constexpr const char* default_label = "label";
constexpr const char* signature_help =
    "The manifold, such as H2, \"H2(-0.5) x S2\" or \"(S2)^4 x E1\".";

CLI::Validator known_format() { return CLI::IsMember({"csv", "tsv", "npy", "npz", "word2vec"}); }

/// The columns of text that nobody named, with what the first one begins with: it may be a mistake.
std::string text_columns(const PointsFile& file) {
  const auto& names = file.dataset.ignored;
  if (names.empty()) {
    return "";
  }
  const NotANumber& first = file.table.column(names.front()).not_a_number;
  return fmt::format(" and {} of text ({}, {} in {})", names.size(), name_list(names),
                     shown(first.field), file.table.place(first.row));
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
      .add_option("--columns,--features", options.columns,
                  "The columns of coordinates, in order. Default: all numeric ones but the label.")
      ->delimiter(',')
      ->allow_extra_args(false);
  command.add_flag("--no-header", options.no_header,
                   "The first line of a CSV or TSV file is a row; columns are c1, c2, ...");
  command.add_option("--format", options.format, "The input's format, whatever its name.")
      ->check(known_format());
  command.add_option("--array", options.array, "The matrix of an .npz file, if it has several.");
}

namespace {

TableOptions table_options(const PointsFileOptions& options) {
  TableOptions how;
  how.format = options.format;
  how.array = options.array;
  how.csv.header = !options.no_header;
  how.array_hint = "pass --array and the name of one";
  how.csv.no_header_hint = "pass --no-header if the file has no header";
  return how;
}

}  // namespace

Table read_points_table(const PointsFileOptions& options) {
  const ExitOnInterrupt while_reading;
  return read_table(options.path, table_options(options));
}

PointsFile choose_points(Table table, const PointsFileOptions& options, const Session& session) {
  PointsFile file;
  file.table = std::move(table);
  DatasetColumns columns;
  columns.features = options.columns;
  if (!options.weights.empty()) {
    columns.weight = options.weights;
  }
  const bool has_default = file.table.has(default_label);
  if (!options.label.empty()) {
    columns.label = options.label;
  } else if (has_default && (options.columns.empty() || options.needs_label)) {
    columns.label = default_label;
  } else if (options.needs_label) {
    throw InvalidInput(fmt::format("{}: no column \"{}\", found {}; name the labels with --label",
                                   file.table.source(), default_label,
                                   name_list(file.table.names())));
  }
  file.dataset = select(file.table, columns);
  file.has_named_columns = !options.columns.empty();
  progress(session, fmt::format("read {} rows of {} coordinates from {}", file.table.n_rows(),
                                file.dataset.points.n_cols(), source_name(options.path)));
  return file;
}

PointsFile read_points(const PointsFileOptions& options, const Session& session) {
  return choose_points(read_points_table(options), options, session);
}

PointsFile read_points(Input& input, const PointsFileOptions& options, const Session& session) {
  Table table = [&] {
    const ExitOnInterrupt while_reading;
    return read_table(input, table_options(options));
  }();
  return choose_points(std::move(table), options, session);
}

std::string name_list(const std::vector<std::string>& names) {
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

bool has_names(const PointsFileOptions& options) {
  const std::string format = options.format.empty() ? extension(options.path) : options.format;
  return !options.no_header && !format.ends_with("npy") && !format.ends_with("npz");
}

void require_columns(const PointsFile& file, const Signature& signature, Coordinates coordinates) {
  const std::size_t expected = n_columns(signature, coordinates);
  const auto& names = file.dataset.feature_names;
  if (names.size() == expected) {
    return;
  }
  throw InvalidInput(fmt::format(
      "{}: found {} column{} of coordinates ({}){}, expected {} for {} in {} coordinates; name {}",
      file.table.source(), names.size(), names.size() == 1 ? "" : "s", name_list(names),
      text_columns(file), expected, signature.text(), name(coordinates),
      file.has_named_columns ? "as many with --columns"
                             : "the label with --label or the coordinates with --columns"));
}

void require_on_manifold(const PointsFile& file, const Manifold& manifold, OffManifold policy,
                         const Session& session) {
  const MessageStyle style = message_style(file, "pass --off-manifold project to project it");
  const Points points = file.points();
  const Membership membership =
      check_membership(manifold.signature(), manifold.coordinates(), points, style);
  const std::string problem =
      offence(manifold.signature(), manifold.coordinates(), points, membership, policy, style);
  if (!problem.empty()) {
    throw InvalidInput(problem);
  }
  const std::string warning =
      precision_warning(manifold.signature(), manifold.coordinates(), points, membership);
  if (!warning.empty()) {
    warn(session, fmt::format("{}: {}", file.table.source(), warning));
  }
}

void warn_of_projection(const PointsFile& file, std::size_t n_projected, double largest_residual,
                        const Session& session) {
  if (n_projected > 0) {
    warn(session,
         fmt::format("{}: projected {} of {} rows, the farthest by {:.2g} of the radius",
                     file.table.source(), n_projected, file.table.n_rows(), largest_residual));
  }
}

MessageStyle message_style(const PointsFile& file, std::string mend_hint) {
  return {[&file](std::size_t row) { return file.table.place(row); },
          [&file](std::size_t column) {
            return fmt::format("column {}", shown(file.dataset.feature_names[column]));
          },
          std::move(mend_hint)};
}

std::vector<std::string> coordinate_names(const Signature& signature, Coordinates coordinates) {
  const auto& factors = signature.factors();
  std::vector<std::string> names;
  for (std::size_t index = 0; index < factors.size(); ++index) {
    const std::string prefix = factors.size() == 1 ? "" : signature.prefix(index) + ".";
    const std::size_t n_names = n_columns(factors[index], coordinates);
    const std::size_t first = n_names == factors[index].dim ? 1 : 0;
    for (std::size_t axis = first; axis < first + n_names; ++axis) {
      names.push_back(fmt::format("{}x{}", prefix, axis));
    }
  }
  return names;
}

Table points_table(MatrixView points, const std::vector<std::string>& names) {
  std::vector<TableColumn> columns;
  std::vector<double*> targets;
  columns.reserve(points.n_cols());
  for (std::size_t col = 0; col < points.n_cols(); ++col) {
    throw_if_interrupted();
    columns.push_back({names[col], std::vector<double>(points.n_rows()), {}});
    targets.push_back(std::get<std::vector<double>>(columns.back().values).data());
  }
  constexpr std::size_t block_size = 4096;
  parallel_blocks(points.n_rows(), block_size, [&](std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row) {
      for (std::size_t col = 0; col < points.n_cols(); ++col) {
        targets[col][row] = points(row, col);
      }
    }
  });
  return Table(std::move(columns));
}

void write_points(const OutputFile& output, const Table& table, const Session& session) {
  if (output.path == "-") {
    // A pipe may block for ever, and what went down it cannot be taken back anyway.
    const ExitOnInterrupt while_writing;
    write_table(output.path, table, output.format);
    return;
  }
  write_table(output.path, table, output.format);
  progress(session, fmt::format("wrote {} rows to {}", table.n_rows(), source_name(output.path)));
}

CLI::Option* add_off_manifold_option(CLI::App& command, std::string& off_manifold) {
  return command
      .add_option("--off-manifold", off_manifold,
                  "What to do with rows off the manifold. Default: error.")
      ->check(CLI::IsMember({"error", "project"}));
}

CLI::Option* add_output_format_option(CLI::App& command, const std::string& flags,
                                      std::string& format) {
  return command.add_option(flags, format, "The output's format, whatever its name.")
      ->check(known_format());
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
  return command.add_option("-s,--signature", signature, signature_help);
}

CLI::Option* add_signature_option(CLI::App& command, std::optional<std::string>& signature) {
  return command.add_option_function<std::string>(
      "-s,--signature", [&signature](const std::string& text) { signature = text; },
      signature_help);
}

}  // namespace bentwood::cli
