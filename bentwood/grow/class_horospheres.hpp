#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
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

  /// Enters a node: `rows` are its rows, which must outlive their use, `weights` those of all rows; rows of weight 0 are not there.
  void enter(std::span<const std::uint32_t> rows, std::span<const double> weights, Random& random);

  /// The next horosphere of the node, classes before hyperclasses; nothing where there are no more. Throws Interrupted.
  [[nodiscard]] std::optional<Horosphere> next();

 private:
  [[nodiscard]] Horosphere solve_for(std::span<const std::uint32_t> classes);

  const PolarPoints& points_;
  const Target& target_;
  bool with_hyperclasses_;
  HorosphereSvm svm_;
  // The node: its rows, their classes and weights, and what is to be told from the rest.
  std::span<const std::uint32_t> rows_;
  std::vector<std::uint32_t> classes_;
  std::vector<double> weights_;
  std::vector<double> signs_;
  std::vector<std::uint8_t> chosen_;  ///< by class, 0 but for those that are told from the rest
  std::vector<std::uint32_t> present_;
  std::vector<std::vector<std::uint32_t>> hyperclasses_;
  std::size_t n_given_ = 0;
};

}  // namespace bentwood
