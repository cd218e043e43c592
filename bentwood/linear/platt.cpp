#include "bentwood/linear/platt.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <vector>

namespace bentwood {
namespace {

/// -log of the likelihood of targets t: Σ w (t z + log(1 + exp(-z))), z = slope · score + offset.
struct Likelihood {
  std::span<const double> scores;
  std::span<const double> weights;
  std::vector<double> targets;
  double scale = 1;

  [[nodiscard]] double weight(std::size_t row) const { return weights.empty() ? 1 : weights[row]; }
  [[nodiscard]] double exponent(const Sigmoid& at, std::size_t row) const {
    return at.slope * (scores[row] / scale) + at.offset;
  }

  [[nodiscard]] double loss(const Sigmoid& at) const {
    double sum = 0;
    for (std::size_t row = 0; row < scores.size(); ++row) {
      const double z = exponent(at, row);
      sum += weight(row) * (z >= 0 ? targets[row] * z + std::log1p(std::exp(-z))
                                   : (targets[row] - 1) * z + std::log1p(std::exp(z)));
    }
    return sum;
  }
};

struct Derivatives {
  double slope = 0;
  double offset = 0;
  double slope_slope = 0;
  double slope_offset = 0;
  double offset_offset = 0;
};

Derivatives derivatives(const Likelihood& likelihood, const Sigmoid& at) {
  // Keeps the Hessian positive where all scores are equal.
  constexpr double ridge = 1e-12;
  Derivatives sum{.slope_slope = ridge, .offset_offset = ridge};
  for (std::size_t row = 0; row < likelihood.scores.size(); ++row) {
    const double z = likelihood.exponent(at, row);
    const double score = likelihood.scores[row] / likelihood.scale;
    const double small = std::exp(-std::abs(z));
    const double p = z >= 0 ? small / (1 + small) : 1 / (1 + small);
    const double q = z >= 0 ? 1 / (1 + small) : small / (1 + small);
    const double pull = likelihood.weight(row) * (likelihood.targets[row] - p);
    const double bend = likelihood.weight(row) * p * q;
    sum.slope += score * pull;
    sum.offset += pull;
    sum.slope_slope += score * score * bend;
    sum.slope_offset += score * bend;
    sum.offset_offset += bend;
  }
  return sum;
}

}  // namespace

double Sigmoid::operator()(double score) const {
  const double z = slope * score + offset;
  const double small = std::exp(-std::abs(z));
  return z >= 0 ? small / (1 + small) : 1 / (1 + small);
}

Sigmoid platt_sigmoid(std::span<const double> scores, std::span<const double> signs,
                      std::span<const double> weights) {
  assert(signs.size() == scores.size());
  assert(weights.empty() || weights.size() == scores.size());
  constexpr int max_steps = 100;
  constexpr double tolerance = 1e-10;  // of the gradient, for each row
  constexpr double shortest = 1e-10;
  Likelihood likelihood{.scores = scores, .weights = weights, .targets = {}};
  double n_positive = 0;
  double n_negative = 0;
  double largest = 0;
  for (std::size_t row = 0; row < scores.size(); ++row) {
    (signs[row] > 0 ? n_positive : n_negative) += likelihood.weight(row);
    largest = std::max(largest, std::abs(scores[row]));
  }
  likelihood.scale = largest > 0 ? largest : 1;
  const double high = (n_positive + 1) / (n_positive + 2);
  const double low = 1 / (n_negative + 2);
  for (const double sign : signs) {
    likelihood.targets.push_back(sign > 0 ? high : low);
  }
  Sigmoid at{0, std::log((n_negative + 1) / (n_positive + 1))};
  double loss = likelihood.loss(at);
  for (int count = 0; count < max_steps; ++count) {
    const Derivatives found = derivatives(likelihood, at);
    if (std::max(std::abs(found.slope), std::abs(found.offset)) <
        tolerance * (n_positive + n_negative)) {
      break;
    }
    const double determinant =
        found.slope_slope * found.offset_offset - found.slope_offset * found.slope_offset;
    const double slope =
        -(found.offset_offset * found.slope - found.slope_offset * found.offset) / determinant;
    const double offset =
        -(found.slope_slope * found.offset - found.slope_offset * found.slope) / determinant;
    const double descent = found.slope * slope + found.offset * offset;
    double time = 1;
    for (; time >= shortest; time *= 0.5) {
      const Sigmoid next{at.slope + time * slope, at.offset + time * offset};
      const double found_loss = likelihood.loss(next);
      if (found_loss < loss + 1e-4 * time * descent) {
        at = next;
        loss = found_loss;
        break;
      }
    }
    if (time < shortest) {
      break;
    }
  }
  return {at.slope / likelihood.scale, at.offset};
}

}  // namespace bentwood
