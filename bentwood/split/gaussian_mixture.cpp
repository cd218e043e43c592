#include "bentwood/split/gaussian_mixture.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "bentwood/base/parallel.hpp"

namespace bentwood {
namespace {

using Component = GaussianMixture::Component;

Component component_of(std::span<const double> values, std::size_t n_all, double least_variance) {
  const auto n = static_cast<double>(values.size());
  double mean = 0;
  for (const double value : values) {
    mean += value / n;
  }
  double variance = 0;
  for (const double value : values) {
    variance += (value - mean) * (value - mean) / n;
  }
  return {n / static_cast<double>(n_all), mean, std::max(variance, least_variance)};
}

/// The logarithm of a component's weight times its density.
double log_density(const Component& component, double value) {
  const double deviation = value - component.mean;
  return std::log(component.weight) - 0.5 * (std::log(2 * std::numbers::pi * component.variance) +
                                             deviation * deviation / component.variance);
}

/// Sums of a component over its shares of the values, measured from its last mean.
struct Shares {
  double share = 0;
  double value = 0;
  double square = 0;

  void add(double responsibility, double deviation) {
    share += responsibility;
    value += responsibility * deviation;
    square += responsibility * deviation * deviation;
  }

  [[nodiscard]] Component component(const Component& last, double n, double least_variance) const {
    if (!(share > 0)) {
      return {0, last.mean, last.variance};
    }
    const double shift = value / share;
    return {share / n, last.mean + shift, std::max(square / share - shift * shift, least_variance)};
  }
};

/// One step; returns the log-likelihood of the mixture before it.
double step(std::span<const double> values, double least_variance,
            std::array<Component, 2>& components) {
  std::array<Shares, 2> shares{};
  double log_likelihood = 0;
  for (const double value : values) {
    const double low = log_density(components[0], value);
    const double high = log_density(components[1], value);
    const double highest = std::max(low, high);
    const double both = std::exp(low - highest) + std::exp(high - highest);
    log_likelihood += highest + std::log(both);
    const double share = std::exp(low - highest) / both;
    shares[0].add(share, value - components[0].mean);
    shares[1].add(1 - share, value - components[1].mean);
  }
  for (std::size_t side = 0; side < 2; ++side) {
    components[side] = shares[side].component(components[side], static_cast<double>(values.size()),
                                              least_variance);
  }
  return log_likelihood;
}

}  // namespace

double GaussianMixture::bic() const {
  return -2 * log_likelihood + 5 * std::log(static_cast<double>(n_values));
}

std::size_t GaussianMixture::cut(std::span<const double> sorted) const {
  const auto is_low = [&](double value) {
    if (value <= components[0].mean || value >= components[1].mean) {
      return value <= components[0].mean;
    }
    return log_density(components[0], value) >= log_density(components[1], value);
  };
  return static_cast<std::size_t>(std::ranges::partition_point(sorted, is_low) - sorted.begin());
}

GaussianMixture gaussian_mixture(std::span<const double> sorted, std::size_t n_left,
                                 double least_variance) {
  constexpr std::size_t most_iterations = 1000;
  constexpr double tolerance = 1e-9;
  GaussianMixture result;
  result.n_values = sorted.size();
  result.components = {component_of(sorted.first(n_left), sorted.size(), least_variance),
                       component_of(sorted.subspan(n_left), sorted.size(), least_variance)};
  double last = -std::numeric_limits<double>::infinity();
  for (;;) {
    throw_if_interrupted();
    std::array<Component, 2> next = result.components;
    result.log_likelihood = step(sorted, least_variance, next);
    const double gained = result.log_likelihood - last;
    if (!(gained > tolerance * std::abs(result.log_likelihood)) ||
        result.n_iterations == most_iterations) {
      break;
    }
    last = result.log_likelihood;
    result.components = next;
    ++result.n_iterations;
  }
  if (result.components[0].mean > result.components[1].mean) {
    std::swap(result.components[0], result.components[1]);
  }
  return result;
}

}  // namespace bentwood
