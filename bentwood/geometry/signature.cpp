#include "bentwood/geometry/signature.hpp"

#include <fast_float/fast_float.h>
#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

#include "bentwood/base/error.hpp"

namespace bentwood {
namespace {

// Generous for any real use, and small enough that no product of dimensions can overflow.
constexpr std::size_t max_total_dim = 1'000'000;
constexpr std::size_t max_nesting = 32;

double default_curvature(Geometry geometry) {
  switch (geometry) {
    case Geometry::hyperbolic:
      return -1;
    case Geometry::spherical:
      return 1;
    case Geometry::euclidean:
      break;
  }
  return 0;
}

/// What is wrong with a curvature of this geometry, if anything.
std::optional<std::string> curvature_problem(Geometry geometry, double curvature) {
  if (!std::isfinite(curvature)) {
    return fmt::format("curvature {} is not a finite number", curvature);
  }
  // 1/κ and √|κ| must both be ordinary numbers, or scaling to unit curvature loses the points.
  constexpr double smallest = 1e-100;
  constexpr double largest = 1e100;
  const double size = std::abs(curvature);
  if (geometry != Geometry::euclidean && size != 0 && (size < smallest || size > largest)) {
    return fmt::format("curvature {} is out of range, expected a size between 1e-100 and 1e100",
                       curvature);
  }
  switch (geometry) {
    case Geometry::hyperbolic:
      if (curvature >= 0) {
        return fmt::format("a hyperbolic factor needs a negative curvature, found {}", curvature);
      }
      break;
    case Geometry::spherical:
      if (curvature <= 0) {
        return fmt::format("a spherical factor needs a positive curvature, found {}", curvature);
      }
      break;
    case Geometry::euclidean:
      if (curvature != 0) {
        return fmt::format("a Euclidean factor has curvature 0, found {}", curvature);
      }
      break;
  }
  return std::nullopt;
}

std::size_t total_dim(const std::vector<Factor>& factors) {
  return std::accumulate(factors.begin(), factors.end(), std::size_t{0},
                         [](std::size_t sum, const Factor& factor) { return sum + factor.dim; });
}

/// A recursive-descent parser of
///   product := power (('x' | '*') power)*
///   power   := (factor | '(' product ')') ('^' integer)?
///   factor  := ('H' | 'S' | 'E') integer ('(' number ')')?
class Parser {
 public:
  Parser(std::string_view text, std::size_t most_factors)
      : text_(text), most_factors_(most_factors) {}

  std::vector<Factor> parse() {
    std::vector<Factor> factors = product(0);
    skip_spaces();
    if (position_ != text_.size()) {
      fail(position_, "expected 'x' between factors or the end");
    }
    return factors;
  }

 private:
  std::vector<Factor> product(std::size_t depth) {
    std::vector<Factor> factors = power(depth);
    std::size_t dim = total_dim(factors);
    while (true) {
      skip_spaces();
      if (!accept('x') && !accept('*')) {
        return factors;
      }
      const std::size_t begin = position_;
      const std::vector<Factor> more = power(depth);
      dim += total_dim(more);
      check_size(dim, 1, begin);
      check_count(factors.size() + more.size(), 1, begin);
      factors.insert(factors.end(), more.begin(), more.end());
    }
  }

  std::vector<Factor> power(std::size_t depth) {
    skip_spaces();
    const std::size_t begin = position_;
    std::vector<Factor> base;
    if (accept('(')) {
      if (depth == max_nesting) {
        fail(begin, "parentheses are nested too deeply");
      }
      base = product(depth + 1);
      skip_spaces();
      if (!accept(')')) {
        fail(position_, "expected ')'");
      }
    } else {
      base.push_back(factor());
    }
    skip_spaces();
    if (!accept('^')) {
      return base;
    }
    skip_spaces();
    const std::size_t times = integer("a power");
    check_size(total_dim(base), times, begin);
    check_count(base.size(), times, begin);
    std::vector<Factor> repeated;
    repeated.reserve(base.size() * times);
    for (std::size_t copy = 0; copy < times; ++copy) {
      repeated.insert(repeated.end(), base.begin(), base.end());
    }
    return repeated;
  }

  Factor factor() {
    Factor result;
    if (accept('H')) {
      result.geometry = Geometry::hyperbolic;
    } else if (accept('S')) {
      result.geometry = Geometry::spherical;
    } else if (accept('E')) {
      result.geometry = Geometry::euclidean;
    } else {
      fail(position_, "expected H, S or E");
    }
    result.dim = integer("a dimension");
    result.curvature = default_curvature(result.geometry);
    const std::size_t before_spaces = position_;
    skip_spaces();
    if (!accept('(')) {
      position_ = before_spaces;
      return result;
    }
    skip_spaces();
    const std::size_t begin = position_;
    result.curvature = number();
    if (const auto problem = curvature_problem(result.geometry, result.curvature)) {
      fail_at(begin, *problem);
    }
    skip_spaces();
    if (!accept(')')) {
      fail(position_, "expected ')' after the curvature");
    }
    return result;
  }

