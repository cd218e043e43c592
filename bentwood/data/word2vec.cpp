#include "bentwood/data/word2vec.hpp"

#include <fmt/format.h>

#include <optional>
#include <unordered_map>

#include "bentwood/base/error.hpp"
#include "bentwood/base/parallel.hpp"
#include "bentwood/data/plain_text.hpp"
#include "bentwood/data/text.hpp"

namespace bentwood {
namespace {

constexpr std::size_t block_size = 256;

class Word2vecParser {
 public:
  Word2vecParser(std::string_view bytes, const std::string& source)
      : text_(plain_text(bytes, source)), source_(source) {}

  Table parse() {
    LineReader lines(text_);
    std::string_view line;
    (void)lines.next(line);
    read_header(line);
    while (lines.next(line)) {
      rows_.push_back(line);
    }
    if (rows_.size() != n_words_) {
      throw FormatError(fmt::format("{}: {} words, expected the {} announced in line 1", source_,
                                    rows_.size(), n_words_));
    }
    check_room();
    if (dim_ >= most_columns) {
      fail(0, fmt::format("{} dimensions, expected less than {}", dim_, most_columns));
    }
    std::vector<TableColumn> columns(dim_ + 1);
    columns[0].name = "word";
    columns[0].values = std::vector<std::string>(n_words_);
    for (std::size_t col = 1; col <= dim_; ++col) {
      columns[col].name = fmt::format("c{}", col);
      columns[col].values = std::vector<double>(n_words_);
    }
    read_rows(columns);
    check_words(std::get<1>(columns[0].values));
    columns[0].not_a_number = {0, std::get<1>(columns[0].values)[0]};
    Table table(std::move(columns), source_);
    table.set_first_line(2);
    return table;
  }

 private:
  void read_header(std::string_view line) {
    const auto n_words = parse_integer(take_word(line));
    const auto dim = parse_integer(take_word(line));
    if (!n_words || !dim || *n_words < 1 || *dim < 1 || !take_word(line).empty()) {
      fail(0,
           "expected a first line with the number of words and of dimensions, such as \"1000 50\"");
    }
    n_words_ = static_cast<std::size_t>(*n_words);
    dim_ = static_cast<std::size_t>(*dim);
  }

  // A full row has two bytes for each number. Fewer means a short row, to be found before memory is
  // set aside for numbers that cannot be there.
  void check_room() const {
    if (dim_ <= text_.size() / (2 * n_words_)) {
      return;
    }
    for (std::size_t row = 0; row < rows_.size(); ++row) {
      std::string_view rest = rows_[row];
      (void)take_word(rest);
      std::size_t n_numbers = 0;
      while (!take_word(rest).empty()) {
        ++n_numbers;
      }
      if (n_numbers != dim_) {
        fail_width(row, n_numbers);
      }
    }
  }

  void read_rows(std::vector<TableColumn>& columns) const {
    std::vector<double*> targets;
    for (std::size_t col = 1; col <= dim_; ++col) {
      targets.push_back(std::get<0>(columns[col].values).data());
    }
    std::vector<std::string>& words = std::get<1>(columns[0].values);
    // The first error in the order of the file wins, whichever thread came first.
    std::vector<std::optional<FormatError>> errors((n_words_ + block_size - 1) / block_size);
    parallel_blocks(n_words_, block_size, [&](std::size_t begin, std::size_t end) {
      try {
        for (std::size_t row = begin; row < end; ++row) {
          words[row] = read_row(row, targets);
        }
      } catch (const FormatError& error) {
        errors[begin / block_size] = error;
      }
    });
    for (const std::optional<FormatError>& error : errors) {
      if (error) {
        throw FormatError(*error);
      }
    }
  }

  [[nodiscard]] std::string_view read_row(std::size_t row,
                                          const std::vector<double*>& targets) const {
    std::string_view rest = rows_[row];
    const std::string_view word = take_word(rest);
    if (word.empty()) {
      fail(row + 1, "the line is blank, expected a word and its numbers");
    }
    if (!is_utf8(word)) {
      fail(row + 1, fmt::format("word {} is not UTF-8", shown(word)));
    }
    for (std::size_t col = 0; col < dim_; ++col) {
      const std::string_view field = take_word(rest);
      if (field.empty()) {
        fail_width(row, col);
      }
      const NumberKind kind = parse_number(field, targets[col][row]);
      if (kind != NumberKind::number) {
        fail(row + 1, fmt::format("{}: {}", shown(field),
                                  kind == NumberKind::out_of_range
                                      ? "out of range: the largest number is 1.8e308"
                                      : "expected a number"));
      }
    }
    std::size_t n_numbers = dim_;
    while (!take_word(rest).empty()) {
      ++n_numbers;
    }
    if (n_numbers != dim_) {
      fail_width(row, n_numbers);
    }
    return word;
  }

  void check_words(const std::vector<std::string>& words) const {
    std::unordered_map<std::string_view, std::size_t> seen;
    for (std::size_t row = 0; row < words.size(); ++row) {
      const auto [first, is_new] = seen.try_emplace(words[row], row);
      if (!is_new) {
        fail(row + 1, fmt::format("the word {} is in line {} already", shown(words[row]),
                                  first->second + 2));
      }
    }
  }

  [[noreturn]] void fail_width(std::size_t row, std::size_t n_numbers) const {
    fail(row + 1, fmt::format("{} numbers, expected {}", n_numbers, dim_));
  }
  [[noreturn]] void fail(std::size_t line_index, std::string_view problem) const {
    throw FormatError(fmt::format("{}:{}: {}", source_, line_index + 1, problem));
  }

  std::string_view text_;
  const std::string& source_;
  std::size_t n_words_ = 0;
  std::size_t dim_ = 0;
  std::vector<std::string_view> rows_;
};

}  // namespace

Table parse_word2vec(std::string_view bytes, const std::string& source) {
  return Word2vecParser(bytes, source).parse();
}

std::vector<std::string> format_word2vec(const Table& table, std::string_view word) {
  const std::vector<std::string> words = table.text(word);
  std::vector<std::span<const double>> numbers;
  for (const TableColumn& column : table.columns()) {
    if (column.name != word) {
      numbers.push_back(table.numbers(column.name));
    }
  }
  std::vector<std::string> pieces(1 + (words.size() + block_size - 1) / block_size);
  pieces[0] = fmt::format("{} {}\n", words.size(), numbers.size());
  parallel_blocks(words.size(), block_size, [&](std::size_t begin, std::size_t end) {
    std::string& piece = pieces[1 + begin / block_size];
    for (std::size_t row = begin; row < end; ++row) {
      if (words[row].empty() || words[row].find_first_of(" \t\r\n") != std::string::npos) {
        throw InvalidInput(
            fmt::format("{}: the word {} is empty or holds a space, which word2vec text "
                        "cannot",
                        table.place(row), shown(words[row])));
      }
      piece += words[row];
      for (const std::span<const double>& column : numbers) {
        piece += ' ';
        append_number(piece, column[row]);
      }
      piece += '\n';
    }
  });
  return pieces;
}

}  // namespace bentwood
