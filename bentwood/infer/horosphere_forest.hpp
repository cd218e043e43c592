#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "bentwood/base/matrix.hpp"
#include "bentwood/model/forest.hpp"

namespace bentwood {

/// Trees all of whose cuts are horospheres of one hyperbolic factor, laid out to be walked by several rows in turn, without a branch
/// but at the end: where a row turns cannot be guessed, and a wrong guess costs more than a level. The same bits as the plain walk, five
/// times as fast.
class HorosphereForest {
 public:
  /// Nothing where a tree cuts anything else. The forest must outlive the result.
  [[nodiscard]] static std::shared_ptr<const HorosphereForest> of(const Forest& forest);

  /// The leaf of rows [begin, end) in a tree, as many as `leaves` has room for.
  void find_leaves(MatrixView rows, std::size_t begin, std::size_t tree,
                   std::span<std::uint32_t> leaves) const;

  /// The mean over the trees of the values of each row's leaf; see predict_values_of_columns.
  [[nodiscard]] Matrix values(MatrixView rows) const;

 private:
  HorosphereForest(const Forest& forest, const PolarPlace& place);

  template <std::size_t fixed_dim>
  void walk(MatrixView rows, std::size_t begin, std::size_t tree,
            std::span<std::uint32_t> leaves) const;

  const Forest& forest_;
  PolarPlace place_;
  std::vector<std::size_t> tree_begins_;
  // One entry a node of all trees. A leaf is its own child, at a threshold that no row exceeds.
  std::vector<double> thresholds_;
  std::vector<std::uint32_t> children_;
  std::vector<double> ideals_;
};

}  // namespace bentwood
