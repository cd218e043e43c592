#include "bentwood/datasets/tree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <utility>

#include "bentwood/base/error.hpp"
#include "bentwood/base/parallel.hpp"
#include "bentwood/geometry/manifold.hpp"

namespace bentwood {
namespace {

constexpr std::size_t max_nodes = 10'000'000;
// The farthest points the geometry accepts, in units of R.
constexpr double farthest = 350;

/// A Lorentz transformation of the hyperboloid in R^3, row by row: where a node sits and what it
/// faces.
using Frame = std::array<std::array<double, 3>, 3>;

/// The frame after turning by `angle`, then walking `length` ahead.
Frame walk(const Frame& frame, double angle, double length) {
  const double cosine = std::cos(angle);
  const double sine = std::sin(angle);
  const double ahead = std::sinh(length);
  const double stay = std::cosh(length);
  Frame result{};
  for (std::size_t row = 0; row < 3; ++row) {
    const auto& [time, right, up] = frame[row];
    const double turned_right = cosine * right + sine * up;
    const double turned_up = -sine * right + cosine * up;
    result[row] = {stay * time + ahead * turned_right, ahead * time + stay * turned_right,
                   turned_up};
  }
  return result;
}

/// The nodes in an order in which parents come before children; checks that they form one tree.
class Levels {
 public:
  explicit Levels(std::span<const std::size_t> parents) : parents_(parents) {
    if (parents.empty()) {
      throw InvalidInput("a tree needs at least one node, found no parents");
    }
    find_root();
    throw_if_interrupted();
    list_children();
    order_.push_back(root_);
    for (std::size_t next = 0; next < order_.size(); ++next) {
      throw_if_interrupted();
      const auto below = children(order_[next]);
      order_.insert(order_.end(), below.begin(), below.end());
    }
    if (order_.size() != parents.size()) {
      throw InvalidInput(
          fmt::format("the parents contain a cycle: {} of {} nodes cannot be reached from the root",
                      parents.size() - order_.size(), parents.size()));
    }
  }

  [[nodiscard]] const std::vector<std::size_t>& order() const { return order_; }
  [[nodiscard]] std::size_t root() const { return root_; }
  [[nodiscard]] std::span<const std::size_t> children(std::size_t node) const {
    return std::span(children_).subspan(begin_[node], begin_[node + 1] - begin_[node]);
  }

 private:
  void find_root() {
    std::size_t n_roots = 0;
    for (std::size_t node = 0; node < parents_.size(); ++node) {
      if (parents_[node] >= parents_.size()) {
        throw InvalidInput(fmt::format("node {} has parent {}, expected a node from 0 to {}", node,
                                       parents_[node], parents_.size() - 1));
      }
      if (parents_[node] == node) {
        root_ = node;
        ++n_roots;
      }
    }
    if (n_roots != 1) {
      throw InvalidInput(fmt::format(
          "a tree has exactly one root (a node that is its own parent), found {}", n_roots));
    }
  }

  void list_children() {
    begin_.assign(parents_.size() + 1, 0);
    for (std::size_t node = 0; node < parents_.size(); ++node) {
      begin_[parents_[node] + 1] += node == root_ ? 0 : 1;
    }
    std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
    children_.resize(parents_.size() - 1);
    std::vector<std::size_t> next(begin_.begin(), begin_.end() - 1);
    for (std::size_t node = 0; node < parents_.size(); ++node) {
      if (node != root_) {
        children_[next[parents_[node]]++] = node;
      }
    }
  }

