#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "bentwood/grow/grow_tree.hpp"
#include "bentwood/grow/split_search.hpp"

namespace bentwood {

class TreeGrower::Strategy {
 public:
  virtual ~Strategy() = default;
  virtual GrownTree grow(std::span<const double> weights, std::uint64_t seed) = 0;
};

/// What stops a tree, given all of its weight. `criterion` has all rows set.
template <class Criterion>
void set_limits(const Criterion& criterion, Soil& soil) {
  const GrowOptions& options = soil.options;
  soil.limits = {options.min_samples_leaf, options.min_weight_fraction_leaf * soil.total_weight};
  // As scikit-learn: a decrease that is only rounding away from the limit is enough.
  constexpr double epsilon = 2.220446049250313e-16;
  soil.min_decrease = options.min_impurity_decrease > epsilon
                          ? (options.min_impurity_decrease - epsilon) * criterion.gain_scale()
                          : 0;
}

/// Grows trees whose nodes make horospheres besides looking at columns (grow_options.hpp).
[[nodiscard]] std::unique_ptr<TreeGrower::Strategy> horosphere_strategy(
    const RankedColumns& columns, const Target& target, const GrowOptions& options, bool counted);

}  // namespace bentwood
