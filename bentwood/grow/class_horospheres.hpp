#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "bentwood/base/random.hpp"
#include "bentwood/grow/horosphere_splits.hpp"
#include "bentwood/linear/horosphere_svm.hpp"
#include "bentwood/linear/polar_points.hpp"
#include "bentwood/split/target.hpp"

namespace bentwood {

/// The horospheres that tell the classes of a node apart: with K classes in it, one SVM for each against the rest, and one for each of
/// the K - 2 hyperclasses of classes that belong together (Doorenbos et al., "Hyperbolic Random Forests", TMLR 2024, algorithm 1). The
/// SVMs of a node share a cost of 2^U, U uniform on [-3, 5].
class ClassHorospheres {
 public:
  /// All arguments must outlive this object. Requires a target of classes.
  ClassHorospheres(const PolarPoints& points, const Target& target,
                   const HorosphereSplits& options);

  /// `rows` are the node's, `weights` those of all rows; rows of weight 0 are not there. Valid until the next call. Throws Interrupted.
  [[nodiscard]] std::span<const Horosphere> find(std::span<const std::uint32_t> rows,
                                                 std::span<const double> weights, Random& random);

 private:
  void solve_for(std::span<const std::uint32_t> classes);

  const PolarPoints& points_;
  const Target& target_;
  bool with_hyperclasses_;
  HorosphereSvm svm_;
  // The node.
  std::vector<std::uint32_t> classes_;
  std::vector<double> weights_;
  std::vector<double> signs_;
  std::vector<bool> is_positive_;  ///< by class
  std::vector<Horosphere> found_;
};

}  // namespace bentwood
