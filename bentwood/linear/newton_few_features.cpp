#include "bentwood/linear/newton_few_features.hpp"

#include <algorithm>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "bentwood/base/dense.hpp"
#include "bentwood/base/parallel.hpp"
#include "bentwood/linear/signed_columns.hpp"

namespace bentwood {
namespace {

/// Rows of a block: some ten microseconds of work.
constexpr std::size_t block_rows = 8192;

/// The objective at some weights: its value, its gradient and the lower triangle of its Hessian.
struct Quadratic {
  std::vector<double> weights;
  double value = 0;
  std::vector<double> gradient;
  std::vector<double> hessian;
};

Quadratic quadratic(const SignedColumns& columns, std::vector<double> weights) {
  const std::size_t dim = weights.size();
  std::vector<MarginSums> parts((columns.stride() + block_rows - 1) / block_rows);
  parallel_blocks(columns.stride(), block_rows, [&](std::size_t begin, std::size_t end) {
    parts[begin / block_rows] = margin_sums(columns, begin, end, weights);
  });
  Quadratic result{.weights = std::move(weights),
                   .value = 0,
                   .gradient = {},
                   .hessian = std::vector<double>(dim * (dim + 1) / 2, 0)};
  result.value = 0.5 * dot(result.weights, result.weights);
  result.gradient = result.weights;
  for (const MarginSums& part : parts) {
    result.value += part.loss;
    add_scaled(-2, std::span(part.pull).first(dim), result.gradient);
    add_scaled(2, std::span(part.bend).first(result.hessian.size()), result.hessian);
  }
  for (std::size_t axis = 0; axis < dim; ++axis) {
    result.hessian[axis * (axis + 1) / 2 + axis] += 1;
  }
  return result;
}

/// Where a step leads.
Quadratic moved(const SignedColumns& columns, const Quadratic& at, double time,
                std::span<const double> step) {
  std::vector<double> weights = at.weights;
  add_scaled(time, step, weights);
  return quadratic(columns, std::move(weights));
}

/// Where the objective falls enough along a step: at the first of 1, ½, ¼ … of it; nowhere where rounding is all that is left.
std::optional<Quadratic> line_search(const SignedColumns& columns, const Quadratic& at,
                                     std::span<const double> step, double descent) {
  constexpr double shortest = 1e-10;
  for (double time = 1; time > shortest; time *= 0.5) {
    Quadratic next = moved(columns, at, time, step);
    if (next.value < at.value - 1e-4 * time * descent) {
      return next;
    }
  }
  return std::nullopt;
}

/// 2 cost max(0, 1 - w·g).
void find_multipliers(const SignedColumns& columns, std::span<const double> weights,
                      std::span<double> multipliers) {
  parallel_blocks(columns.n_rows(), block_rows, [&](std::size_t begin, std::size_t end) {
    std::fill_n(multipliers.begin() + static_cast<std::ptrdiff_t>(begin), end - begin, 1.0);
    for (std::size_t axis = 0; axis < weights.size(); ++axis) {
      const double* const column = columns.column(axis);
      for (std::size_t row = begin; row < end; ++row) {
        multipliers[row] -= weights[axis] * column[row];
      }
    }
    for (std::size_t row = begin; row < end; ++row) {
      multipliers[row] = 2 * columns.costs()[row] * std::max(0.0, multipliers[row]);
    }
  });
}

}  // namespace

std::optional<LinearSvm> newton_few_features(const LinearRows& rows,
                                             const LinearSvmOptions& options) {
  const std::size_t dim = rows.features.n_cols();
  const SignedColumns columns(rows);
  LinearSvm result;
  Quadratic at = quadratic(columns, std::vector<double>(dim, 0));
  while (result.n_iterations < options.max_iterations) {
    throw_if_interrupted();
    std::vector<double> step(dim);
    std::ranges::transform(at.gradient, step.begin(), std::negate());
    if (!solve_cholesky(at.hessian, step)) {
      return std::nullopt;
    }
    // Half of this is what the quadratic that the objective is here can still fall.
    const double descent = -dot(at.gradient, step);
    const double reachable = 1e-3 * options.tolerance * at.value;
    result.converged = !(0.5 * descent > std::max(reachable, 1e-15 * at.value));
    if (result.converged) {
      // Costs may be so small that the objective does not show the fall; the weights still point somewhere.
      Quadratic last = moved(columns, at, 1, step);
      if (last.value <= at.value) {
        ++result.n_iterations;
        at = std::move(last);
      }
      break;
    }
    std::optional<Quadratic> next = line_search(columns, at, step, descent);
    if (!next) {
      // Rounding is all that is left; but where the numbers are of very different sizes, it is left too early.
      result.converged = 0.5 * descent <= options.tolerance * at.value;
      break;
    }
    ++result.n_iterations;
    at = std::move(*next);
  }
  result.objective = at.value;
  result.multipliers.resize(columns.n_rows());
  find_multipliers(columns, at.weights, result.multipliers);
  result.weights = std::move(at.weights);
  return result;
}

}  // namespace bentwood