  std::span<const std::size_t> parents_;
  std::size_t root_ = 0;
  std::vector<std::size_t> begin_;
  std::vector<std::size_t> children_;
  std::vector<std::size_t> order_;
};

std::vector<std::size_t> depths(const Levels& levels, std::span<const std::size_t> parents) {
  std::vector<std::size_t> result(parents.size(), 0);
  for (const std::size_t node : levels.order()) {
    if (node != levels.root()) {
      result[node] = result[parents[node]] + 1;
    }
  }
  return result;
}

/// The labels of all nodes, from their depths.
std::vector<std::int64_t> subtrees(const Levels& levels, std::span<const std::size_t> parents,
                                   std::span<const std::size_t> depths, std::size_t label_depth) {
  std::vector<std::int64_t> labels(parents.size(), 0);
  std::int64_t n_subtrees = 0;
  for (std::size_t node = 0; node < parents.size(); ++node) {
    if (depths[node] == label_depth) {
      labels[node] = ++n_subtrees;
    }
  }
  for (const std::size_t node : levels.order()) {
    if (depths[node] > label_depth) {
      labels[node] = labels[parents[node]];
    }
  }
  return labels;
}

/// Ambient coordinates of all nodes for curvature -1.
Matrix place(const Levels& levels, double length) {
  const std::size_t n_nodes = levels.order().size();
  Matrix points(n_nodes, 3);
  std::vector<Frame> frames(n_nodes);
  frames[levels.root()] = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  for (const std::size_t node : levels.order()) {
    throw_if_interrupted();
    const Frame& frame = frames[node];
    // x_0 from the spatial part: the frame's own drifts off the hyperboloid with the depth.
    points(node, 0) = std::sqrt(1 + frame[1][0] * frame[1][0] + frame[2][0] * frame[2][0]);
    points(node, 1) = frame[1][0];
    points(node, 2) = frame[2][0];
    const auto below = levels.children(node);
    // Everyone but the root keeps the direction behind it, at angle π, for its parent.
    const bool is_root = node == levels.root();
    const double gap = 2 * std::numbers::pi / static_cast<double>(below.size() + (is_root ? 0 : 1));
    const double first = is_root ? 0 : std::numbers::pi + gap;
    for (std::size_t child = 0; child < below.size(); ++child) {
      frames[below[child]] = walk(frame, first + gap * static_cast<double>(child), length);
    }
  }
  return points;
}

}  // namespace

std::vector<std::size_t> balanced_tree(std::size_t branching, std::size_t depth) {
  if (branching == 0) {
    throw InvalidInput("the branching must be at least 1, found 0");
  }
  std::size_t n_nodes = 1;
  std::size_t level = 1;
  for (std::size_t step = 0; step < depth; ++step) {
    level = level > max_nodes / branching ? max_nodes + 1 : level * branching;
    n_nodes += level;
    if (n_nodes > max_nodes) {
      throw InvalidInput(fmt::format("a tree of depth {} with branching {} has more than {} nodes",
                                     depth, branching, max_nodes));
    }
  }
  std::vector<std::size_t> parents(n_nodes);
  for (std::size_t node = 1; node < n_nodes; ++node) {
    parents[node] = (node - 1) / branching;
  }
  return parents;
}

PlacedTree sarkar_tree(std::span<const std::size_t> parents, const SarkarOptions& options) {
  if (!(options.edge_length > 0) || !std::isfinite(options.edge_length)) {
    throw InvalidInput(
        fmt::format("the edge length must be a finite number > 0, found {}", options.edge_length));
  }
  if (options.label_depth == 0) {
    throw InvalidInput("the label depth must be at least 1, found 0");
  }
  const Signature signature({Factor{Geometry::hyperbolic, 2, options.curvature}});
  const double radius = signature.factors().front().radius();
  const Levels levels(parents);
  PlacedTree tree;
  tree.depths = depths(levels, parents);
  throw_if_interrupted();
  const std::size_t depth = *std::ranges::max_element(tree.depths);
  if (options.label_depth > std::max<std::size_t>(depth, 1)) {
    throw InvalidInput(
        fmt::format("the label depth is {}, but the deepest node of the tree is at depth {}",
                    options.label_depth, depth));
  }
  tree.labels = subtrees(levels, parents, tree.depths, options.label_depth);
  throw_if_interrupted();
  if (static_cast<double>(depth) * options.edge_length > farthest * radius) {
    throw InvalidInput(fmt::format(
        "a tree of depth {} with edges of length {} reaches beyond {}, the farthest the hyperbolic "
        "plane can be computed with; pass an edge length of at most {}",
        depth, options.edge_length, farthest * radius,
        farthest * radius / static_cast<double>(depth)));
  }
  Matrix points = place(levels, options.edge_length / radius);
  std::ranges::transform(std::span(points.data(), parents.size() * 3), points.data(),
                         [&](double value) { return value * radius; });
  tree.points =
      options.coordinates == Coordinates::ambient
          ? std::move(points)
          : Manifold(signature).convert(points, Coordinates::ambient, options.coordinates);
  throw_if_interrupted();
  for (std::size_t node = 0; node < parents.size(); ++node) {
    if (node != levels.root()) {
      tree.edges.push_back({parents[node], node});
    }
  }
  return tree;
}

}  // namespace bentwood
