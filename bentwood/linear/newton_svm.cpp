#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <utility>

#include "bentwood/base/dense.hpp"
#include "bentwood/base/parallel.hpp"
#include "bentwood/base/random.hpp"
#include "bentwood/linear/lane_sum.hpp"
#include "bentwood/linear/linear_svm.hpp"
#include "bentwood/linear/newton_few_features.hpp"
#include "bentwood/linear/signed_columns.hpp"

namespace bentwood {
namespace {

/// Up to this many features the Hessian is factored.
constexpr std::size_t most_factored = 128;

/// Rows of a block: about a millisecond of work.
std::size_t rows_of_block(std::size_t n_features) {
  return std::max<std::size_t>(64, std::min<std::size_t>(8192, (1U << 18U) / n_features));
}

/// Adds what rows short of their margin have in the gradient and, where there is room for it, in the lower triangle of the Hessian behind it.
void add_derivatives(const LinearRows& rows, std::span<const double> margins, std::size_t begin,
                     std::size_t end, std::span<double> sums) {
  const std::size_t dim = rows.features.n_cols();
  for (std::size_t row = begin; row < end; ++row) {
    const double shortfall = 1 - margins[row];
    if (shortfall > 0) {
      const std::span<const double> x = rows.features.row(row);
      const double curvature = 2 * rows.costs[row];
      add_scaled(-curvature * rows.signs[row] * shortfall, x, sums.first(dim));
      double* place = sums.data() + dim;
      for (std::size_t down = 0; down < dim && sums.size() > dim; ++down) {
        const double factor = curvature * x[down];
        for (std::size_t across = 0; across <= down; ++across) {
          *place++ += factor * x[across];
        }
      }
    }
  }
}

/// One of how many rows is taken into the sample that finds where to start.
constexpr std::size_t rows_a_sampled = 4;
/// Samples have at least this many rows a feature: with fewer, their weights are far from those of all rows.
constexpr std::size_t sampled_rows_a_feature = 3;

/// A row out of every few, which one by chance, at the cost of them all.
struct SampledRows {
  SampledRows(const LinearRows& rows, std::uint64_t seed)
      : features(rows.signs.size() / rows_a_sampled, rows.features.n_cols()) {
    constexpr std::size_t groups_between_questions = 1024;
    for (std::size_t group = 0; group < features.n_rows(); ++group) {
      if (group % groups_between_questions == 0) {
        throw_if_interrupted();
      }
      const std::size_t row = group * rows_a_sampled + Random(seed, 0, group).below(rows_a_sampled);
      std::ranges::copy(rows.features.row(row), features.row(group).begin());
      signs.push_back(rows.signs[row]);
      costs.push_back(rows.costs[row] * rows_a_sampled);
    }
  }

  Matrix features;
  std::vector<double> signs;
  std::vector<double> costs;
};

class NewtonSvm {
 public:
  NewtonSvm(const LinearRows& rows, const LinearSvmOptions& options)
      : rows_(rows),
        options_(options),
        n_(rows.signs.size()),
        dim_(rows.features.n_cols()),
        block_(rows_of_block(std::max<std::size_t>(dim_, 1))),
        margins_(n_, 0),
        slopes_(n_, 0),
        weights_(dim_, 0),
        gradient_(dim_, 0),
        step_(dim_, 0) {}

  LinearSvm solve() {
    LinearSvm result;
    if (dim_ > most_factored && n_ / rows_a_sampled >= sampled_rows_a_feature * dim_) {
      start_from_sample();
    }
    double value = objective(0);
    while (!result.converged && result.n_iterations < options_.max_iterations) {
      throw_if_interrupted();
      find_derivatives();
      find_step();
      // Half of this is what the quadratic that the objective is here can still fall.
      const double descent = -dot(gradient_, step_);
      const double reachable = 1e-3 * options_.tolerance * value;
      result.converged = !(0.5 * descent > std::max(reachable, 1e-15 * value));
      // Costs may be so small that the objective does not show the fall; the weights still point somewhere.
      const bool last = result.converged && objective(1) <= value;
      const double time = last ? 1 : line_search(value, descent);
      if (time == 0) {
        // Rounding is all that is left; but where the numbers are of very different sizes, it is left too early.
        result.converged = 0.5 * descent <= options_.tolerance * value;
        break;
      }
      ++result.n_iterations;
      add_scaled(time, step_, weights_);
      add_scaled(time, slopes_, margins_);
    }
    find_margins(weights_, margins_);
    result.objective = objective(0);
    result.multipliers.resize(n_);
    for (std::size_t row = 0; row < n_; ++row) {
      result.multipliers[row] = 2 * rows_.costs[row] * std::max(0.0, 1 - margins_[row]);
    }
    result.weights = std::move(weights_);
    return result;
  }

