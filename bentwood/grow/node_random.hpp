#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace bentwood {

/// Random numbers of one node, a pure function of the tree's seed and the node's path from the root: they do not
/// depend on the order in which nodes are grown, nor on threads.
///
/// SplitMix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014).
class NodeRandom {
 public:
  explicit NodeRandom(std::uint64_t key) : state_(key) {}

  std::uint64_t bits() { return mixed(state_ += step); }
  /// Uniform on {0, ..., bound - 1} but for a bias below bound/2^32, which nobody can measure.
  std::uint32_t below(std::uint32_t bound) {
    return static_cast<std::uint32_t>(((bits() >> 32U) * bound) >> 32U);
  }

  /// The key of a child: side 0 is left, 1 right.
  [[nodiscard]] static std::uint64_t child_key(std::uint64_t key, unsigned side) {
    return mixed(key ^ (step * (2 * side + 3)));
  }

 private:
  static constexpr std::uint64_t step = 0x9E3779B97F4A7C15U;

  static std::uint64_t mixed(std::uint64_t x) {
    x = (x ^ (x >> 30U)) * 0xBF58476D1CE4E5B9U;
    x = (x ^ (x >> 27U)) * 0x94D049BB133111EBU;
    return x ^ (x >> 31U);
  }

  std::uint64_t state_;
};

/// The columns of a node in random order, drawn one by one; all of them in their own order where all will be
/// looked at anyway.
class ColumnDraw {
 public:
  explicit ColumnDraw(std::size_t n_columns) : columns_(n_columns) {
    std::iota(columns_.begin(), columns_.end(), 0U);
    swaps_.reserve(n_columns);
  }

  /// Starts the draw of a node.
  void start(std::uint64_t key, bool shuffle) {
    // Back to the first order: a draw must not depend on the nodes before.
    while (!swaps_.empty()) {
      std::swap(columns_[swaps_.size() - 1], columns_[swaps_.back()]);
      swaps_.pop_back();
    }
    random_ = NodeRandom(key);
    shuffle_ = shuffle;
    n_drawn_ = 0;
  }
  [[nodiscard]] bool is_empty() const { return n_drawn_ == columns_.size(); }
  [[nodiscard]] std::size_t n_drawn() const { return n_drawn_; }
  std::size_t next() {
    if (shuffle_) {
      const auto left = static_cast<std::uint32_t>(columns_.size() - n_drawn_);
      const std::size_t other = n_drawn_ + random_.below(left);
      std::swap(columns_[n_drawn_], columns_[other]);
      swaps_.push_back(static_cast<std::uint32_t>(other));
    }
    return columns_[n_drawn_++];
  }

 private:
  std::vector<std::uint32_t> columns_;
  std::vector<std::uint32_t> swaps_;
  NodeRandom random_{0};
  bool shuffle_ = false;
  std::size_t n_drawn_ = 0;
};

}  // namespace bentwood
