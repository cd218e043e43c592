#include "bentwood/data/csv_chunks.hpp"

#include <algorithm>
#include <cstring>

#include "bentwood/base/parallel.hpp"

namespace bentwood {
namespace {

/// What one block of bytes holds, given whether it begins inside quotes.
struct Block {
  bool begins_quoted = false;
  std::size_t n_quotes = 0;
  std::size_t n_nuls = 0;
  /// Newlines, and those of them outside quotes, which end rows.
  std::size_t n_lines = 0;
  std::size_t n_row_ends = 0;
  /// The first row end: its offset in the block and the lines up to and including it.
  std::size_t first_row_end = 0;
  std::size_t lines_to_first = 0;
};

/// Counts newlines and quotes, and looks for NUL bytes, all in one pass.
///
/// 16 bytes at a time, in bytes that are emptied before they overflow: std::count, which adds up in
/// words of 64 bits, took several times as long.
void scan_unquoted(std::string_view text, Block& block) {
  using Lanes [[gnu::vector_size(16)]] = signed char;
  constexpr std::size_t width = sizeof(Lanes);
  const auto sum = [](const Lanes& lanes) {
    std::size_t total = 0;
    for (std::size_t lane = 0; lane < width; ++lane) {
      total += static_cast<std::size_t>(lanes[lane]);
    }
    return total;
  };
  std::size_t at = 0;
  while (at + width <= text.size()) {
    Lanes lines{};
    Lanes quotes{};
    Lanes nuls{};
    for (int step = 0; step < 127 && at + width <= text.size(); ++step, at += width) {
      Lanes bytes;
      std::memcpy(&bytes, text.data() + at, width);
      lines -= bytes == '\n';  // -1 where it holds
      quotes -= bytes == '"';
      nuls -= bytes == 0;
    }
    block.n_lines += sum(lines);
    block.n_quotes += sum(quotes);
    block.n_nuls += sum(nuls);
  }
  for (; at < text.size(); ++at) {
    block.n_lines += text[at] == '\n' ? 1U : 0U;
    block.n_quotes += text[at] == '"' ? 1U : 0U;
    block.n_nuls += text[at] == '\0' ? 1U : 0U;
  }
  block.n_row_ends = block.n_lines;
  block.first_row_end = text.find('\n');
  block.lines_to_first = 1;
}

void scan_quoted(std::string_view text, Block& block) {
  bool quoted = block.begins_quoted;
  block.n_lines = 0;
  block.n_row_ends = 0;
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
    scan_unquoted(body.substr(begin, end - begin), blocks[begin / block_size]);
  });
  bool any_quotes = false;
  bool quoted = false;
  for (Block& block : blocks) {
    block.begins_quoted = quoted;
    quoted ^= block.n_quotes % 2 == 1;
    any_quotes |= block.n_quotes > 0;
  }
  // Without any quotes all newlines end rows, and nothing is left to find out.
  if (any_quotes) {
    parallel_blocks(body.size(), block_size, [&](std::size_t begin, std::size_t end) {
      scan_quoted(body.substr(begin, end - begin), blocks[begin / block_size]);
    });
  }

  CsvChunks result;
  result.has_quotes = any_quotes;
  result.has_nul = std::ranges::any_of(blocks, [](const Block& block) { return block.n_nuls > 0; });
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
