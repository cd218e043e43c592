#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "bentwood/data/csv.hpp"
#include "bentwood/data/graph.hpp"
#include "bentwood/data/table.hpp"

namespace bentwood {

class Input;

/// How to read a table; the extension of the file decides what is left open.
struct TableOptions {
  /// "csv", "tsv", "npy", "npz" or "word2vec"; empty takes the extension's: .csv .tsv .tab .txt
  /// .npy .npz .vec, each with .gz behind it or not. "-" without a format is CSV.
  std::string format;
  CsvOptions csv;
  /// The matrix of an NPZ file; empty takes the only one with two dimensions.
  std::string array;
  /// How the reader of a message says which one; a literal.
  std::string_view array_hint = "set array to the name of one";
};

/// Reads a file ("-": standard input) as a table.
///
/// The columns of an NPY matrix are c1, c2, ...; of an NPZ file its matrix gives c1, c2, ... and
/// each list of the same length a column by its own name (other arrays, such as a list of the
/// classes, are no part of the table); without a matrix all lists make columns. Throws IoError,
/// FormatError, and InvalidInput for an unknown format.
[[nodiscard]] Table read_table(const std::string& path, const TableOptions& options = {});
/// The same from an input that somebody has opened, and maybe looked at.
[[nodiscard]] Table read_table(Input& input, const TableOptions& options = {});

/// The same from bytes in memory, which are not decompressed; `source` stands for the path.
[[nodiscard]] Table parse_table(std::string_view bytes, const std::string& source,
                                const TableOptions& options = {});

/// Writes a table in the format of the extension, or in `format`; atomically (write_file). CSV
/// keeps everything; NPY takes numeric columns only and no names; NPZ makes an array of each
/// column.
///
/// Throws InvalidInput where there is nothing to write, a column of CSV has no name, or the format
/// cannot hold the table; IoError.
void write_table(const std::string& path, const Table& table, const std::string& format = "");

/// Reads a file as a graph: "edges" (.csv .tsv .txt .edges .edgelist), "mtx", "gml"; empty takes
/// the extension's.
[[nodiscard]] Graph read_graph(const std::string& path, const GraphOptions& options = {},
                               const std::string& format = "");
void write_graph(const std::string& path, const Graph& graph, const std::string& format = "");

}  // namespace bentwood