 private:
  /// A fraction of the rows knows nearly where the weights end, and most steps are made there for little. Not where it can be separated
  /// and all rows cannot: its weights then go very far.
  void start_from_sample() {
    constexpr std::size_t most_steps = 10;
    const SampledRows sample(rows_, options_.seed);
    LinearSvmOptions options = options_;
    options.tolerance = std::max(options_.tolerance, 1e-2);
    options.max_iterations = std::min(options_.max_iterations, most_steps);
    const double before = objective(0);
    weights_ = NewtonSvm({sample.features, sample.signs, sample.costs}, options).solve().weights;
    find_margins(weights_, margins_);
    if (!(objective(0) < before)) {
      std::ranges::fill(weights_, 0.0);
      std::ranges::fill(margins_, 0.0);
    }
  }

  /// Calls add(begin, end, sums) for blocks of rows and adds the sums of all up in order.
  void add_blocks(
      std::span<double> total,
      const std::function<void(std::size_t, std::size_t, std::span<double>)>& add) const {
    const std::size_t n_blocks = (n_ + block_ - 1) / block_;
    std::vector<double> parts(n_blocks * total.size(), 0);
    parallel_blocks(n_, block_, [&](std::size_t begin, std::size_t end) {
      add(begin, end, std::span(parts).subspan(begin / block_ * total.size(), total.size()));
    });
    for (std::size_t part = 0; part < n_blocks; ++part) {
      add_scaled(1, std::span(parts).subspan(part * total.size(), total.size()), total);
    }
  }

  /// margins = y f·direction.
  void find_margins(std::span<const double> direction, std::vector<double>& margins) const {
    parallel_blocks(n_, block_, [&](std::size_t begin, std::size_t end) {
      for (std::size_t row = begin; row < end; ++row) {
        margins[row] = rows_.signs[row] * dot(rows_.features.row(row), direction);
      }
    });
  }

  /// The objective at weights + time · step, whose slopes are known.
  [[nodiscard]] double objective(double time) const {
    double loss = 0;
    const auto add = [&](std::size_t begin, std::size_t end, std::span<double> sums) {
      const auto cost = [&](std::size_t row) {
        const double shortfall = std::max(0.0, 1 - (margins_[row] + time * slopes_[row]));
        return rows_.costs[row] * shortfall * shortfall;
      };
      LaneSum sum;
      std::size_t row = begin;
      for (; row + n_sum_lanes <= end; row += n_sum_lanes) {
        for (std::size_t lane = 0; lane < n_sum_lanes; ++lane) {
          sum[lane] += cost(row + lane);
        }
      }
      for (; row < end; ++row) {
        sum[0] += cost(row);
      }
      sums[0] = sum.sum();
    };
    add_blocks(std::span(&loss, 1), add);
    double squared = 0;
    for (std::size_t feature = 0; feature < dim_; ++feature) {
      const double weight = weights_[feature] + time * step_[feature];
      squared += weight * weight;
    }
    return 0.5 * squared + loss;
  }

  void find_derivatives() {
    const std::size_t n_hessian = dim_ > most_factored ? 0 : dim_ * (dim_ + 1) / 2;
    std::vector<double> sums(dim_ + n_hessian, 0);
    add_blocks(sums, [&](std::size_t begin, std::size_t end, std::span<double> part) {
      add_derivatives(rows_, margins_, begin, end, part);
    });
    for (std::size_t feature = 0; feature < dim_; ++feature) {
      gradient_[feature] = weights_[feature] + sums[feature];
    }
    hessian_.assign(sums.begin() + static_cast<std::ptrdiff_t>(dim_), sums.end());
  }

