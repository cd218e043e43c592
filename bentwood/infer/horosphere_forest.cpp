#include "bentwood/infer/horosphere_forest.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "bentwood/base/parallel.hpp"
#include "bentwood/infer/reference.hpp"

namespace bentwood {
namespace {

/// Rows that walk in turn, and rows that take a tree before the next is fetched.
constexpr std::size_t n_lanes = 8;
constexpr std::size_t rows_a_block = 256;

/// The place of the only factor that the trees cut; nothing where there are others, or none.
const PolarPlace* only_place(const Forest& forest) {
  const std::vector<PolarPlace>& places = forest.columns.polar_places();
  const PolarPlace* result = nullptr;
  for (const Tree& tree : forest.trees) {
    for (const TreeNode& node : tree.nodes) {
      if (node.is_leaf()) {
        continue;
      }
      const auto column = static_cast<std::size_t>(node.column);
      if (column < forest.columns.size()) {
        return nullptr;
      }
      const PolarPlace* const found =
          &places[polar_place_of(tree.own, column - forest.columns.size(), places)];
      if (result != nullptr && found != result) {
        return nullptr;
      }
      result = found;
    }
  }
  return result;
}

}  // namespace

std::shared_ptr<const HorosphereForest> HorosphereForest::of(const Forest& forest) {
  const PolarPlace* const place = only_place(forest);
  return place == nullptr
             ? nullptr
             : std::shared_ptr<const HorosphereForest>(new HorosphereForest(forest, *place));
}

HorosphereForest::HorosphereForest(const Forest& forest, const PolarPlace& place)
    : forest_(forest), place_(place) {
  for (const Tree& tree : forest.trees) {
    tree_begins_.push_back(thresholds_.size());
    for (std::uint32_t number = 0; number < tree.nodes.size(); ++number) {
      const TreeNode& node = tree.nodes[number];
      if (node.is_leaf()) {
        thresholds_.push_back(std::numeric_limits<double>::infinity());
        children_.push_back(number);
        ideals_.insert(ideals_.end(), place.dim, 0.0);
        continue;
      }
      thresholds_.push_back(node.threshold);
      children_.push_back(node.child);
      const std::span<const double> ideal =
          tree.own.coefficients_of(static_cast<std::size_t>(node.column) - forest.columns.size());
      ideals_.insert(ideals_.end(), ideal.begin(), ideal.end());
    }
  }
}

template <std::size_t fixed_dim>
void HorosphereForest::walk(MatrixView rows, std::size_t begin, std::size_t tree,
                            std::span<std::uint32_t> leaves) const {
  const std::size_t dim = fixed_dim == 0 ? place_.dim : fixed_dim;
  const double* const thresholds = thresholds_.data() + tree_begins_[tree];
  const std::uint32_t* const children = children_.data() + tree_begins_[tree];
  const double* const ideals = ideals_.data() + tree_begins_[tree] * dim;
  for (std::size_t first = 0; first < leaves.size(); first += n_lanes) {
    // Whoever fills the last lanes does as the last row does, and is forgotten.
    std::array<const double*, n_lanes> polar;
    for (std::size_t lane = 0; lane < n_lanes; ++lane) {
      const std::size_t row = begin + std::min(first + lane, leaves.size() - 1);
      polar[lane] = rows.row(row).data() + place_.place;
    }
    std::array<std::uint32_t, n_lanes> nodes{};
    std::uint32_t moved = 1;
    while (moved != 0) {
      moved = 0;
      for (std::size_t lane = 0; lane < n_lanes; ++lane) {
        const std::uint32_t node = nodes[lane];
        const double level = horosphere_level(polar[lane], {ideals + node * dim, dim});
        const std::uint32_t next = children[node] + (level > thresholds[node] ? 1U : 0U);
        moved |= next ^ node;
        nodes[lane] = next;
      }
    }
    std::copy_n(nodes.begin(), std::min(n_lanes, leaves.size() - first), leaves.data() + first);
  }
}

void HorosphereForest::find_leaves(MatrixView rows, std::size_t begin, std::size_t tree,
                                   std::span<std::uint32_t> leaves) const {
  if (place_.dim == 2) {
    walk<2>(rows, begin, tree, leaves);
  } else {
    walk<0>(rows, begin, tree, leaves);
  }
}

Matrix HorosphereForest::values(MatrixView rows) const {
  Matrix result(rows.n_rows(), forest_.width());
  parallel_blocks(rows.n_rows(), rows_a_block, [&](std::size_t begin, std::size_t end) {
    std::array<std::uint32_t, rows_a_block> found;
    const std::span<std::uint32_t> leaves(found.data(), end - begin);
    for (std::size_t number = 0; number < forest_.trees.size(); ++number) {
      const Tree& tree = forest_.trees[number];
      find_leaves(rows, begin, number, leaves);
      for (std::size_t row = begin; row < end; ++row) {
        tree.add_value(tree.nodes[leaves[row - begin]].child, result.row(row));
      }
    }
    for (double& sum : std::span(result.row(begin).data(), (end - begin) * forest_.width())) {
      sum /= static_cast<double>(forest_.trees.size());
    }
    for (std::size_t row = begin; row < end; ++row) {
      mend_means(forest_, rows.row(row), result.row(row));
    }
  });
  return result;
}

}  // namespace bentwood
