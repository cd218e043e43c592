#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "bentwood/base/matrix.hpp"
#include "bentwood/infer/inputs.hpp"
#include "bentwood/model/forest.hpp"

namespace bentwood {

class HorosphereForest;
struct PackedForest;

/// A forest made ready to predict fast: the same bits as the plain walk of reference.hpp, for any number of rows
/// and threads. Immutable: any number of threads may use one, and copies share what they hold.
///
/// A node takes 8 bytes: the threshold is rounded to float32, and where a row's number rounds to the same, float64
/// decides. Nodes that follow each other lie in one cache line; many rows walk a tree at a time, or one
/// row many trees, so that the waiting for memory overlaps. Making it costs some 30 ns a node. Trees that cut horospheres are not packed:
/// where they cut nothing else they have a layout of their own, else they are walked plainly.
class Predictor {
 public:
  /// Throws InvalidInput where the forest has no trees. The trees must pass check_forest.
  explicit Predictor(std::shared_ptr<const Forest> forest);
  explicit Predictor(Forest forest);

  [[nodiscard]] const Forest& forest() const { return *forest_; }

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

  /// The values of one row, given as the model's columns, all finite; `out` has forest().width() places.
  /// Allocates nothing.
  void predict_row(std::span<const double> columns, std::span<double> out) const;

 private:
  std::shared_ptr<const Forest> forest_;
  std::shared_ptr<const PackedForest> packed_;
  /// Where all cuts are horospheres of one factor.
  std::shared_ptr<const HorosphereForest> horospheres_;
};

}  // namespace bentwood
