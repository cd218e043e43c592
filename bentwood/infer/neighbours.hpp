#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "bentwood/base/matrix.hpp"
#include "bentwood/infer/engine.hpp"
#include "bentwood/infer/inputs.hpp"
#include "bentwood/model/geodesic_forest.hpp"

namespace bentwood {

/// The nearest training rows of some points, nearest first: the distance of two rows is 1 - S_ij (GeodesicForest).
struct Neighbours {
  /// `n_neighbours` numbers of training rows a point.
  std::vector<std::int64_t> rows;
  Matrix distances;
  std::size_t n_projected = 0;
  double largest_residual = 0;
};

/// The proximities S_ij above 0 of some points i to training rows j as a sparse matrix in compressed rows: those of point i are
/// at row_offsets[i] to row_offsets[i + 1], columns ascending.
struct Proximities {
  std::vector<std::int64_t> row_offsets;
  std::vector<std::int64_t> columns;
  std::vector<double> values;
  std::size_t n_projected = 0;
  double largest_residual = 0;
};

/// A geodesic forest made ready to find neighbours: the training rows of every node. Nothing of it grows with the square of the rows; a
/// point costs the rows of its leaves, or of the largest nodes that count. Immutable: any number of threads may use one, and copies share what they hold. No result depends on the
/// number of threads.
class NeighbourIndex {
 public:
  /// The forest must pass check_geodesic_forest. O(rows · trees), 4 bytes each.
  explicit NeighbourIndex(std::shared_ptr<const GeodesicForest> forest);

  [[nodiscard]] const GeodesicForest& forest() const { return *forest_; }

  /// The nearest training rows of every training row, itself not among them. Of equally near rows those of the lower hash of (seed, both
  /// rows) come first: no row is preferred by its number. Rows that share nothing have distance 1. Throws InvalidInput where there are not
  /// so many, Interrupted.
  [[nodiscard]] Neighbours of_training_rows(std::size_t n_neighbours) const;
  /// Those of any points. Throws InvalidInput besides where one is off the manifold and the forest does not project.
  [[nodiscard]] Neighbours of_points(Points points, std::size_t n_neighbours) const;

  /// The proximities of all training rows, and of any points to them.
  [[nodiscard]] Proximities training_proximities() const;
  [[nodiscard]] Proximities proximities(Points points) const;

 private:
  class Counter;

  /// What is asked about: training rows, or points whose leaves are known.
  struct Query;

  /// Where the rows of a node stand among those of its tree.
  struct Node {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
    /// The root is its own parent.
    std::uint32_t parent = 0;
    /// What rows share whose smallest common node this is.
    double share = 1;

    [[nodiscard]] std::size_t size() const { return end - begin; }
  };

  void place_rows(std::size_t tree);
  void set_shares();
  [[nodiscard]] Neighbours neighbours(const Query& query, std::size_t n_neighbours) const;
  [[nodiscard]] Proximities proximities(const Query& query) const;

  std::shared_ptr<const GeodesicForest> forest_;
  /// Finds the leaves of points.
  Predictor predictor_;
  /// Tree after tree, the training rows in an order in which the rows of every node follow each other.
  std::vector<std::uint32_t> rows_;
  /// Of all nodes, and where those of each tree begin.
  std::vector<Node> nodes_;
  std::vector<std::size_t> tree_begins_;
  /// The trees that have drawn each row: (n_trees + 63)/64 words a row; only where trees do not count alike.
  std::vector<std::uint64_t> drawn_by_;
};

}  // namespace bentwood
