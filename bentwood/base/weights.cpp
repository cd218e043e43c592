#include "bentwood/base/weights.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "bentwood/base/error.hpp"

namespace bentwood {
namespace {

// Cubes of numbers between 2^-200 and 2^200 are numbers, and so are those of sums of as many of them as memory holds.
constexpr int most_weight_exponent = 200;

/// Whose reciprocal is a number, too.
double power_of_two(int exponent) { return std::ldexp(1.0, std::clamp(exponent, -1000, 1000)); }

}  // namespace

double scale_to_one(double number, int most_exponent) {
  const int exponent = number > 0 ? std::ilogb(number) : 0;
  return std::abs(exponent) > most_exponent ? power_of_two(-exponent) : 1;
}

void check_weights(std::span<const double> weights, std::size_t n_rows) {
  if (weights.size() != n_rows) {
    throw InvalidInput(
        fmt::format("{} weights for {} rows, expected one each", weights.size(), n_rows));
  }
  for (std::size_t row = 0; row < n_rows; ++row) {
    if (!(weights[row] >= 0) || !std::isfinite(weights[row])) {
      throw RowError(row,
                     fmt::format("the weight is {}, expected a finite number >= 0", weights[row]));
    }
  }
  if (std::ranges::none_of(weights, [](double weight) { return weight > 0; })) {
    throw InvalidInput("all weights are 0, expected one above 0");
  }
}

double weight_scale(std::span<const double> weights) {
  double largest = 0;
  double smallest = std::numeric_limits<double>::infinity();
  std::size_t lightest_row = 0;
  for (std::size_t row = 0; row < weights.size(); ++row) {
    largest = std::max(largest, weights[row]);
    if (weights[row] > 0 && weights[row] < smallest) {
      smallest = weights[row];
      lightest_row = row;
    }
  }
  if (largest == 0) {
    return 1;
  }
  if (std::ilogb(largest) - std::ilogb(smallest) > most_weight_exponent) {
    throw RowError(lightest_row,
                   fmt::format("the weight is {} and the largest is {}, expected 0 or at least "
                               "1e-60 times the largest: less would vanish in their sum",
                               smallest, largest));
  }
  const bool is_far =
      std::ilogb(largest) > most_weight_exponent || std::ilogb(smallest) < -most_weight_exponent;
  return is_far ? power_of_two(-std::ilogb(largest)) : 1;
}

void weigh_classes(std::span<const std::uint32_t> classes, std::span<const double> class_weights,
                   std::span<double> weights) {
  for (std::size_t row = 0; row < weights.size(); ++row) {
    const double own = weights[row];
    const double of_class = class_weights[classes[row]];
    weights[row] = own * of_class;
    if (!std::isfinite(weights[row]) || (weights[row] == 0 && own > 0 && of_class > 0)) {
      throw RowError(row, fmt::format("the weight is {} and that of its class {}, expected a "
                                      "product that is a number above 0",
                                      own, of_class));
    }
  }
}

}  // namespace bentwood
