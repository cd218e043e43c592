#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace bentwood {

/// An edge between two nodes, which are numbered from 0.
struct Edge {
  std::size_t source = 0;
  std::size_t target = 0;
  double weight = 1;

  friend bool operator==(const Edge&, const Edge&) = default;
};

/// A graph as its file has it: edges in the order of the file, none dropped and none merged.
struct Graph {
  std::size_t n_nodes = 0;
  std::vector<Edge> edges;
  bool directed = false;
  /// Whether the file gave weights; without them all are 1.
  bool weighted = false;
  /// The names of the nodes; empty where the file only counts them.
  std::vector<std::string> node_names;
  /// A class for each node, as text; empty where the file has none.
  std::vector<std::string> node_labels;

  /// The name of a node, or its number where there are no names.
  [[nodiscard]] std::string node_name(std::size_t node) const;
};

/// What a user should hear about a graph before trusting a method that expects a simple, connected
/// one.
struct GraphReport {
  std::size_t n_self_loops = 0;
  /// Edges whose pair of nodes came before; without direction u-v and v-u are one pair.
  std::size_t n_duplicates = 0;
  /// Components, taking edges in both directions; a node without edges is one of its own.
  std::size_t n_components = 0;
  std::size_t largest_component = 0;
};

/// Counts in O(e log e) time and memory proportional to the edges, however many nodes there are.
[[nodiscard]] GraphReport report(const Graph& graph);

/// The graph without self-loops and with one edge for each pair of nodes, the first one of the
/// file.
[[nodiscard]] Graph simplified(const Graph& graph);

/// How to read graphs; what is right for a format is the default.
///
/// Self-loops, duplicate edges and several components are facts about a graph, not errors: they are
/// kept and report() counts them. Errors, with the line: ids that are negative or past 2^63 - 1, a
/// weight that is not a finite number, a missing field.
struct GraphOptions {
  /// Overrides what the file or its format says: edge lists are undirected, MatrixMarket is
  /// directed unless it is symmetric, GML says it itself.
  std::optional<bool> directed;
  /// The attribute of a GML node that holds its label.
  std::string label = "value";
  /// Whether the first line of an edge list is a header. Left open: where it says source and target
  /// in one of the usual ways, or is not of integers and the second line is.
  std::optional<bool> header;
};

}  // namespace bentwood
