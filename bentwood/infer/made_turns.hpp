#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "bentwood/infer/packed_forest.hpp"
#include "bentwood/model/own_columns.hpp"

namespace bentwood {

/// The nodes of one block that cut columns which their tree has made, as PackedForest::made has them: one run of numbers, some of them bits of whole
/// numbers. It begins with the number of groups. Nodes of one group are computed side by side, in the order of operations that OwnColumns::value
/// has, so that the bits are the same.
///
/// Horospheres of one factor are one group: kind and dimension, place in the row, the thresholds of all eight lanes, then the first coordinate of their ideal points, the second, ...
/// A sum of columns is a group by itself: kind and number of terms, the node, threshold, coefficients, places.
class MadeGroups {
 public:
  static constexpr std::size_t n_lanes = PackedBlock::most_exits;

  struct Head {
    OwnColumnKind kind;
    std::uint32_t n_terms;
  };

  /// Numbers of a group after its head.
  [[nodiscard]] static std::size_t size(Head head) {
    return head.kind == OwnColumnKind::horosphere ? 1 + n_lanes * (1 + head.n_terms)
                                                  : 2 + 2 * std::size_t{head.n_terms};
  }
};

/// Writes the groups of one block behind those of others.
class MadeGroupWriter {
 public:
  void add(std::size_t node, const OwnColumns& own, std::size_t column, double threshold);
  void write(std::vector<double>& numbers);

 private:
  struct Horospheres {
    std::uint32_t place;
    std::uint32_t dim;
    std::vector<double> numbers;
  };
  std::vector<Horospheres> horospheres_;
  std::vector<double> sums_;
  std::uint64_t n_sums_ = 0;
};

}  // namespace bentwood
