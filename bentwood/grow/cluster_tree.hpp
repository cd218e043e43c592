#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "bentwood/base/matrix.hpp"
#include "bentwood/grow/grow_tree.hpp"
#include "bentwood/grow/node_random.hpp"
#include "bentwood/grow/projection.hpp"
#include "bentwood/grow/sorted_columns.hpp"
#include "bentwood/grow/tree_builder.hpp"
#include "bentwood/split/cluster_cuts.hpp"
#include "bentwood/split/number_sorter.hpp"

namespace bentwood {

/// How an unsupervised tree grows.
struct ClusterOptions {
  ClusterCriterion criterion = ClusterCriterion::fast_bic;
  Projection projection = Projection::guided;
  ClusterLimits limits{};
  /// How evenly cuts are drawn (ClusterCuts::draw); 0 takes the best.
  double temperature = 0.2;
  /// Rows that a node needs to be split.
  std::size_t min_samples_split = 10;
  std::size_t max_depth = std::numeric_limits<std::size_t>::max();
  /// Columns that a node looks at, drawn anew for each; of sparse projections, how many there are.
  std::size_t max_features = std::numeric_limits<std::size_t>::max();
  /// Sums of columns that a node looks at besides, at most (guided).
  std::size_t n_projections = 16;
  /// The share of the columns in a sparse projection; 0 for one column in the mean.
  double density = 0;
};

/// What all trees of an unsupervised forest grow from: every column once more, end to end, and how widely it is spread.
struct ClusterSoil {
  /// All columns are lines.
  explicit ClusterSoil(const RankedColumns& ranked);

  const RankedColumns& columns;
  /// One row a column.
  Matrix by_column;
  /// The standard deviation of every column.
  std::vector<double> scales;
};

/// A tree, and of every node how doubtful it is that its two parts are two clusters (doubt_of_two); 1 of a leaf.
struct GrownClusters {
  GrownTree grown;
  std::vector<double> doubts;
};

/// Grows trees that split their rows into the two clusters that a column, or a sum of columns, shows best (Geodesic Forests: Madhyastha et al.,
/// KDD 2020). A row is in a tree once or not at all: drawn twice it would be a cluster of its own.
///
/// A guided node looks at all columns and ranks them by the evidence against two clusters in them, summed up from the root: a noise column that
/// happens to look structured in a small node did not before. Columns that never had any against them are equals, in an order of chance: where
/// many columns have structure, trees differ. Sums of the first are then scored in the node, and the first that is good enough is
/// cut, or the best, at a place drawn among those that are about as good. What no column's scale can change: the tree. All of
/// it O(rows · columns) a level.
class ClusterTreeGrower {
 public:
  /// All arguments must outlive this object.
  ClusterTreeGrower(const ClusterSoil& soil, const ClusterOptions& options);

  /// Grows a tree on the rows whose bits are set, at least one (SortedColumns::take). A leaf's value is its share of the rows; a column's
  /// importance the rows that its cuts have divided. A pure function of its arguments. Throws Interrupted.
  [[nodiscard]] GrownClusters grow(std::span<const std::uint32_t> drawn, std::uint64_t seed);

 private:
  struct OpenNode {
    std::uint32_t node = 0;
    std::size_t begin = 0;
    std::size_t end = 0;
    std::size_t depth = 0;
    std::uint64_t key = 0;
    /// What its ancestors have against every column.
    std::vector<double> against;

    [[nodiscard]] std::size_t size() const { return end - begin; }
  };
  struct Found {
    double score = std::numeric_limits<double>::infinity();
    ProjectionTerms terms{};
  };

  void split_or_leave(OpenNode open);
  void score_columns(OpenNode& open);
  [[nodiscard]] Found best_projection(const OpenNode& open, NodeRandom& random);
  double score_terms(const OpenNode& open, const ProjectionTerms& terms);
  void divide(const OpenNode& open, const Found& found, NodeRandom& random);
  std::span<const double> sorted_values(const OpenNode& open, const ProjectionTerms& terms);
  [[nodiscard]] double value(const ProjectionTerms& terms, std::uint32_t row) const;
  [[nodiscard]] double doubt(const OpenNode& open, std::size_t cut);

  const ClusterSoil& soil_;
  const ClusterOptions& options_;
  SortedColumns rows_;
  ClusterCuts cuts_;
  /// For doubts, where the criterion is another.
  ClusterCuts gaussians_;
  ColumnDraw draw_;
  /// What columns are divided by before they are summed up: their spread, but nothing where the criterion compares them as they are.
  std::vector<double> units_;
  std::optional<TreeBuilder> builder_;
  std::vector<OpenNode> open_;
  std::vector<double> doubts_;
  // Of the node at hand: the score of every column (infinite where it was not looked at or cannot be cut), and those that can, by evidence.
  std::vector<double> scores_;
  std::vector<std::uint32_t> ranking_;
  std::vector<double> values_;
  /// Values that were looked at since it was last asked for Ctrl-C.
  std::size_t n_scored_ = 0;
  NumberSorter sorter_;
};

}  // namespace bentwood
