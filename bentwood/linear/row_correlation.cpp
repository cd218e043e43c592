#include "bentwood/linear/row_correlation.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "bentwood/base/dense.hpp"
#include "bentwood/model/perceptron_memory.hpp"

namespace bentwood {

RowCorrelation::RowCorrelation(std::size_t n_features, double regularization)
    : n_features_(n_features),
      regularization_(regularization),
      rank_(regularization > 0 ? n_features : 0),
      factor_(n_features, n_features),
      basis_(regularization > 0 ? 0 : n_features, n_features) {
  assert(regularization >= 0);
  for (std::size_t place = 0; place < rank_; ++place) {
    factor_(place, place) = std::sqrt(regularization);
  }
}

// Gram and Schmidt twice: the second time takes away what the first left by rounding.
RowCorrelation::Parts RowCorrelation::split(std::span<const double> row) const {
  Parts parts{std::vector<double>(rank_, 0), {row.begin(), row.end()}, 0};
  for (int round = 0; round < 2; ++round) {
    for (std::size_t axis = 0; axis < rank_; ++axis) {
      const double along = dot(basis_.row(axis), parts.rest);
      parts.coordinates[axis] += along;
      add_scaled(-along, basis_.row(axis), parts.rest);
    }
  }
  parts.rest_length = length(parts.rest);
  return parts;
}

bool RowCorrelation::is_outside(const Parts& parts, std::span<const double> row) const {
  const double rounding =
      16 * std::numeric_limits<double>::epsilon() * std::sqrt(static_cast<double>(n_features_));
  return parts.rest_length > rounding * length(row);
}

bool RowCorrelation::spans(std::span<const double> row) const {
  return rank_ == n_features_ || !is_outside(split(row), row);
}

void RowCorrelation::add(std::span<const double> row) {
  std::vector<double> turned(row.begin(), row.end());
  if (has_basis()) {
    Parts parts = split(row);
    turned = std::move(parts.coordinates);
    if (rank_ < n_features_ && is_outside(parts, row)) {
      std::ranges::transform(parts.rest, basis_.row(rank_).begin(),
                             [&](double value) { return value / parts.rest_length; });
      turned.push_back(parts.rest_length);
      ++rank_;
    }
  }
  for (std::size_t axis = 0; axis < rank_; ++axis) {
    double* const triangle = factor_.row(axis).data();
    const double size = std::hypot(triangle[axis], turned[axis]);
    if (size == 0) {
      continue;
    }
    const double cosine = triangle[axis] / size;
    const double sine = turned[axis] / size;
    triangle[axis] = size;
    for (std::size_t place = axis + 1; place < rank_; ++place) {
      const double before = triangle[place];
      triangle[place] = cosine * before + sine * turned[place];
      turned[place] = cosine * turned[place] - sine * before;
    }
  }
}

std::vector<double> RowCorrelation::solve(std::span<const double> b) const {
  std::vector<double> x = has_basis() ? split(b).coordinates : std::vector(b.begin(), b.end());
  for (std::size_t axis = 0; axis < rank_; ++axis) {  // Rᵀ
    x[axis] = factor_(axis, axis) > 0 ? x[axis] / factor_(axis, axis) : 0;
    const std::size_t next = axis + 1;
    add_scaled(-x[axis], factor_.row(axis).subspan(next, rank_ - next),
               std::span(x).subspan(next, rank_ - next));
  }
  for (std::size_t axis = rank_; axis-- > 0;) {  // R
    const std::size_t next = axis + 1;
    const double rest = x[axis] - dot(factor_.row(axis).subspan(next, rank_ - next),
                                      std::span(x).subspan(next, rank_ - next));
    x[axis] = factor_(axis, axis) > 0 ? rest / factor_(axis, axis) : 0;
  }
  if (!has_basis()) {
    return x;
  }
  std::vector<double> result(n_features_, 0);
  for (std::size_t axis = 0; axis < rank_; ++axis) {
    add_scaled(x[axis], basis_.row(axis), result);
  }
  return result;
}

double RowCorrelation::quadratic(std::span<const double> u) const {
  assert(!has_basis());
  double sum = 0;
  for (std::size_t axis = 0; axis < n_features_; ++axis) {
    const double value = dot(factor_.row(axis).subspan(axis), u.subspan(axis));
    sum += value * value;
  }
  return sum;
}

double RowCorrelation::log_volume() const {
  assert(!has_basis());
  double sum = 0;
  for (std::size_t axis = 0; axis < n_features_; ++axis) {
    sum += 2 * std::log(factor_(axis, axis) / std::sqrt(regularization_));
  }
  return sum;
}

void RowCorrelation::append_to(std::vector<double>& numbers) const {
  numbers.push_back(static_cast<double>(rank_));
  for (std::size_t axis = 0; axis < n_features_; ++axis) {
    const std::span<const double> row = factor_.row(axis).subspan(axis);
    numbers.insert(numbers.end(), row.begin(), row.end());
  }
  numbers.insert(numbers.end(), basis_.data(), basis_.data() + basis_.n_rows() * basis_.n_cols());
}

void RowCorrelation::restore(std::span<const double> numbers) {
  assert(numbers.size() == PerceptronMemory::n_matrix_numbers(n_features_, regularization_));
  rank_ = static_cast<std::size_t>(numbers[0]);
  numbers = numbers.subspan(1);
  for (std::size_t axis = 0; axis < n_features_; ++axis) {
    std::ranges::copy(numbers.first(n_features_ - axis), factor_.row(axis).subspan(axis).begin());
    numbers = numbers.subspan(n_features_ - axis);
  }
  std::ranges::copy(numbers, basis_.data());
}

}  // namespace bentwood
