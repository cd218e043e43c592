#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "bentwood/base/matrix.hpp"
#include "bentwood/infer/inputs.hpp"
#include "bentwood/infer/reference.hpp"
#include "bentwood/model/forest.hpp"

namespace bentwood {

struct PackedForest;

/// A forest that predicts fast: the same bits as the plain walk of reference.hpp, for any number of rows and threads. Any number of threads
/// may use one, and copies share what they hold.
///
/// Up to seven nodes that hang together lie in one cache line and are compared at once (packed_forest.hpp); many rows walk a
/// tree at a time, or one row many trees, so that the waiting for memory overlaps. Packing the nodes so costs some 50 ns per node, as much as
/// walking a few rows per hundred nodes plainly: it is put off until as many rows have been asked about.
class Predictor {
 public:
  /// Throws InvalidInput where the forest has no trees. The trees must pass check_forest.
  explicit Predictor(std::shared_ptr<const Forest> forest);
  explicit Predictor(Forest forest);

  [[nodiscard]] const Forest& forest() const { return *forest_; }

  /// Packs the nodes now rather than after some rows.
  void pack() const;

  /// The share of every class, or the mean of every output; see predict_values.
  [[nodiscard]] Prediction values(Points points) const;
  /// The same of rows that are columns of the model already, as `inputs` returns them.
  [[nodiscard]] Matrix values_of_columns(MatrixView columns) const;

  /// The class of every row: that of the greatest share, the first of equal ones. Takes no memory for each row and class where there are
  /// many. Requires a forest that classifies.
  [[nodiscard]] Winners winners(Points points) const;
  /// The same of rows that are columns already.
  [[nodiscard]] std::vector<std::int64_t> winners_of_columns(MatrixView columns) const;

  /// The leaf of every row in every tree.
  [[nodiscard]] Leaves apply(Points points) const;
  /// The same of rows that are columns already.
  [[nodiscard]] Leaves apply_to_columns(MatrixView columns) const;

  /// Every node that every row passes.
  [[nodiscard]] DecisionPaths decision_paths(Points points) const;

  /// The values of one row, given as the model's columns, all finite; `out` has forest().width() places.
  /// Allocates nothing once the nodes are packed.
  void predict_row(std::span<const double> columns, std::span<double> out) const;

 private:
  class Packing;

  std::shared_ptr<const Forest> forest_;
  std::shared_ptr<Packing> packing_;
};

}  // namespace bentwood
