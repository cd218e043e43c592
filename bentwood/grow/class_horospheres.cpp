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

std::span<const Horosphere> ClassHorospheres::find(std::span<const std::uint32_t> rows,
                                                   std::span<const double> weights,
                                                   Random& random) {
  constexpr double lowest_exponent = -3;
  constexpr double highest_exponent = 5;
  classes_.clear();
  weights_.clear();
  for (const std::uint32_t row : rows) {
    classes_.push_back(target_.classes[row]);
    weights_.push_back(weights[row]);
  }
  found_.clear();
  svm_.set_cost(
      std::exp2(lowest_exponent + (highest_exponent - lowest_exponent) * random.uniform()));
  svm_.assign(points_, rows, weights_, random);
  std::vector<std::uint32_t> present = classes_;
  std::ranges::sort(present);
  present.erase(std::ranges::unique(present).begin(), present.end());
  for (const std::uint32_t& label : present) {
    solve_for({&label, 1});
  }
  if (with_hyperclasses_ && present.size() > 2) {
    const Hyperclasses merged = hyperclasses(points_, rows, classes_, weights_, target_.width);
    for (const std::vector<std::uint32_t>& hyperclass : merged.merged) {
      solve_for(hyperclass);
    }
  }
  return found_;
}

void ClassHorospheres::solve_for(std::span<const std::uint32_t> classes) {
  for (const std::uint32_t label : classes) {
    is_positive_[label] = true;
  }
  signs_.clear();
  for (const std::uint32_t label : classes_) {
    signs_.push_back(is_positive_[label] ? 1 : -1);
  }
  found_.push_back(svm_.solve(signs_));
  for (const std::uint32_t label : classes) {
    is_positive_[label] = false;
  }
}

}  // namespace bentwood