  std::size_t integer(std::string_view what) {
    const std::size_t begin = position_;
    std::size_t value = 0;
    const char* first = text_.data() + begin;
    const auto [end, error] = std::from_chars(first, text_.data() + text_.size(), value);
    if (end == first) {
      fail(begin, fmt::format("expected {} (1, 2, ...)", what));
    }
    if (error != std::errc{} || value > max_total_dim) {
      fail_at(begin, fmt::format("{} may be at most {}", what, max_total_dim));
    }
    if (value == 0) {
      fail_at(begin, fmt::format("{} must be at least 1, found 0", what));
    }
    position_ += static_cast<std::size_t>(end - first);
    return value;
  }

  double number() {
    double value = 0;
    const char* first = text_.data() + position_;
    const auto [end, error] = fast_float::from_chars(first, text_.data() + text_.size(), value);
    if (error != std::errc{}) {
      fail(position_, "expected a curvature");
    }
    position_ += static_cast<std::size_t>(end - first);
    return value;
  }

  void check_size(std::size_t dim, std::size_t times, std::size_t begin) const {
    if (dim > max_total_dim / times) {
      fail_at(begin, fmt::format("the dimensions add up to more than {}", max_total_dim));
    }
  }

  void check_count(std::size_t n_factors, std::size_t times, std::size_t begin) const {
    if (n_factors > most_factors_ / times) {
      fail_at(begin, fmt::format("there are more than {} factors", most_factors_));
    }
  }

  void skip_spaces() {
    while (position_ < text_.size() && (text_[position_] == ' ' || text_[position_] == '\t')) {
      ++position_;
    }
  }

  bool accept(char expected) {
    if (position_ < text_.size() && text_[position_] == expected) {
      ++position_;
      return true;
    }
    return false;
  }

  [[noreturn]] void fail(std::size_t at, std::string_view expected) const {
    const std::string found =
        at < text_.size() ? fmt::format("found '{}'", printable(text_[at])) : "found the end";
    fail_at(at, fmt::format("{}, {}", expected, found));
  }

  [[noreturn]] void fail_at(std::size_t at, std::string_view problem) const {
    std::string shown;
    constexpr std::size_t longest = 80;
    for (const char character : text_.substr(0, longest)) {
      shown += printable(character);
    }
    if (text_.size() > longest) {
      shown += "...";
    }
    throw InvalidInput(
        fmt::format("bad signature \"{}\" at character {}: {}", shown, at + 1, problem));
  }

  // Keeps the message on one line of plain text whatever the input holds.
  static std::string printable(char character) {
    const auto code = static_cast<unsigned char>(character);
    return code >= 0x20 && code != 0x7F && code < 0x80 ? std::string(1, character)
                                                       : fmt::format("\\x{:02x}", code);
  }

  std::string_view text_;
  std::size_t most_factors_;
  std::size_t position_ = 0;
};

}  // namespace

char letter(Geometry geometry) {
  switch (geometry) {
    case Geometry::hyperbolic:
      return 'H';
    case Geometry::spherical:
      return 'S';
    case Geometry::euclidean:
      break;
  }
  return 'E';
}

double Factor::radius() const {
  return geometry == Geometry::euclidean ? 1.0 : 1.0 / std::sqrt(std::abs(curvature));
}

std::size_t Factor::ambient_dim() const { return geometry == Geometry::euclidean ? dim : dim + 1; }

std::string Factor::name() const {
  std::string result = fmt::format("{}{}", letter(geometry), dim);
  if (curvature != default_curvature(geometry)) {
    result += fmt::format("({})", curvature);
  }
  return result;
}

Signature::Signature(std::string_view text, std::size_t most_factors)
    : factors_(Parser(text, most_factors).parse()) {}

Signature::Signature(std::vector<Factor> factors) : factors_(std::move(factors)) {
  if (factors_.empty()) {
    throw InvalidInput("a signature needs at least one factor");
  }
  for (const Factor& factor : factors_) {
    if (factor.dim == 0) {
      throw InvalidInput("a dimension must be at least 1, found 0");
    }
    if (const auto problem = curvature_problem(factor.geometry, factor.curvature)) {
      throw InvalidInput(*problem);
    }
  }
}

std::size_t Signature::dim() const { return total_dim(factors_); }

std::size_t Signature::ambient_dim() const {
  return std::accumulate(
      factors_.begin(), factors_.end(), std::size_t{0},
      [](std::size_t sum, const Factor& factor) { return sum + factor.ambient_dim(); });
}

std::string Signature::prefix(std::size_t factor) const {
  constexpr int to_lower = 'a' - 'A';
  const char small = static_cast<char>(letter(factors_[factor].geometry) + to_lower);
  return fmt::format("{}{}", small, factor + 1);
}

std::string Signature::text() const {
  std::string result;
  for (std::size_t first = 0; first < factors_.size();) {
    std::size_t last = first + 1;
    while (last < factors_.size() && factors_[last] == factors_[first]) {
      ++last;
    }
    if (!result.empty()) {
      result += " x ";
    }
    const std::string name = factors_[first].name();
    result += last - first == 1 ? name : fmt::format("({})^{}", name, last - first);
    first = last;
  }
  return result;
}

}  // namespace bentwood
