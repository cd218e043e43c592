#include "bentwood/data/csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <limits>
#include <mutex>
#include <optional>
#include <unordered_set>

#include "bentwood/base/error.hpp"
#include "bentwood/base/parallel.hpp"
#include "bentwood/data/csv_chunks.hpp"
#include "bentwood/data/csv_fields.hpp"
#include "bentwood/data/plain_text.hpp"
#include "bentwood/data/text.hpp"

namespace bentwood {
namespace {

char sniffed_delimiter(std::string_view text) {
  constexpr std::array<char, 3> candidates{',', '\t', ';'};
  std::array<std::size_t, 3> counts{};
  bool quoted = false;
  for (const char character : text) {
    quoted ^= character == '"';
    if (character == '\n' && !quoted) {
      break;
    }
    for (std::size_t index = 0; index < candidates.size() && !quoted; ++index) {
      counts[index] += character == candidates[index] ? 1U : 0U;
    }
  }
  const auto most = std::ranges::max_element(counts);
  return candidates[static_cast<std::size_t>(most - counts.begin())];
}

/// The first field of a kind in a column, whichever thread finds it first.
class FirstField {
 public:
  void note(std::size_t row, std::string_view field) {
    static std::mutex mutex;  // rarely waited for: a thread that walks on finds later rows
    if (row < row_.load(std::memory_order_relaxed)) {
      const std::scoped_lock lock(mutex);
      if (row < row_.load(std::memory_order_relaxed)) {
        row_.store(row, std::memory_order_relaxed);
        field_ = field;
      }
    }
  }
  [[nodiscard]] bool found() const { return row_ != none; }
  [[nodiscard]] NotANumber get() const { return {row_, field_}; }

 private:
  static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
  std::atomic<std::size_t> row_ = none;
  std::string field_;
};

/// Reads one CSV file; the members are what its steps hand to each other.
class CsvParser {
 public:
  CsvParser(std::string_view bytes, const std::string& source, const CsvOptions& options)
      : text_(plain_text_unless_nul(bytes, source)),
        source_(source),
        options_(options),
        delimiter_(csv_delimiter(text_, options)) {}

  Table parse() {
    read_header();
    refuse_nul(text_.substr(0, text_.size() - body_.size()), source_);
    layout_ = split_csv(body_, options_.block_size);
    if (layout_.has_nul) {
      refuse_nul(text_, source_);
    }
    check_room();
    if (!layout_.one_line_a_row) {
      lines_.resize(layout_.n_rows);
    }
    read_numbers();
    read_text();
    Table table(std::move(columns_), source_);
    if (lines_.empty()) {
      table.set_first_line(body_line_);
    } else {
      table.set_lines(std::move(lines_));
    }
    return table;
  }

 private:
  /// What was found in a column that is not a number: text, or a number out of range.
  struct Findings {
    FirstField not_a_number;
    FirstField out_of_range;
  };

  void read_header() {
    FieldReader reader(text_, delimiter_, source_, 1);
    const char* body = text_.data();
    do {
      if (columns_.size() == most_columns) {
        throw FormatError(fmt::format("{}:1: more than {} fields, expected at most so many columns",
                                      source_, most_columns));
      }
      columns_.emplace_back().name = reader.next();
    } while (!reader.row_ended());
    if (options_.header) {
      check_names();
      body = reader.position();
      body_line_ = reader.line();
      if (reader.done()) {
        throw FormatError(fmt::format("{}: a header without rows", source_));
      }
    } else {
      for (std::size_t col = 0; col < columns_.size(); ++col) {
        columns_[col].name = fmt::format("c{}", col + 1);
      }
    }
    body_ = text_.substr(static_cast<std::size_t>(body - text_.data()));
  }

  void check_names() const {
    std::unordered_set<std::string_view> seen;
    bool all_numbers = true;
    bool counts_up = true;  // 0, 1, 2, ... is how pandas names the columns of a bare matrix
    for (std::size_t col = 0; col < columns_.size(); ++col) {
      const std::string& name = columns_[col].name;
      double value = 0;
      all_numbers &= parse_number(name, value) == NumberKind::number;
      counts_up &= value == static_cast<double>(col) || value == static_cast<double>(col + 1);
    }
    if (all_numbers && !counts_up) {
      throw FormatError(fmt::format("{}:1: the first line holds numbers, expected column names; {}",
                                    source_, options_.no_header_hint));
    }
    for (std::size_t col = 0; col < columns_.size(); ++col) {
      const std::string& name = columns_[col].name;
      if (name.empty()) {
        throw FormatError(fmt::format("{}:1: column {} has no name", source_, col + 1));
      }
      if (!is_utf8(name)) {
        throw FormatError(fmt::format("{}:1: column name {} is not UTF-8", source_, shown(name)));
      }
      if (!seen.insert(name).second) {
        throw FormatError(fmt::format("{}:1: two columns are named {}", source_, shown(name)));
      }
    }
  }

  // A full row has a byte for each field, its delimiter or its newline. Fewer bytes than that means
  // a short row, which must be found before memory is set aside for rows that cannot be there.
  void check_room() const {
    if (layout_.n_rows <= (body_.size() + 1) / columns_.size()) {
      return;
    }
    FieldReader reader(body_, delimiter_, source_, body_line_);
    for_each_field(
        reader, columns_.size(), [](std::size_t) {},
        [](std::size_t, FieldReader& fields) { (void)fields.next(); });
  }

