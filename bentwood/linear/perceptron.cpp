#include "bentwood/linear/perceptron.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>

#include "bentwood/base/dense.hpp"
#include "bentwood/base/error.hpp"
#include "bentwood/model/perceptron_memory.hpp"

namespace bentwood {

Perceptron::Perceptron(std::size_t n_features, PerceptronKind kind)
    : kind_(kind), weights_(n_features, 0), sum_(n_features, 0) {
  if (kind.second_order) {
    target_.assign(n_features, 0);
    correlation_.emplace(n_features, kind.regularization);
  }
}

Perceptron::Perceptron(std::size_t n_features, PerceptronKind kind, std::span<const double> memory)
    : Perceptron(n_features, kind) {
  if (memory.empty() || (memory[0] != 0) != kind.second_order) {
    throw InvalidInput("the model has no memory of such a perceptron, and cannot learn on");
  }
  if (kind.second_order && memory.size() > 1 && memory[1] != kind.regularization) {
    throw InvalidInput(fmt::format(
        "regularization is {}, but the model has learned with {}; fit it anew to change it",
        kind.regularization, memory[1]));
  }
  check_perceptron_memory(memory, n_features);
  n_seen_ = static_cast<std::uint64_t>(memory[2]);
  n_updates_ = static_cast<std::uint64_t>(memory[3]);
  n_kept_ = static_cast<std::uint64_t>(memory[4]);
  memory = memory.subspan(PerceptronMemory::n_leading);
  for (std::vector<double>* const part : {&weights_, &sum_, &target_}) {
    std::ranges::copy(memory.first(part->size()), part->begin());
    memory = memory.subspan(part->size());
  }
  if (correlation_) {
    correlation_->restore(memory);
  }
}

bool Perceptron::is_mistake(std::span<const double> row, double sign) const {
  if (sign * dot(weights_, row) > 0) {
    return correlation_ && !correlation_->spans(row);
  }
  return std::ranges::any_of(row, [](double value) { return value != 0; });
}

bool Perceptron::see(std::span<const double> row, double sign) {
  assert(row.size() == weights_.size() && std::abs(sign) == 1);
  const bool wrong = is_mistake(row, sign);
  if (wrong) {
    add_scaled(static_cast<double>(n_kept_), weights_, sum_);
    n_kept_ = 0;
    ++n_updates_;
    if (correlation_) {
      correlation_->add(row);
      add_scaled(sign, row, target_);
      weights_ = correlation_->solve(target_);
    } else {
      add_scaled(sign, row, weights_);
    }
  }
  ++n_seen_;
  ++n_kept_;
  return wrong;
}

std::vector<double> Perceptron::average() const {
  std::vector<double> result = sum_;
  add_scaled(static_cast<double>(n_kept_), weights_, result);
  for (double& value : result) {
    value /= static_cast<double>(std::max<std::uint64_t>(1, n_seen_));
  }
  return result;
}

std::vector<double> Perceptron::memory() const {
  std::vector<double> result{
      kind_.second_order ? 1.0 : 0.0, kind_.second_order ? kind_.regularization : 0,
      static_cast<double>(n_seen_), static_cast<double>(n_updates_), static_cast<double>(n_kept_)};
  for (const std::vector<double>* const part : {&weights_, &sum_, &target_}) {
    result.insert(result.end(), part->begin(), part->end());
  }
  if (correlation_) {
    correlation_->append_to(result);
  }
  return result;
}

}  // namespace bentwood