  void find_step() {
    std::ranges::transform(gradient_, step_.begin(), std::negate());
    if (dim_ > most_factored || !solve_by_factor()) {
      std::ranges::fill(step_, 0.0);
      solve_by_conjugate_gradients();
    }
    find_margins(step_, slopes_);
  }

  bool solve_by_factor() {
    for (std::size_t feature = 0; feature < dim_; ++feature) {
      hessian_[feature * (feature + 1) / 2 + feature] += 1;
    }
    return solve_cholesky(hessian_, step_);
  }

  /// The Hessian times a vector.
  void apply_hessian(std::span<const double> vector, std::vector<double>& result) const {
    result.assign(vector.begin(), vector.end());
    add_blocks(result, [&](std::size_t begin, std::size_t end, std::span<double> sums) {
      for (std::size_t row = begin; row < end; ++row) {
        if (margins_[row] < 1) {
          const std::span<const double> x = rows_.features.row(row);
          add_scaled(2 * rows_.costs[row] * dot(x, vector), x, sums);
        }
      }
    });
  }

  [[nodiscard]] std::vector<double> diagonal() const {
    std::vector<double> result(dim_, 1);
    add_blocks(result, [&](std::size_t begin, std::size_t end, std::span<double> sums) {
      for (std::size_t row = begin; row < end; ++row) {
        if (margins_[row] < 1) {
          const std::span<const double> x = rows_.features.row(row);
          for (std::size_t feature = 0; feature < dim_; ++feature) {
            sums[feature] += 2 * rows_.costs[row] * x[feature] * x[feature];
          }
        }
      }
    });
    return result;
  }

  /// To a residual that shrinks with the gradient, so that the last steps are as good as Newton's.
  void solve_by_conjugate_gradients() {
    const std::vector<double> scale = diagonal();
    std::vector<double> residual(dim_);
    std::ranges::transform(gradient_, residual.begin(), std::negate());
    std::vector<double> scaled(dim_);
    std::ranges::transform(residual, scale, scaled.begin(), std::divides());
    std::vector<double> direction = scaled;
    std::vector<double> image;
    double size = dot(residual, scaled);
    largest_ = std::max(largest_, size);
    const double enough = size * std::min(1e-2, size / largest_);
    for (std::size_t count = 0; count < dim_ + 50 && size > enough; ++count) {
      throw_if_interrupted();
      apply_hessian(direction, image);
      const double time = size / dot(direction, image);
      add_scaled(time, direction, step_);
      add_scaled(-time, image, residual);
      std::ranges::transform(residual, scale, scaled.begin(), std::divides());
      const double next = dot(residual, scaled);
      for (std::size_t feature = 0; feature < dim_; ++feature) {
        direction[feature] = scaled[feature] + next / size * direction[feature];
      }
      size = next;
    }
  }

  /// The first of 1, ½, ¼ … at which the objective falls enough, which becomes the value; 0 where none does.
  [[nodiscard]] double line_search(double& value, double descent) const {
    constexpr double shortest = 1e-10;
    for (double time = 1; time > shortest; time *= 0.5) {
      const double found = objective(time);
      if (found < value - 1e-4 * time * descent) {
        value = found;
        return time;
      }
    }
    return 0;
  }

  const LinearRows& rows_;
  const LinearSvmOptions& options_;
  std::size_t n_;
  std::size_t dim_;
  std::size_t block_;
  std::vector<double> margins_;  ///< y w·f
  std::vector<double> slopes_;   ///< y step·f
  std::vector<double> weights_;
  std::vector<double> gradient_;
  std::vector<double>
      hessian_;  ///< its lower triangle, without the 1 of |w|²; empty where there are many features
  std::vector<double> step_;
  double largest_ = 0;  ///< of all gradients, in the preconditioner's norm
};

}  // namespace

LinearSvm newton_svm(const LinearRows& rows, const LinearSvmOptions& options) {
  const std::size_t dim = rows.features.n_cols();
  if (dim > 0 && dim <= most_few_features) {
    if (std::optional<LinearSvm> found = newton_few_features(rows, options)) {
      return std::move(*found);
    }
  }
  return NewtonSvm(rows, options).solve();
}

}  // namespace bentwood