  /// Runs work(chunk, reader) for all chunks; the first error in the order of the file wins,
  /// whichever thread came first.
  template <class Work>
  void for_each_chunk(const Work& work) const {
    std::vector<std::optional<FormatError>> errors(layout_.chunks.size());
    parallel_blocks(layout_.chunks.size(), 1, [&](std::size_t index, std::size_t) {
      const CsvChunk& chunk = layout_.chunks[index];
      FieldReader reader(chunk.text, delimiter_, source_, body_line_ + chunk.first_line);
      try {
        work(chunk, reader);
      } catch (const FormatError& error) {
        errors[index] = error;
      }
    });
    for (const std::optional<FormatError>& error : errors) {
      if (error) {
        throw FormatError(*error);
      }
    }
  }

  void read_numbers() {
    const std::size_t n_cols = columns_.size();
    std::vector<std::vector<double>> numbers(n_cols);
    // The pages of long columns take time to come; short ones are not worth waking threads for.
    const std::size_t n_together = layout_.n_rows > 100'000 ? 1 : n_cols;
    parallel_blocks(n_cols, n_together, [&](std::size_t begin, std::size_t end) {
      for (std::size_t col = begin; col < end; ++col) {
        numbers[col].resize(layout_.n_rows);
      }
    });
    std::vector<Findings> found(n_cols);
    for_each_chunk([&](const CsvChunk& chunk, FieldReader& reader) {
      std::vector<double*> targets(n_cols);
      std::ranges::transform(numbers, targets.begin(),
                             [](std::vector<double>& list) { return list.data(); });
      std::size_t row = chunk.first_row - 1;
      for_each_field(
          reader, n_cols,
          [&](std::size_t line) {
            ++row;
            if (!lines_.empty()) {
              lines_[row] = line;
            }
          },
          [&](std::size_t col, FieldReader& fields) {
            if (!fields.next_number(targets[col][row])) {
              note(fields.next(), row, targets[col][row], found[col]);
            }
          });
    });
    for (std::size_t col = 0; col < n_cols; ++col) {
      settle(columns_[col], std::move(numbers[col]), found[col]);
    }
  }

  static void note(std::string_view field, std::size_t row, double& value, Findings& found) {
    const NumberKind kind = parse_number(field, value);
    if (kind == NumberKind::not_a_number ||
        (kind == NumberKind::number && is_rounded_integer(field, value))) {
      found.not_a_number.note(row, field);
    } else if (kind == NumberKind::out_of_range) {
      found.out_of_range.note(row, field);
    }
  }

  /// Decides whether a column is text, and keeps its numbers if not.
  void settle(TableColumn& column, std::vector<double> numbers, const Findings& found) {
    if (found.not_a_number.found()) {
      column.not_a_number = found.not_a_number.get();
      column.values.emplace<std::vector<std::string>>();
      return;
    }
    if (found.out_of_range.found()) {
      const auto [row, field] = found.out_of_range.get();
      throw FormatError(fmt::format(
          "{}:{}: column {} holds {}, which is out of range: the largest number is 1.8e308",
          source_, lines_.empty() ? body_line_ + row : lines_[row], shown(column.name),
          shown(field)));
    }
    column.values = std::move(numbers);
  }

  void read_text() {
    std::vector<std::vector<std::string>*> targets;
    for (TableColumn& column : columns_) {
      targets.push_back(std::get_if<std::vector<std::string>>(&column.values));
      if (targets.back() != nullptr) {
        targets.back()->resize(layout_.n_rows);
      }
    }
    if (std::ranges::all_of(targets, [](const auto* list) { return list == nullptr; })) {
      return;
    }
    for_each_chunk([&](const CsvChunk& chunk, FieldReader& reader) {
      std::size_t row = chunk.first_row - 1;
      std::size_t row_line = 0;
      for_each_field(
          reader, columns_.size(),
          [&](std::size_t line) {
            ++row;
            row_line = line;
          },
          [&](std::size_t col, FieldReader& fields) {
            const std::string_view field = fields.next();
            if (targets[col] == nullptr) {
              return;
            }
            if (!is_utf8(field)) {
              throw FormatError(fmt::format("{}:{}: column {} holds {}, which is not UTF-8 text",
                                            source_, row_line, shown(columns_[col].name),
                                            shown(field)));
            }
            (*targets[col])[row] = field;
          });
    });
  }

  std::string_view text_;
  const std::string& source_;
  const CsvOptions& options_;
  char delimiter_;
  std::string_view body_;
  std::size_t body_line_ = 1;
  CsvChunks layout_;
  std::vector<TableColumn> columns_;
  std::vector<std::size_t> lines_;
};

}  // namespace

char csv_delimiter(std::string_view text, const CsvOptions& options) {
  if (options.delimiter == 0) {
    return sniffed_delimiter(text);
  }
  if (std::string_view(",;\t|: ").find(options.delimiter) == std::string_view::npos) {
    throw InvalidInput(
        fmt::format("delimiter {}, expected a comma, semicolon, tab, bar, colon or space",
                    shown(std::string_view(&options.delimiter, 1))));
  }
  return options.delimiter;
}

Table parse_csv(std::string_view bytes, const std::string& source, const CsvOptions& options) {
  return CsvParser(bytes, source, options).parse();
}

}  // namespace bentwood
