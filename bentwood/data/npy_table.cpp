#include "bentwood/data/npy_table.hpp"

#include <fmt/format.h>

#include <optional>
#include <utility>
#include <vector>

#include "bentwood/base/error.hpp"
#include "bentwood/data/byte_stream.hpp"
#include "bentwood/data/inflate.hpp"
#include "bentwood/data/npy.hpp"
#include "bentwood/data/npz.hpp"
#include "bentwood/data/text.hpp"

namespace bentwood {
namespace {

TableColumn named(std::string name, NpyValues values) {
  TableColumn column;
  column.name = std::move(name);
  column.values = std::move(values);
  if (!column.is_numeric() && column.size() != 0) {
    column.not_a_number = {0, std::get<1>(column.values)[0]};
  }
  return column;
}

/// The columns of a matrix: c1, c2, ...
std::vector<TableColumn> counted(NpyColumns array) {
  std::vector<TableColumn> columns;
  columns.reserve(array.values.size());
  for (NpyValues& values : array.values) {
    columns.push_back(named(fmt::format("c{}", columns.size() + 1), std::move(values)));
  }
  return columns;
}

/// The arrays of an archive that make a table.
struct NpzParts {
  /// The one asked for, else the only one with two dimensions; nothing where all arrays are lists.
  std::optional<std::size_t> matrix;
  std::vector<std::size_t> lists;
};

NpzParts choose_parts(const NpzArchive& archive, const TableOptions& options,
                      const std::string& source) {
  NpzParts parts;
  std::vector<std::pair<std::size_t, std::size_t>> lists_and_rows;
  std::size_t n_rows = 0;
  if (!options.array.empty()) {
    parts.matrix = archive.find(options.array);
  }
  for (std::size_t index = 0; index < archive.size(); ++index) {
    const NpyHeader header = archive.header(index);
    if (header.shape.size() == 2 && options.array.empty()) {
      if (parts.matrix) {
        throw InvalidInput(fmt::format("{}: several matrices, {} and {}; {}", source,
                                       shown(archive.name(*parts.matrix)),
                                       shown(archive.name(index)), options.array_hint));
      }
      parts.matrix = index;
    }
    if (parts.matrix == index) {
      n_rows = header.shape.empty() ? 0 : header.shape[0];
    } else if (header.shape.size() == 1) {
      lists_and_rows.emplace_back(index, header.shape[0]);
    }
  }
  if (lists_and_rows.size() > most_columns) {
    throw FormatError(fmt::format("{}: holds {} lists, expected at most {}", source,
                                  lists_and_rows.size(), most_columns));
  }
  for (const auto& [index, n_elements] : lists_and_rows) {
    if (!parts.matrix || n_elements == n_rows) {
      parts.lists.push_back(index);
    }
  }
  return parts;
}

}  // namespace

Table parse_npy_table(std::string_view bytes, const std::string& source, std::size_t n_packed) {
  MemoryStream stream(bytes);
  NpyReader reader(stream, source);
  require_expansion(reader.memory(), n_packed, source, "decompress it first");
  NpyColumns columns = reader.columns();
  const Precision precision = columns.precision;
  Table table(counted(std::move(columns)), source);
  table.set_precision(precision);
  return table;
}

Table parse_npz_table(std::string_view bytes, const std::string& source,
                      const TableOptions& options, std::size_t n_packed) {
  const NpzArchive archive(bytes, source);
  const NpzParts parts = choose_parts(archive, options, source);
  if (!parts.matrix && parts.lists.empty()) {
    throw FormatError(fmt::format("{}: no array with rows, expected a matrix or lists", source));
  }
  std::size_t n_expanded = 0;
  std::vector<TableColumn> columns;
  Precision precision = Precision::float64;
  if (parts.matrix) {
    NpyColumns matrix = archive.columns(*parts.matrix, n_packed, n_expanded);
    precision = matrix.precision;
    columns = counted(std::move(matrix));
  }
  for (const std::size_t index : parts.lists) {
    NpyColumns list = archive.columns(index, n_packed, n_expanded);
    columns.push_back(named(archive.name(index), std::move(list.values.front())));
  }
  Table result(std::move(columns), source);
  result.set_precision(precision);
  return result;
}

}  // namespace bentwood
