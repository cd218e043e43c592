#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace bentwood {

/// The text of a file without a UTF-8 byte order mark at its beginning and blank lines at its end.
/// Throws FormatError for UTF-16 and UTF-32, NUL bytes, and files with nothing else in them.
[[nodiscard]] std::string_view plain_text(std::string_view bytes, const std::string& source);

/// The lines of a text one after the other, without their \n or \r\n.
class LineReader {
 public:
  explicit LineReader(std::string_view text) : rest_(text) {}

  /// The next line into `line`; false at the end.
  bool next(std::string_view& line) {
    if (rest_.empty()) {
      return false;
    }
    ++number_;
    const std::size_t end = rest_.find('\n');
    line = rest_.substr(0, end);
    rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
    if (line.ends_with('\r')) {
      line.remove_suffix(1);
    }
    return true;
  }
  /// The number of the last line, counted from 1.
  [[nodiscard]] std::size_t number() const { return number_; }
  /// What follows the last line.
  [[nodiscard]] std::string_view rest() const { return rest_; }

 private:
  std::string_view rest_;
  std::size_t number_ = 0;
};

/// Takes the next field of a line whose fields are apart by spaces and tabs; empty when none is left.
[[nodiscard]] std::string_view take_word(std::string_view& line);

}  // namespace bentwood
