#include "bentwood/infer/winners.hpp"

#include <algorithm>
#include <memory>
#include <numeric>
#include <span>

#include "bentwood/base/parallel.hpp"
#include "bentwood/base/pool.hpp"

namespace bentwood {
namespace {

constexpr std::size_t rows_per_block = 256;

/// The sums of shares of one row, and the classes that have some: all others are 0, before and after.
struct ShareSums {
  explicit ShareSums(std::size_t n_classes) : sums(n_classes, 0.0) {}

  void add(const SparseShares& shares, std::uint32_t row) {
    const std::span<const std::uint32_t> labels = shares.classes_of(row);
    const std::span<const double> found = shares.shares_of(row);
    for (std::size_t index = 0; index < labels.size(); ++index) {
      double& sum = sums[labels[index]];
      if (sum == 0) {
        classes.push_back(labels[index]);
      }
      sum += found[index];
    }
  }
  /// The class of the greatest mean; all sums are 0 again.
  std::int64_t take_winner(double n_trees) {
    std::uint32_t winner = 0;
    double greatest = 0;
    for (const std::uint32_t label : classes) {
      const double mean = sums[label] / n_trees;
      if (mean > greatest || (mean == greatest && label < winner)) {
        greatest = mean;
        winner = label;
      }
      sums[label] = 0;
    }
    classes.clear();
    return winner;
  }

  std::vector<double> sums;
  std::vector<std::uint32_t> classes;
};

}  // namespace

std::vector<std::int64_t> winners(MatrixView shares) {
  std::vector<std::int64_t> result(shares.n_rows());
  for (std::size_t row = 0; row < result.size(); ++row) {
    const std::span<const double> of_row = shares.row(row);
    result[row] = std::ranges::max_element(of_row) - of_row.begin();
  }
  return result;
}

std::vector<std::int64_t> winners(const Forest& forest, const Leaves& leaves) {
  std::vector<std::int64_t> result(leaves.n_rows);
  const auto n_trees = static_cast<double>(leaves.n_trees);
  const auto leaves_of = [&](std::size_t row) {
    return std::span(leaves.nodes).subspan(row * leaves.n_trees, leaves.n_trees);
  };
  // Rows of the same leaves come one after the other and have one winner: leaves of shallow trees have many shares.
  std::vector<std::size_t> order(leaves.n_rows);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, [&](std::size_t first, std::size_t second) {
    return std::ranges::lexicographical_compare(leaves_of(first), leaves_of(second));
  });
  Pool<ShareSums> pool;
  parallel_blocks(leaves.n_rows, rows_per_block, [&](std::size_t begin, std::size_t end) {
    pool.with(
        [&] { return std::make_unique<ShareSums>(forest.width()); },
        [&](ShareSums& sums) {
          for (std::size_t place = begin; place < end; ++place) {
            const std::size_t row = order[place];
            if (place > begin && std::ranges::equal(leaves_of(row), leaves_of(order[place - 1]))) {
              result[row] = result[order[place - 1]];
              continue;
            }
            for (std::size_t number = 0; number < leaves.n_trees; ++number) {
              const Tree& tree = forest.trees[number];
              sums.add(tree.sparse, tree.nodes[leaves(row, number)].child);
            }
            result[row] = sums.take_winner(n_trees);
          }
        });
  });
  return result;
}

Matrix mean_values(const Forest& forest, const Leaves& leaves) {
  Matrix result(leaves.n_rows, forest.width());
  const auto n_trees = static_cast<double>(leaves.n_trees);
  parallel_blocks(leaves.n_rows, 1, [&](std::size_t row, std::size_t) {
    const std::span<double> sums = result.row(row);
    for (std::size_t number = 0; number < leaves.n_trees; ++number) {
      const Tree& tree = forest.trees[number];
      tree.add_value(tree.nodes[leaves(row, number)].child, sums);
    }
    for (double& sum : sums) {
      sum /= n_trees;
    }
  });
  return result;
}

}  // namespace bentwood
