#include "bentwood/linear/finite_score.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <limits>

namespace bentwood {
namespace {

/// The power of two below the largest number, 0 where all are 0.
int exponent_of(std::span<const double> numbers) {
  double largest = 0;
  for (const double number : numbers) {
    largest = std::max(largest, std::abs(number));
  }
  return largest > 0 ? std::ilogb(largest) : 0;
}

}  // namespace

double finite_score(std::span<const double> weights, std::span<const double> features,
                    double constant) {
  assert(weights.size() == features.size());
  const int weight_exponent = exponent_of(weights);
  const int feature_exponent = exponent_of(features);
  const int exponent = weight_exponent + feature_exponent;
  double sum = 0;
  for (std::size_t place = 0; place < weights.size(); ++place) {
    sum += std::ldexp(weights[place], -weight_exponent) *
           std::ldexp(features[place], -feature_exponent);
  }
  // Last, as in the plain sum: it may be all that is left of terms that cancel.
  sum += std::ldexp(constant, -exponent);
  constexpr double largest = std::numeric_limits<double>::max();
  return std::clamp(std::ldexp(sum, exponent), -largest, largest);
}

}  // namespace bentwood
