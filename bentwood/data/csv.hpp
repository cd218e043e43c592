#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "bentwood/data/table.hpp"

namespace bentwood {

struct CsvOptions {
  /// The character between fields; 0 takes the one of comma, tab and semicolon that the first line
  /// holds most of.
  char delimiter = 0;
  /// Whether the first line names the columns; without it they are c1, c2, ...
  bool header = true;
  /// How the reader of a message says that there is no header: the library, the CLI and Python
  /// differ.
  std::string no_header_hint = "pass header = false if the file has no header";
  /// Bytes a thread takes at a time. No result depends on it; tests make it small.
  std::size_t block_size = std::size_t{1} << 20;
};

/// Reads comma, tab or semicolon separated values.
///
/// A field may stand in double quotes and then hold delimiters, newlines and "" for a quote; spaces
/// around a field are not part of it. Lines end with \n or \r\n; a UTF-8 byte order mark, a missing
/// final newline and blank lines at the end change nothing. A column is numeric when every field is
/// a number (parse_number in text.hpp; nan and inf are), else text, and text must be UTF-8. Integers
/// that a double would round make a column text, so that labels and ids stay what they are.
///
/// Throws FormatError naming `source` and the true line: an empty file, a header without rows, a
/// row with another number of fields, two columns of one name, a column without a name, a header of
/// numbers, a quote that is never closed or stands inside a field, a number out of range, NUL
/// bytes, UTF-16. One pass over the bytes, a second one for text columns, on several threads;
/// memory is proportional to the bytes.
[[nodiscard]] Table parse_csv(std::string_view bytes, const std::string& source,
                              const CsvOptions& options = {});

/// The delimiter of the options, or the one that the first line holds most of. Throws InvalidInput
/// for a character that could be part of a number or of quoting.
[[nodiscard]] char csv_delimiter(std::string_view text, const CsvOptions& options);

/// The table as the pieces of a CSV file: numbers in the shortest form that reads back the same,
/// quotes where a field needs them. Throws InvalidInput for text with NUL bytes.
[[nodiscard]] std::vector<std::string> format_csv(const Table& table, char delimiter = ',');

}  // namespace bentwood
