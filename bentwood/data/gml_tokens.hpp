#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace bentwood {

/// A word of a GML file. The text of kind `text` is without its quotes, entities not yet decoded.
struct GmlToken {
  enum class Kind { key, number, text, open, close, end };
  Kind kind = Kind::end;
  std::string_view text;
  std::size_t line = 0;
};

/// Cuts GML into its words. Lines that begin with # are comments.
class GmlTokens {
 public:
  GmlTokens(std::string_view text, const std::string& source) : text_(text), source_(source) {}

  /// The next token, or `end`. Throws FormatError for an unclosed quote and characters that begin no
  /// token.
  GmlToken next();

 private:
  void skip_blank();

  std::string_view text_;
  const std::string& source_;
  std::size_t at_ = 0;
  std::size_t line_ = 1;
  bool line_begins_ = true;
};

/// Text with &amp; &lt; &gt; &quot; &apos; and &#228; decoded; other entities stay as they are, and
/// bytes that are not UTF-8 are read as Latin-1, the encoding GML was defined with.
[[nodiscard]] std::string decoded_entities(std::string_view text);

/// The reverse: quotes, ampersands, control characters and everything beyond ASCII as entities.
[[nodiscard]] std::string encoded_entities(std::string_view text);

}  // namespace bentwood
