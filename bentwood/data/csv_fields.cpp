#include "bentwood/data/csv_fields.hpp"

#include <fast_float/fast_float.h>
#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "bentwood/base/error.hpp"
#include "bentwood/data/text.hpp"

namespace bentwood {

bool FieldReader::next_number(double& value) {
  double parsed = 0;
  const auto [stop, error] = fast_float::from_chars(at_, end_, parsed);
  // Not finite: nan, inf and numbers out of range go the slow way, which tells them apart.
  if (error != std::errc{} || !(std::abs(parsed) <= std::numeric_limits<double>::max())) {
    return false;
  }
  if (stop == end_) {
    at_ = stop;
    row_ended_ = true;
  } else if (*stop == delimiter_) {
    at_ = stop + 1;
    row_ended_ = false;
  } else if (*stop == '\n') {
    at_ = stop + 1;
    row_ended_ = true;
    ++line_;
  } else if (*stop == '\r' && end_ - stop > 1 && stop[1] == '\n') {
    at_ = stop + 2;
    row_ended_ = true;
    ++line_;
  } else {
    return false;
  }
  last_is_empty_ = false;
  value = parsed;
  return true;
}

std::string_view FieldReader::next() {
  const char* first = at_;
  while (first != end_ && *first != delimiter_ && (*first == ' ' || *first == '\t')) {
    ++first;
  }
  if (first != end_ && *first == '"') {
    at_ = first + 1;
    return quoted();
  }
  return unquoted();
}

std::string_view FieldReader::quoted() {
  const std::size_t opened = line_;
  const char* begin = at_;
  unescaped_.clear();
  bool is_whole = true;
  while (true) {
    while (at_ != end_ && *at_ != '"') {
      line_ += *at_ == '\n' ? 1U : 0U;
      ++at_;
    }
    if (at_ == end_) {
      fail(opened, "the quote opened here is never closed");
    }
    if (end_ - at_ < 2 || at_[1] != '"') {
      break;
    }
    unescaped_.append(begin, at_ + 1);
    is_whole = false;
    at_ += 2;
    begin = at_;
  }
  std::string_view field(begin, static_cast<std::size_t>(at_ - begin));
  if (!is_whole) {
    unescaped_ += field;
    field = unescaped_;
  }
  ++at_;
  while (at_ != end_ && *at_ != delimiter_ && (*at_ == ' ' || *at_ == '\t')) {
    ++at_;
  }
  if (at_ != end_ && *at_ != delimiter_ && *at_ != '\n' && *at_ != '\r') {
    fail(line_, "text follows a closing quote; write a quote inside quotes as \"\"");
  }
  last_is_empty_ = false;
  end_field();
  return field;
}

std::string_view FieldReader::unquoted() {
  const char* const begin = at_;
  while (at_ != end_ && *at_ != delimiter_ && *at_ != '\n' && *at_ != '\r') {
    if (*at_ == '"') {
      fail(line_, "a quote stands inside a field; put the whole field in quotes and write \"\"");
    }
    ++at_;
  }
  const std::string_view field(begin, static_cast<std::size_t>(at_ - begin));
  last_is_empty_ = field.empty();
  end_field();
  return trimmed(field);
}

void FieldReader::end_field() {
  row_ended_ = at_ == end_ || *at_ != delimiter_;
  if (at_ == end_) {
    return;
  }
  if (*at_ == '\r') {
    ++at_;
    if (at_ != end_ && *at_ != '\n') {
      fail(line_, "a carriage return stands inside a line; expected lines to end with \\n or \\r\\n");
    }
    if (at_ == end_) {
      return;
    }
  }
  line_ += *at_ == '\n' ? 1U : 0U;
  ++at_;
}

void FieldReader::fail_ragged(std::size_t n_read, std::size_t n_expected, std::size_t line) {
  if (n_read == 1 && row_ended_ && last_is_empty_) {
    fail(line, fmt::format("the line is blank, expected {} fields", n_expected));
  }
  while (!row_ended_ && !done()) {
    (void)next();
    ++n_read;
  }
  // A row that ends with its delimiter right before the end of the text has one more, empty field.
  if (!row_ended_) {
    ++n_read;
  }
  fail(line, fmt::format("{} field{}, expected {}", n_read, n_read == 1 ? "" : "s", n_expected));
}

void FieldReader::fail(std::size_t line, std::string_view problem) const {
  throw FormatError(fmt::format("{}:{}: {}", source_, line, problem));
}

}  // namespace bentwood
