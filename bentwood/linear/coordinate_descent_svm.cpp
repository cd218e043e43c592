#include <algorithm>
#include <limits>
#include <numeric>

#include "bentwood/base/dense.hpp"
#include "bentwood/base/parallel.hpp"
#include "bentwood/base/random.hpp"
#include "bentwood/linear/linear_svm.hpp"

namespace bentwood {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr std::size_t rows_between_questions = 1024;

class CoordinateDescent {
 public:
  CoordinateDescent(const LinearRows& rows, const LinearSvmOptions& options)
      : rows_(rows), options_(options), active_(rows.signs.size()) {
    result_.weights.assign(rows.features.n_cols(), 0);
    result_.multipliers.assign(rows.signs.size(), 0);
    std::iota(active_.begin(), active_.end(), 0U);
    for (std::size_t row = 0; row < rows.signs.size(); ++row) {
      if (row % rows_between_questions == 0) {
        throw_if_interrupted();
      }
      squared_.push_back(dot(rows.features.row(row), rows.features.row(row)));
      if (squared_[row] == 0) {  // never reaches its margin, and pulls nowhere
        result_.multipliers[row] = rows.costs[row];
      }
    }
    // Clang 14, which builds the fuzz targets, does not accept the subranges of libstdc++ 12.
    // NOLINTNEXTLINE(modernize-use-ranges)
    const auto middle = std::partition(active_.begin(), active_.end(), [&](std::uint32_t row) {
      return squared_[row] > 0 && rows.costs[row] > 0;
    });
    n_active_ = static_cast<std::size_t>(middle - active_.begin());
    n_usable_ = n_active_;
  }

  LinearSvm solve() {
    constexpr std::size_t passes_between_checks = 8;
    while (result_.n_iterations < options_.max_iterations) {
      throw_if_interrupted();
      pass();
      ++result_.n_iterations;
      const bool seems_done = largest_ - smallest_ <= options_.tolerance;
      if (seems_done || result_.n_iterations % passes_between_checks == 0) {
        if (is_optimal()) {
          result_.converged = true;
          break;
        }
        if (seems_done || n_active_ == 0) {
          unshrink();
          continue;
        }
      }
      shrink_above_ = largest_ > 0 ? largest_ : infinity;
      shrink_below_ = smallest_ < 0 ? smallest_ : -infinity;
    }
    (void)is_optimal();
    return std::move(result_);
  }

 private:
  void pass() {
    Random random(options_.seed, 0, result_.n_iterations);
    random.shuffle(std::span(active_).first(n_active_));
    largest_ = -infinity;
    smallest_ = infinity;
    for (std::size_t place = 0; place < n_active_; ++place) {
      if (place % rows_between_questions == 0) {
        throw_if_interrupted();
      }
      if (!visit(active_[place])) {
        std::swap(active_[place], active_[--n_active_]);
        --place;
      }
    }
  }

  /// Takes one dual variable to its best; false where the row is shrunk away.
  bool visit(std::uint32_t row) {
    const std::span<const double> x = rows_.features.row(row);
    const double sign = rows_.signs[row];
    const double most = rows_.costs[row];
    double& multiplier = result_.multipliers[row];
    const double gradient = sign * dot(x, result_.weights) - 1;
    double projected = gradient;
    if (multiplier <= 0) {
      if (gradient > shrink_above_) {
        return false;
      }
      projected = std::min(gradient, 0.0);
    } else if (multiplier >= most) {
      if (gradient < shrink_below_) {
        return false;
      }
      projected = std::max(gradient, 0.0);
    }
    largest_ = std::max(largest_, projected);
    smallest_ = std::min(smallest_, projected);
    if (projected != 0) {
      const double before = multiplier;
      multiplier = std::clamp(multiplier - gradient / squared_[row], 0.0, most);
      add_scaled((multiplier - before) * sign, x, result_.weights);
    }
    return true;
  }

  void unshrink() {
    n_active_ = n_usable_;
    shrink_above_ = infinity;
    shrink_below_ = -infinity;
  }

  /// Whether the gap between primal and dual is closed; keeps the primal objective.
  bool is_optimal() {
    const double half = 0.5 * dot(result_.weights, result_.weights);
    double loss = 0;
    double total = 0;
    for (std::size_t row = 0; row < rows_.signs.size(); ++row) {
      if (row % rows_between_questions == 0) {
        throw_if_interrupted();
      }
      const double margin = rows_.signs[row] * dot(rows_.features.row(row), result_.weights);
      loss += rows_.costs[row] * std::max(0.0, 1 - margin);
      total += result_.multipliers[row];
    }
    result_.objective = half + loss;
    return (half + loss) - (total - half) <= options_.tolerance * result_.objective;
  }

  const LinearRows& rows_;
  const LinearSvmOptions& options_;
  std::vector<double> squared_;
  std::vector<std::uint32_t> active_;  ///< those in play first
  std::size_t n_active_ = 0;
  std::size_t n_usable_ = 0;  ///< rows whose multiplier may move: neither they nor their cost are 0
  double shrink_above_ = infinity;
  double shrink_below_ = -infinity;
  double largest_ = 0;  ///< of the projected gradients of a pass
  double smallest_ = 0;
  LinearSvm result_;
};

}  // namespace

LinearSvm coordinate_descent_svm(const LinearRows& rows, const LinearSvmOptions& options) {
  return CoordinateDescent(rows, options).solve();
}

}  // namespace bentwood
