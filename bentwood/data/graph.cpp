#include "bentwood/data/graph.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace bentwood {
namespace {

using NodePair = std::pair<std::size_t, std::size_t>;

NodePair pair_of(const Graph& graph, const Edge& edge) {
  return graph.directed ? NodePair(edge.source, edge.target)
                        : NodePair(std::minmax(edge.source, edge.target));
}

/// For each edge, whether its pair of nodes came before.
std::vector<bool> repeats(const Graph& graph) {
  std::vector<std::size_t> order(graph.edges.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, [&](std::size_t left, std::size_t right) {
    return std::pair(pair_of(graph, graph.edges[left]), left) <
           std::pair(pair_of(graph, graph.edges[right]), right);
  });
  std::vector<bool> result(order.size());
  for (std::size_t at = 1; at < order.size(); ++at) {
    result[order[at]] =
        pair_of(graph, graph.edges[order[at]]) == pair_of(graph, graph.edges[order[at - 1]]);
  }
  return result;
}

/// Disjoint sets with path halving and union by size.
class Components {
 public:
  explicit Components(std::size_t n_items) : parent_(n_items), size_(n_items, 1) {
    std::iota(parent_.begin(), parent_.end(), std::size_t{0});
  }
  std::size_t find(std::size_t item) {
    while (parent_[item] != item) {
      parent_[item] = parent_[parent_[item]];
      item = parent_[item];
    }
    return item;
  }
  /// Whether the two were apart before.
  bool join(std::size_t left, std::size_t right) {
    left = find(left);
    right = find(right);
    if (left == right) {
      return false;
    }
    if (size_[left] < size_[right]) {
      std::swap(left, right);
    }
    parent_[right] = left;
    size_[left] += size_[right];
    return true;
  }
  [[nodiscard]] std::size_t largest() const {
    return size_.empty() ? 0 : *std::ranges::max_element(size_);
  }

 private:
  std::vector<std::size_t> parent_;
  std::vector<std::size_t> size_;
};

}  // namespace

std::string Graph::node_name(std::size_t node) const {
  return node_names.empty() ? std::to_string(node) : node_names.at(node);
}

GraphReport report(const Graph& graph) {
  GraphReport result;
  // Only nodes with edges get a place, so that a header that claims many nodes costs nothing.
  std::vector<std::size_t> touched;
  for (const Edge& edge : graph.edges) {
    result.n_self_loops += edge.source == edge.target ? 1U : 0U;
    touched.push_back(edge.source);
    touched.push_back(edge.target);
  }
  std::ranges::sort(touched);
  // Clang 14, which builds the fuzz targets, does not accept the subranges of libstdc++ 12.
  // NOLINTNEXTLINE(modernize-use-ranges)
  touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
  const auto index = [&](std::size_t node) {
    return static_cast<std::size_t>(std::ranges::lower_bound(touched, node) - touched.begin());
  };
  Components components(touched.size());
  result.n_components = graph.n_nodes;
  for (const Edge& edge : graph.edges) {
    result.n_components -= components.join(index(edge.source), index(edge.target)) ? 1U : 0U;
  }
  result.largest_component =
      graph.n_nodes == 0 ? 0 : std::max<std::size_t>(1, components.largest());
  const std::vector<bool> repeated = repeats(graph);
  result.n_duplicates =
      static_cast<std::size_t>(std::count(repeated.begin(), repeated.end(), true));
  return result;
}

Graph simplified(const Graph& graph) {
  const std::vector<bool> repeated = repeats(graph);
  Graph result = graph;
  result.edges.clear();
  for (std::size_t at = 0; at < graph.edges.size(); ++at) {
    if (!repeated[at] && graph.edges[at].source != graph.edges[at].target) {
      result.edges.push_back(graph.edges[at]);
    }
  }
  return result;
}

}  // namespace bentwood
