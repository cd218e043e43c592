#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "bentwood/data/decimal-inl.hpp"

namespace bentwood {

/// Walks the fields of delimited text, one after the other, and keeps count of the lines.
class FieldReader {
 public:
  /// `text` begins at the start of a row, on line `line` of `source`.
  FieldReader(std::string_view text, char delimiter, const std::string& source, std::size_t line)
      : at_(text.data()),
        end_(text.data() + text.size()),
        delimiter_(delimiter),
        source_(source),
        line_(line) {}

  /// Whether all rows have been read.
  [[nodiscard]] bool done() const { return at_ == end_; }
  /// The line of the next field, counted from 1.
  [[nodiscard]] std::size_t line() const { return line_; }
  /// Where the next field begins.
  [[nodiscard]] const char* position() const { return at_; }
  /// Whether the last field ended its row.
  [[nodiscard]] bool row_ended() const { return row_ended_; }

  /// The next field, without quotes and the spaces around it; valid until the next call. Throws
  /// FormatError for a misplaced or unclosed quote and a stray carriage return.
  std::string_view next();

  /// Reads the next field as a number where it is an ordinary one and nothing else up to its
  /// delimiter. False, with nothing read, for everything else: next() then takes the field.
  bool next_number(double& value) {
    if (static_cast<std::size_t>(end_ - at_) < decimal_room) {
      return false;
    }
    const char* const stop = fast_decimal(at_, value);
    if (stop == nullptr) {
      return false;
    }
    const bool carriage_return = *stop == '\r' && stop[1] == '\n';
    const char* const last = stop + (carriage_return ? 1 : 0);
    row_ended_ = *last == '\n';
    if (!row_ended_ && *last != delimiter_) {
      return false;
    }
    line_ += row_ended_ ? 1U : 0U;
    last_is_empty_ = false;
    at_ = last + 1;
    return true;
  }

  /// Reads the rest of the row and throws FormatError: the number of fields is not the expected
  /// one.
  [[noreturn]] void fail_ragged(std::size_t n_read, std::size_t n_expected, std::size_t line);

 private:
  std::string_view quoted();
  std::string_view unquoted();
  void end_field();
  [[noreturn]] void fail(std::size_t line, std::string_view problem) const;

  const char* at_;
  const char* end_;
  char delimiter_;
  const std::string& source_;
  std::size_t line_;
  bool row_ended_ = false;
  bool last_is_empty_ = false;
  std::string unescaped_;
};

/// Calls take(col, reader) at each field of each row and row_begun(line) before; throws FormatError
/// where a row does not have `n_cols` fields.
template <class RowBegun, class Take>
void for_each_field(FieldReader& reader, std::size_t n_cols, const RowBegun& row_begun,
                    const Take& take) {
  while (!reader.done()) {
    const std::size_t line = reader.line();
    row_begun(line);
    for (std::size_t col = 0; col < n_cols; ++col) {
      take(col, reader);
      if (reader.row_ended() != (col + 1 == n_cols)) {
        reader.fail_ragged(col + 1, n_cols, line);
      }
    }
  }
}

}  // namespace bentwood
