#include "bentwood/grow/class_horospheres.hpp"

#include <algorithm>
#include <cmath>

#include "bentwood/linear/hyperclasses.hpp"

namespace bentwood {
namespace {

// A node needs a direction, not the last digits of it: of the gain of the best horosphere that 40 steps to 1e-3 and exact margins
// find these settings lose 0.1 %, in half the time.
HorosphereSvmOptions svm_options(const HorosphereSplits& options) {
  return {.loss = MarginLoss::squared_hinge,
          .balance = options.balance,
          .side = PositiveSide::inside,
          .n_restarts = 0,
          .max_iterations = 20,
          .tolerance = 1e-2,
          .most_sampled = 128,
          .start_tolerance = 1e-2,
          .exact_margin = options.threshold == HorosphereThreshold::margin};
}

}  // namespace

ClassHorospheres::ClassHorospheres(const PolarPoints& points, const Target& target,
                                   const HorosphereSplits& options)
    : points_(points),
      target_(target),
      with_hyperclasses_(options.hyperclasses),
      svm_(svm_options(options)),
      is_positive_(target.width) {}

void ClassHorospheres::enter(std::span<const std::uint32_t> rows, std::span<const double> weights,
                             Random& random) {
  constexpr double lowest_exponent = -3;
  constexpr double highest_exponent = 5;
  rows_ = rows;
  classes_.clear();
  weights_.clear();
  for (const std::uint32_t row : rows) {
    classes_.push_back(target_.classes[row]);
    weights_.push_back(weights[row]);
  }
  svm_.set_cost(
      std::exp2(lowest_exponent + (highest_exponent - lowest_exponent) * random.uniform()));
  svm_.assign(points_, rows, weights_, random);
  present_ = classes_;
  std::ranges::sort(present_);
  // Clang 14, which builds the fuzz targets, does not accept the subranges of libstdc++ 12.
  // NOLINTNEXTLINE(modernize-use-ranges)
  present_.erase(std::unique(present_.begin(), present_.end()), present_.end());
  hyperclasses_.clear();
  n_given_ = 0;
}

std::optional<Horosphere> ClassHorospheres::next() {
  const std::size_t n_classes = present_.size();
  const std::size_t number = n_given_++;
  if (number < n_classes) {
    return solve_for({&present_[number], 1});
  }
  if (!with_hyperclasses_ || n_classes < 3 || number >= 2 * n_classes - 2) {
    return std::nullopt;
  }
  if (hyperclasses_.empty()) {
    hyperclasses_ = hyperclasses(points_, rows_, classes_, weights_, target_.width).merged;
  }
  return solve_for(hyperclasses_[number - n_classes]);
}

Horosphere ClassHorospheres::solve_for(std::span<const std::uint32_t> classes) {
  for (const std::uint32_t label : classes) {
    is_positive_[label] = true;
  }
  signs_.clear();
  for (const std::uint32_t label : classes_) {
    signs_.push_back(is_positive_[label] ? 1 : -1);
  }
  for (const std::uint32_t label : classes) {
    is_positive_[label] = false;
  }
  return svm_.solve(signs_);
}

}  // namespace bentwood
