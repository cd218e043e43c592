#include "bentwood/data/io.hpp"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <filesystem>
#include <span>
#include <system_error>
#include <utility>

#include "bentwood/base/error.hpp"
#include "bentwood/base/parallel.hpp"
#include "bentwood/data/edge_list.hpp"
#include "bentwood/data/file.hpp"
#include "bentwood/data/gml.hpp"
#include "bentwood/data/input.hpp"
#include "bentwood/data/matrix_market.hpp"
#include "bentwood/data/npy_table.hpp"
#include "bentwood/data/npz.hpp"
#include "bentwood/data/numeric_csv.hpp"
#include "bentwood/data/text.hpp"
#include "bentwood/data/word2vec.hpp"

namespace bentwood {
namespace {

using FormatName = std::pair<std::string_view, std::string_view>;

constexpr std::array<FormatName, 7> table_formats{{{".csv", "csv"},
                                                   {".txt", "csv"},
                                                   {".tsv", "tsv"},
                                                   {".tab", "tsv"},
                                                   {".npy", "npy"},
                                                   {".npz", "npz"},
                                                   {".vec", "word2vec"}}};

constexpr std::array<FormatName, 8> graph_formats{{{".csv", "edges"},
                                                   {".tsv", "edges"},
                                                   {".txt", "edges"},
                                                   {".edges", "edges"},
                                                   {".edgelist", "edges"},
                                                   {".mtx", "mtx"},
                                                   {".gml", "gml"},
                                                   {".tab", "edges"}}};

/// The format that was asked for, or that of the extension; throws with the list of all.
std::string_view format_of(std::string_view path, std::string_view asked,
                           std::span<const FormatName> formats, std::string_view kind) {
  const std::string suffix = path == "-" ? ".csv" : extension(path);
  std::string known;
  for (const auto& [name_suffix, format] : formats) {
    if (asked.empty() ? name_suffix == suffix : format == asked) {
      return format;
    }
    if (known.find(format) == std::string::npos) {
      known += (known.empty() ? "" : ", ") + std::string(format);
    }
  }
  if (asked.empty()) {
    throw InvalidInput(
        fmt::format("{}: cannot tell the format of the {} from the extension {}; pass its "
                    "format, one of {}",
                    printable(path), kind, shown(suffix), known));
  }
  throw InvalidInput(
      fmt::format("unknown {} format {}, expected one of {}", kind, shown(asked), known));
}

Matrix numeric_matrix(const Table& table, const std::string& path) {
  for (const TableColumn& column : table.columns()) {
    if (!column.is_numeric()) {
      throw InvalidInput(
          fmt::format("{}: column {} is text, but NPY holds numbers only; write .csv or .npz",
                      source_name(path), shown(column.name)));
    }
  }
  return table.matrix(table.names());
}

/// Throws where a reader would refuse the file.
void require_readable(const Table& table, std::string_view format, const std::string& target) {
  if (table.n_cols() == 0 || table.n_rows() == 0) {
    throw InvalidInput(
        fmt::format("{}: no {} to write", target, table.n_cols() == 0 ? "columns" : "rows"));
  }
  for (std::size_t col = 0; col < table.n_cols() && format != "npy"; ++col) {
    if (table.columns()[col].name.empty()) {
      throw InvalidInput(fmt::format("{}: column {} has no name", target, col + 1));
    }
  }
}

std::vector<std::string> word2vec_of(const Table& table, const std::string& target) {
  try {
    return format_word2vec(table);
  } catch (const Interrupted&) {
    throw;
  } catch (const Error& error) {
    throw InvalidInput(fmt::format("{}: {}", target, error.what()));
  }
}

/// Before the extension is looked at, which folders rarely have.
void refuse_folder(const std::string& path) {
  std::error_code ignored;
  if (path != "-" && std::filesystem::is_directory(path, ignored)) {
    throw IoError(fmt::format("{}: is a folder, expected a file", source_name(path)), EISDIR);
  }
}

/// Reads bytes of the format that the options name.
Table parse_known(std::string_view bytes, const std::string& source, const TableOptions& options,
                  std::size_t n_packed) {
  if (options.format == "npy") {
    return parse_npy_table(bytes, source, n_packed);
  }
  if (options.format == "npz") {
    return parse_npz_table(bytes, source, options, n_packed);
  }
  if (options.format == "word2vec") {
    return parse_word2vec(bytes, source);
  }
  CsvOptions csv = options.csv;
  if (options.format == "tsv" && csv.delimiter == 0) {
    csv.delimiter = '\t';
  }
  return parse_csv(bytes, source, csv);
}

/// An input whose end nobody knows may go on for ever: what cannot be a table of this format is refused by its first bytes.
void refuse_by_beginning(Input& input, std::string_view format) {
  if (input.size() || (format != "npy" && format != "npz")) {
    return;
  }
  const std::string start = first_bytes(input, npy_magic.size());
  if (!start.empty() && format == "npy" && start != npy_magic) {
    throw FormatError(fmt::format("{}: is not an NPY file", input.source()));
  }
  if (!start.empty() && format == "npz" && !begins_like_npz(start)) {
    throw FormatError(
        fmt::format("{}: is not an NPZ file (a zip archive of arrays)", input.source()));
  }
}

std::string npz_of(const Table& table) {
  std::vector<std::pair<std::string, NpyArray>> arrays;
  for (const TableColumn& column : table.columns()) {
    throw_if_interrupted();
    arrays.push_back({column.name, {{column.size()}, column.values}});
  }
  return format_npz(arrays);
}

}  // namespace

Table parse_table(std::string_view bytes, const std::string& source, const TableOptions& options) {
  TableOptions known = options;
  known.format = format_of(source, options.format, table_formats, "table");
  return parse_known(bytes, source, known, bytes.size());
}

Table read_table(const std::string& path, const TableOptions& options) {
  refuse_folder(path);
  // Before the file is opened: a wrong format should not wait for it.
  (void)format_of(path, options.format, table_formats, "table");
  Input input(path);
  return read_table(input, options);
}

Table read_table(Input& input, const TableOptions& options) {
  TableOptions known = options;
  known.format = format_of(input.path(), options.format, table_formats, "table");
  const bool is_csv = known.format == "csv" || known.format == "tsv";
  if (known.format == "tsv" && known.csv.delimiter == 0) {
    known.csv.delimiter = '\t';
  }
  if (is_csv) {
    if (auto table = read_numeric_csv(input, known.csv, default_segment_size())) {
      return std::move(*table);
    }
  }
  refuse_by_beginning(input, known.format);
  const bool is_text = is_csv || known.format == "word2vec";
  const Bytes bytes = read_file(input, is_text ? Contents::text : Contents::bytes);
  return parse_known(bytes.view(), input.source(), known, input.size().value_or(input.n_read()));
}

void write_table(const std::string& path, const Table& table, const std::string& format) {
  const std::string_view kind = format_of(path, format, table_formats, "table");
  const std::string target = path == "-" ? "standard output" : source_name(path);
  require_readable(table, kind, target);
  std::vector<std::string> pieces;
  if (kind == "npy") {
    pieces.push_back(format_npy(numeric_matrix(table, path).view()));
  } else if (kind == "npz") {
    pieces.push_back(npz_of(table));
  } else if (kind == "word2vec") {
    pieces = word2vec_of(table, target);
  } else {
    pieces = format_csv(table, kind == "tsv" ? '\t' : ',');
  }
  write_file(path, pieces);
}

Graph read_graph(const std::string& path, const GraphOptions& options, const std::string& format) {
  refuse_folder(path);
  const std::string_view kind = format_of(path, format, graph_formats, "graph");
  const Bytes bytes = read_file(path, Contents::text);
  const std::string source = source_name(path);
  if (kind == "mtx") {
    return parse_matrix_market(bytes.view(), source, options);
  }
  if (kind == "gml") {
    return parse_gml(bytes.view(), source, options);
  }
  return parse_edge_list(bytes.view(), source, options);
}

void write_graph(const std::string& path, const Graph& graph, const std::string& format) {
  const std::string_view kind = format_of(path, format, graph_formats, "graph");
  const bool tabs = extension(path) == ".tsv" || extension(path) == ".tab";
  const std::vector<std::string> pieces{kind == "mtx" ? format_matrix_market(graph)
                                        : kind == "gml"
                                            ? format_gml(graph)
                                            : format_edge_list(graph, tabs ? '\t' : ',')};
  write_file(path, pieces);
}

}  // namespace bentwood
