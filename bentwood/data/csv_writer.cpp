#include <fmt/format.h>

#include <span>

#include "bentwood/base/error.hpp"
#include "bentwood/base/parallel.hpp"
#include "bentwood/data/csv.hpp"
#include "bentwood/data/text.hpp"

namespace bentwood {
namespace {

bool needs_quotes(std::string_view field, char delimiter) {
  // Spaces around a field and a byte order mark at the beginning of a file are taken off when read;
  // a line of an edge list that begins with # or % would be a comment.
  return field.find_first_of(std::string{delimiter, '"', '\n', '\r'}) != std::string_view::npos ||
         trimmed(field).size() != field.size() || field.starts_with('\xef') ||
         field.starts_with('#') || field.starts_with('%');
}

void append_field(std::string& out, std::string_view field, char delimiter, bool is_only) {
  if (field.find('\0') != std::string_view::npos) {
    throw InvalidInput(
        fmt::format("text {} holds a NUL byte, which no CSV file can", shown(field)));
  }
  // The row of a single empty field would be a blank line.
  if (!needs_quotes(field, delimiter) && !(is_only && field.empty())) {
    out += field;
    return;
  }
  out += '"';
  for (const char character : field) {
    out.append(character == '"' ? 2 : 1, character);
  }
  out += '"';
}

}  // namespace

std::vector<std::string> format_csv(const Table& table, char delimiter) {
  constexpr std::size_t block_size = 4096;
  constexpr std::size_t likely_width = 20;
  const std::size_t n_cols = table.n_cols();
  std::vector<std::string> pieces(1 + (table.n_rows() + block_size - 1) / block_size);
  for (std::size_t col = 0; col < n_cols; ++col) {
    append_field(pieces[0], table.columns()[col].name, delimiter, n_cols == 1);
    pieces[0] += col + 1 == n_cols ? '\n' : delimiter;
  }
  parallel_blocks(table.n_rows(), block_size, [&](std::size_t begin, std::size_t end) {
    std::string& piece = pieces[1 + begin / block_size];
    piece.reserve((end - begin) * n_cols * likely_width);
    for (std::size_t row = begin; row < end; ++row) {
      for (std::size_t col = 0; col < n_cols; ++col) {
        const TableColumn& column = table.columns()[col];
        if (const auto* const numbers = std::get_if<std::vector<double>>(&column.values)) {
          append_number(piece, (*numbers)[row]);
        } else {
          append_field(piece, std::get<std::vector<std::string>>(column.values)[row], delimiter,
                       n_cols == 1);
        }
        piece += col + 1 == n_cols ? '\n' : delimiter;
      }
    }
  });
  return pieces;
}

}  // namespace bentwood
