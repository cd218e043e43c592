#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace bentwood {

/// Whole rows of delimited text that one thread can read without knowing the others.
struct CsvChunk {
  std::string_view text;
  std::size_t first_row = 0;
  /// The line of its first row, relative to the first line of the body.
  std::size_t first_line = 0;
};

struct CsvChunks {
  std::vector<CsvChunk> chunks;
  std::size_t n_rows = 0;
  /// Whether every row is one line, so that nobody needs to remember their lines.
  bool one_line_a_row = true;
};

/// Cuts the body of a file into chunks of about `block_size` bytes at newlines outside quotes.
///
/// A newline is outside quotes when an even number of quotes stands before it, which is exact for text
/// whose quotes are all in place; otherwise the chunks up to the first misplaced quote are still right,
/// so the first error in the order of the chunks is the first error of the file.
[[nodiscard]] CsvChunks split_csv(std::string_view body, std::size_t block_size);

}  // namespace bentwood
