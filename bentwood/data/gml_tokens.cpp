#include "bentwood/data/gml_tokens.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cstdint>
#include <utility>

#include "bentwood/base/error.hpp"
#include "bentwood/data/text.hpp"

namespace bentwood {
namespace {

bool is_letter(char character) {
  return (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z') ||
         character == '_';
}
bool is_digit(char character) { return character >= '0' && character <= '9'; }
bool is_space(char character) {
  return character == ' ' || character == '\t' || character == '\r' || character == '\n';
}

constexpr std::array<std::pair<std::string_view, char>, 5> entities{{
    {"&amp;", '&'},
    {"&lt;", '<'},
    {"&gt;", '>'},
    {"&quot;", '"'},
    {"&apos;", '\''},
}};

/// Decodes the entity at the start of `text` into `out`; the bytes it takes, 0 where it is none.
std::size_t decode_entity(std::string_view text, std::string& out) {
  for (const auto& [entity, character] : entities) {
    if (text.starts_with(entity)) {
      out += character;
      return entity.size();
    }
  }
  constexpr std::size_t longest = 10;
  const std::size_t end = text.substr(0, longest).find(';');
  if (!text.starts_with("&#") || end == std::string_view::npos || end == 2) {
    return 0;
  }
  std::uint32_t code_point = 0;
  const bool hexadecimal = text[2] == 'x';
  const char* const first = text.data() + (hexadecimal ? 3 : 2);
  const auto [stop, error] =
      std::from_chars(first, text.data() + end, code_point, hexadecimal ? 16 : 10);
  if (error != std::errc{} || stop != text.data() + end || !is_code_point(code_point)) {
    return 0;
  }
  append_utf8(out, code_point);
  return end + 1;
}

}  // namespace

void GmlTokens::skip_blank() {
  while (at_ < text_.size()) {
    if (line_begins_ && text_[at_] == '#') {
      at_ = std::min(text_.find('\n', at_), text_.size());
    } else if (is_space(text_[at_])) {
      line_begins_ = line_begins_ || text_[at_] == '\n';
      line_ += text_[at_] == '\n' ? 1U : 0U;
      ++at_;
    } else {
      return;
    }
  }
}

GmlToken GmlTokens::next() {
  skip_blank();
  line_begins_ = false;
  GmlToken token{GmlToken::Kind::end, {}, line_};
  if (at_ == text_.size()) {
    return token;
  }
  const std::size_t begin = at_;
  const char first = text_[at_];
  if (first == '[' || first == ']') {
    token.kind = first == '[' ? GmlToken::Kind::open : GmlToken::Kind::close;
    ++at_;
  } else if (first == '"') {
    token.kind = GmlToken::Kind::text;
    const std::size_t close = text_.find('"', begin + 1);
    if (close == std::string_view::npos) {
      throw FormatError(fmt::format("{}:{}: the quote opened here is never closed", source_, line_));
    }
    token.text = text_.substr(begin + 1, close - begin - 1);
    for (const char character : token.text) {
      line_ += character == '\n' ? 1U : 0U;
    }
    at_ = close + 1;
    return token;
  } else if (is_letter(first)) {
    token.kind = GmlToken::Kind::key;
    while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]))) {
      ++at_;
    }
  } else if (is_digit(first) || first == '-' || first == '+' || first == '.') {
    token.kind = GmlToken::Kind::number;
    while (at_ < text_.size() && !is_space(text_[at_]) && text_[at_] != '[' && text_[at_] != ']') {
      ++at_;
    }
  } else {
    throw FormatError(fmt::format("{}:{}: found {}, expected a key, a value, [ or ]", source_, line_,
                                  shown(text_.substr(begin, 1))));
  }
  token.text = text_.substr(begin, at_ - begin);
  return token;
}

std::string decoded_entities(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    std::size_t length = text[0] == '&' ? decode_entity(text, result) : 0;
    if (length == 0) {
      length = utf8_length(text);
      if (length == 0) {
        append_utf8(result, static_cast<unsigned char>(text[0]));
        length = 1;
      } else {
        result += text.substr(0, length);
      }
    }
    text.remove_prefix(length);
  }
  return result;
}

std::string encoded_entities(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::size_t length = std::max<std::size_t>(1, utf8_length(text));
    const auto first = static_cast<unsigned char>(text[0]);
    if (text[0] == '&') {
      result += "&amp;";
    } else if (text[0] == '"') {
      result += "&quot;";
    } else if (first >= 0x20 && first < 0x7F) {
      result += text[0];
    } else {
      fmt::format_to(std::back_inserter(result), "&#{};", code_point(text));
    }
    text.remove_prefix(length);
  }
  return result;
}

}  // namespace bentwood
