#include "bentwood/data/numeric_csv.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "bentwood/base/error.hpp"
#include "bentwood/base/memory.hpp"
#include "bentwood/base/parallel.hpp"
#include "bentwood/data/csv_chunks.hpp"
#include "bentwood/data/csv_fields.hpp"
#include "bentwood/data/input.hpp"
#include "bentwood/data/text.hpp"

namespace bentwood {
namespace {

/// Cuts a file into segments of whole lines.
class SegmentReader {
 public:
  SegmentReader(const Input& input, std::size_t segment_size)
      : input_(input),
        size_(segment_size),
        buffer_(std::make_unique_for_overwrite<char[]>(segment_size)) {}

  /// The next whole lines, valid until the next call; empty at the end, and where a line is longer
  /// than a segment, which failed() tells apart.
  std::string_view next() {
    std::memmove(buffer_.get(), buffer_.get() + used_, filled_ - used_);
    filled_ -= std::exchange(used_, 0);
    while (filled_ < size_ && !at_end_) {
      const std::size_t n_read =
          input_.read_at(offset_, {buffer_.get() + filled_, size_ - filled_});
      at_end_ = n_read == 0;
      filled_ += n_read;
      offset_ += n_read;
    }
    const std::string_view bytes(buffer_.get(), filled_);
    used_ = at_end_ ? filled_ : bytes.rfind('\n') + 1;  // 0 where there is none
    return bytes.substr(0, used_);
  }
  [[nodiscard]] bool failed() const { return used_ == 0 && !at_end_; }
  [[nodiscard]] bool at_end() const { return at_end_; }

 private:
  const Input& input_;
  std::size_t offset_ = 0;
  std::size_t size_;
  std::unique_ptr<char[]> buffer_;
  std::size_t used_ = 0;
  std::size_t filled_ = 0;
  bool at_end_ = false;
};

/// Columns of numbers that grow by one segment after the other.
class GrowingColumns {
 public:
  GrowingColumns(std::vector<std::vector<double>> columns, char delimiter)
      : columns_(std::move(columns)), delimiter_(delimiter) {}

  void reserve(std::size_t n_rows) {
    for (std::vector<double>& column : columns_) {
      column.reserve(n_rows);
      prefer_huge_pages(column.data() + column.size(),
                        (column.capacity() - column.size()) * sizeof(double));
    }
  }

  /// Appends rows; false where they are anything but full rows of numbers.
  bool add(std::string_view rows, std::size_t block_size) {
    const CsvChunks layout = split_csv(rows, block_size);
    const std::size_t n_cols = columns_.size();
    if (layout.has_nul || layout.has_quotes || layout.n_rows > (rows.size() + 1) / n_cols) {
      return false;
    }
    const std::size_t n_before = columns_[0].size();
    std::vector<double*> targets(n_cols);
    parallel_blocks(n_cols, 1, [&](std::size_t col, std::size_t) {
      columns_[col].resize(n_before + layout.n_rows);
      targets[col] = columns_[col].data() + n_before;
    });
    std::atomic<bool> all_numbers = true;
    parallel_blocks(layout.chunks.size(), 1, [&](std::size_t index, std::size_t) {
      if (all_numbers && !read_chunk(layout.chunks[index], targets)) {
        all_numbers = false;
      }
    });
    return all_numbers;
  }

  [[nodiscard]] std::vector<std::vector<double>> release() && { return std::move(columns_); }

 private:
  [[nodiscard]] bool read_chunk(const CsvChunk& chunk, const std::vector<double*>& targets) const {
    static const std::string nobody;  // its messages are not for users
    FieldReader reader(chunk.text, delimiter_, nobody, 1);
    std::size_t row = chunk.first_row - 1;
    bool all_numbers = true;
    try {
      for_each_field(
          reader, targets.size(), [&](std::size_t) { ++row; },
          [&](std::size_t col, FieldReader& fields) {
            double& value = targets[col][row];
            if (!fields.next_number(value)) {
              const std::string_view field = fields.next();
              all_numbers &= parse_number(field, value) == NumberKind::number &&
                             !is_rounded_integer(field, value);
            }
          });
    } catch (const FormatError&) {
      return false;
    }
    return all_numbers;
  }

  std::vector<std::vector<double>> columns_;
  char delimiter_;
};

/// The first segment as the general reader sees it; nothing where it is not all numbers.
std::optional<Table> parse_first(std::string_view rows, const std::string& source,
                                 const CsvOptions& options) {
  if (rows.empty() || rows.find('"') != std::string_view::npos) {
    return std::nullopt;
  }
  try {
    Table table = parse_csv(rows, source, options);
    const bool all_numbers =
        std::all_of(table.columns().begin(), table.columns().end(),
                    [](const TableColumn& column) { return column.is_numeric(); });
    return all_numbers ? std::optional(std::move(table)) : std::nullopt;
  } catch (const FormatError&) {
    return std::nullopt;
  }
}

std::string_view without_blank_end(std::string_view rows) {
  while (rows == "\n" || rows == "\r\n" || rows.ends_with("\n\n") || rows.ends_with("\n\r\n")) {
    rows.remove_suffix(rows.ends_with("\r\n") ? 2 : 1);
  }
  return rows;
}

}  // namespace

std::size_t default_segment_size() {
  constexpr std::size_t for_a_thread = std::size_t{1} << 20;  // read and parsed within the cache
  return for_a_thread * thread_count();
}

std::optional<Table> read_numeric_csv(const Input& input, const CsvOptions& options,
                                      std::size_t segment_size) {
  const std::size_t size = input.size().value_or(0);
  if (size < 2 * segment_size) {
    return std::nullopt;
  }
  SegmentReader segments(input, segment_size);
  const std::string_view first_rows = segments.next();
  CsvOptions known = options;
  known.delimiter = csv_delimiter(first_rows, options);
  std::optional<Table> first = parse_first(first_rows, input.source(), known);
  if (!first) {
    return std::nullopt;
  }
  const std::vector<std::string> names = first->names();
  const std::size_t n_first = first->n_rows();
  std::vector<std::vector<double>> begun;
  for (TableColumn& column : std::move(*first).release()) {
    begun.push_back(std::get<std::vector<double>>(std::move(column.values)));
  }
  GrowingColumns columns(std::move(begun), known.delimiter);
  // Rows of about the same length as the first ones, and some more so that it rarely falls short.
  const double share = static_cast<double>(size) / static_cast<double>(first_rows.size());
  columns.reserve(static_cast<std::size_t>(1.02 * share * static_cast<double>(n_first)) + 16);
  while (!segments.at_end()) {
    throw_if_interrupted();
    std::string_view rows = segments.next();
    rows = segments.at_end() ? without_blank_end(rows) : rows;
    if (segments.failed() || (!rows.empty() && !columns.add(rows, options.block_size))) {
      return std::nullopt;
    }
  }
  std::vector<TableColumn> finished;
  std::vector<std::vector<double>> values = std::move(columns).release();
  for (std::size_t col = 0; col < names.size(); ++col) {
    finished.push_back({names[col], std::move(values[col]), {}});
  }
  Table table(std::move(finished), input.source());
  table.set_first_line(options.header ? 2 : 1);
  return table;
}

}  // namespace bentwood
