#include "bentwood/data/csv_chunks.hpp"

#include <algorithm>
#include <cstdint>

#include "bentwood/base/parallel.hpp"

namespace bentwood {
namespace {

/// What one block of bytes holds, given whether it begins inside quotes.
struct Block {
  bool begins_quoted = false;
  std::size_t n_quotes = 0;
  /// Newlines, and those of them outside quotes, which end rows.
  std::size_t n_lines = 0;
  std::size_t n_row_ends = 0;
  /// The first row end: its offset in the block and the lines up to and including it.
  std::size_t first_row_end = 0;
  std::size_t lines_to_first = 0;
};

std::size_t count(std::string_view text, char wanted) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), wanted));
}

void scan_unquoted(std::string_view text, Block& block) {
  block.n_lines = count(text, '\n');
  block.n_row_ends = block.n_lines;
  if (block.n_lines > 0) {
    block.first_row_end = text.find('\n');
    block.lines_to_first = 1;
  }
}

void scan_quoted(std::string_view text, Block& block) {
  bool quoted = block.begins_quoted;
  for (std::size_t at = 0; at < text.size(); ++at) {
    quoted ^= text[at] == '"';
    if (text[at] != '\n') {
      continue;
    }
    ++block.n_lines;
    if (!quoted && ++block.n_row_ends == 1) {
      block.first_row_end = at;
      block.lines_to_first = block.n_lines;
    }
  }
}

}  // namespace

CsvChunks split_csv(std::string_view body, std::size_t block_size) {
  std::vector<Block> blocks((body.size() + block_size - 1) / block_size);
  parallel_blocks(body.size(), block_size, [&](std::size_t begin, std::size_t end) {
    blocks[begin / block_size].n_quotes = count(body.substr(begin, end - begin), '"');
  });
  bool any_quotes = false;
  bool quoted = false;
  for (Block& block : blocks) {
    block.begins_quoted = quoted;
    quoted ^= block.n_quotes % 2 == 1;
    any_quotes |= block.n_quotes > 0;
  }
  parallel_blocks(body.size(), block_size, [&](std::size_t begin, std::size_t end) {
    const std::string_view text = body.substr(begin, end - begin);
    (any_quotes ? scan_quoted : scan_unquoted)(text, blocks[begin / block_size]);
  });

  CsvChunks result;
  std::size_t begin = 0;
  CsvChunk next;
  std::size_t rows = 0;
  std::size_t lines = 0;
  const auto close_at = [&](std::size_t end) {
    if (end > begin) {
      next.text = body.substr(begin, end - begin);
      result.chunks.push_back(next);
    }
  };
  for (std::size_t index = 0; index < blocks.size(); ++index) {
    const Block& block = blocks[index];
    if (index > 0 && block.n_row_ends > 0) {
      const std::size_t end = index * block_size + block.first_row_end + 1;
      close_at(end);
      begin = end;
      next.first_row = rows + 1;
      next.first_line = lines + block.lines_to_first;
    }
    rows += block.n_row_ends;
    lines += block.n_lines;
  }
  close_at(body.size());
  const bool open_end = !body.empty() && body.back() != '\n';
  // Inside an unclosed quote the last row has no end either.
  result.n_rows = rows + (open_end || quoted ? 1 : 0);
  result.one_line_a_row = rows == lines;
  return result;
}

}  // namespace bentwood
