#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "bentwood/base/matrix.hpp"

/// How many of the neighbours that a method finds are neighbours on the manifold that the points come from: geodesic precision and
/// recall of Madhyastha et al., "Geodesic Forests", KDD 2020.
///
/// Row i of `neighbours` has the rows found nearest to row i, the nearest first, i itself not among them. Of every row the first k
/// are judged, for every k of `sizes`:
///
///     precision at k = |found ∩ true| / k        recall at k = |found ∩ true| / |true|
///
/// All functions throw InvalidInput where a neighbour is no row, the row itself or named twice, and where a size is 0 or
/// larger than the number of neighbours found. Results do not depend on the number of threads.
namespace bentwood {

using NeighbourRows = BasicMatrixView<const std::int64_t>;

struct NeighbourScores {
  /// A row a row, a column a size.
  Matrix precision;
  /// The same; 0 where a row has no true neighbour.
  Matrix recall;
};

/// Where the truth is which rows belong together (the paper's disconnected manifolds): the true neighbours of a row are all others of
/// its class, whatever k. Throws InvalidInput unless there is a class for every row. O(n K log K), K being the number of neighbours.
[[nodiscard]] NeighbourScores class_neighbour_scores(NeighbourRows neighbours,
                                                     std::span<const std::int64_t> classes,
                                                     std::span<const std::size_t> sizes);

/// The true distances of the rows [begin, end) from all n rows, a row each. Called on the calling thread, for one strip after another.
using TrueDistances = std::function<Matrix(std::size_t begin, std::size_t end)>;

/// Where the truth is a distance (the paper's continuous manifolds): the true neighbours of a row at k are the k others nearest to it,
/// and all that are as near as the k-th of them. Without such ties recall is therefore precision; the paper has them differ, which
/// no ranking without ties can. Distances may be infinite, as between parts that nothing connects.
///
/// Throws InvalidInput where a distance is not a number or negative, and Interrupted. Holds the distances of a strip of rows, some 50 MB, never
/// all. O(n² + n K log K), K being the largest size.
[[nodiscard]] NeighbourScores distance_neighbour_scores(NeighbourRows neighbours,
                                                        const TrueDistances& distances,
                                                        std::span<const std::size_t> sizes);

}  // namespace bentwood
