#include "bentwood/metrics/paired_test.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include "bentwood/base/error.hpp"
#include "bentwood/metrics/student_t.hpp"

namespace bentwood {
namespace {

void check(std::span<const double> first, std::span<const double> second, double confidence) {
  if (first.size() != second.size()) {
    throw InvalidInput(fmt::format(
        "{} scores of the first method and {} of the second, expected one each for every fold",
        first.size(), second.size()));
  }
  if (first.size() < 2) {
    throw InvalidInput(fmt::format("a paired test needs at least 2 folds, found {}", first.size()));
  }
  for (std::size_t fold = 0; fold < first.size(); ++fold) {
    if (!std::isfinite(first[fold]) || !std::isfinite(second[fold])) {
      throw InvalidInput(fmt::format("fold {}: the scores are {} and {}, expected finite numbers",
                                     fold, first[fold], second[fold]));
    }
  }
  if (!(confidence > 0 && confidence < 1)) {
    throw InvalidInput(
        fmt::format("the confidence is {}, expected more than 0 and less than 1", confidence));
  }
}

/// How far apart two differences may be that rounding of the scores alone has told apart.
double rounding(std::span<const double> first, std::span<const double> second) {
  double largest = 0;
  for (std::size_t fold = 0; fold < first.size(); ++fold) {
    largest = std::max({largest, std::abs(first[fold]), std::abs(second[fold])});
  }
  return 4 * std::numeric_limits<double>::epsilon() * largest;
}

}  // namespace

PairedTTest paired_t_test(std::span<const double> first, std::span<const double> second,
                          double confidence) {
  check(first, second, confidence);
  const auto n_folds = static_cast<double>(first.size());
  std::vector<double> differences(first.size());
  std::ranges::transform(first, second, differences.begin(), std::minus());
  double sum = 0;
  for (const double difference : differences) {
    sum += difference;
  }
  PairedTTest result;
  result.mean_difference = sum / n_folds;
  result.degrees_of_freedom = first.size() - 1;

  const auto [least, greatest] = std::ranges::minmax(differences);
  const double tolerance = rounding(first, second);
  if (greatest - least <= tolerance) {
    result.low = result.mean_difference;
    result.high = result.mean_difference;
    if (std::abs(result.mean_difference) > tolerance) {
      result.t = std::copysign(std::numeric_limits<double>::infinity(), result.mean_difference);
      result.p = 0;
    }
    return result;
  }

  // In units of their spread, whose square neither vanishes nor overflows.
  const double spread = greatest - least;
  double squares = 0;
  for (const double difference : differences) {
    const double deviation = (difference - result.mean_difference) / spread;
    squares += deviation * deviation;
  }
  const double standard_error = spread * std::sqrt(squares / (n_folds - 1) / n_folds);
  result.t = result.mean_difference / standard_error;
  result.p = student_t_two_tailed(result.t, n_folds - 1);
  const double margin = student_t_critical(1 - confidence, n_folds - 1) * standard_error;
  result.low = result.mean_difference - margin;
  result.high = result.mean_difference + margin;
  return result;
}

}  // namespace bentwood
