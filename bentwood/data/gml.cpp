#include "bentwood/data/gml.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <utility>

#include "bentwood/base/error.hpp"
#include "bentwood/data/gml_tokens.hpp"
#include "bentwood/data/plain_text.hpp"
#include "bentwood/data/text.hpp"

namespace bentwood {
namespace {

/// Reads the keys of the graph, its nodes and its edges; the depth of other lists is only counted.
class GmlParser {
 public:
  GmlParser(std::string_view bytes, const std::string& source, const GraphOptions& options)
      : tokens_(plain_text(bytes, source), source), source_(source), options_(options) {}

  Graph parse() {
    bool has_graph = false;
    for (GmlToken token = tokens_.next(); token.kind != GmlToken::Kind::end;
         token = tokens_.next()) {
      expect_key(token);
      const GmlToken value = tokens_.next();
      if (token.text == "graph") {
        if (has_graph) {
          fail(token.line, "a second graph, expected one a file");
        }
        expect_list(value, "graph");
        read_graph();
        has_graph = true;
      } else {
        skip(value);
      }
    }
    if (!has_graph) {
      throw FormatError(fmt::format("{}: no graph [ ... ], expected a GML file", source_));
    }
    return finished();
  }

 private:
  using Kind = GmlToken::Kind;

  /// An edge as the file names its ends.
  struct NamedEdge {
    std::optional<std::int64_t> source;
    std::optional<std::int64_t> target;
    double weight = 1;
    std::size_t line = 0;
  };

  /// Calls read(key, value) for each pair of a list, up to its ']'.
  template <class Read>
  void for_each_pair(const Read& read) {
    while (true) {
      const GmlToken key = tokens_.next();
      if (key.kind == Kind::close) {
        return;
      }
      expect_key(key);
      const GmlToken value = tokens_.next();
      if (!read(key.text, value)) {
        skip(value);
      }
    }
  }

  void read_graph() {
    for_each_pair([&](std::string_view key, const GmlToken& value) {
      if (key == "directed") {
        graph_.directed = integer(value, "directed") != 0;
      } else if (key == "node") {
        expect_list(value, "node");
        read_node(value.line);
      } else if (key == "edge") {
        expect_list(value, "edge");
        read_edge(value.line);
      } else {
        return false;
      }
      return true;
    });
  }

  void read_node(std::size_t line) {
    std::optional<std::int64_t> id;
    std::optional<std::string> name;
    std::string label;
    for_each_pair([&](std::string_view key, const GmlToken& value) {
      bool used = false;
      if (key == "id") {
        id = integer(value, "id");
        used = true;
      }
      if (key == "label" && is_scalar(value)) {
        name = scalar(value);
        used = true;
      }
      if (key == options_.label && is_scalar(value)) {
        label = scalar(value);
        has_labels_ = true;
        used = true;
      }
      return used;
    });
    if (!id) {
      fail(line, "a node without an id");
    }
    if (!nodes_.try_emplace(*id, graph_.n_nodes).second) {
      fail(line, fmt::format("two nodes have the id {}", *id));
    }
    ++graph_.n_nodes;
    graph_.node_names.push_back(name.value_or(std::to_string(*id)));
    graph_.node_labels.push_back(std::move(label));
  }

  void read_edge(std::size_t line) {
    NamedEdge edge;
    edge.line = line;
    for_each_pair([&](std::string_view key, const GmlToken& value) {
      if (key == "source") {
        edge.source = integer(value, "source");
      } else if (key == "target") {
        edge.target = integer(value, "target");
      } else if (key == "value" || key == "weight") {
        edge.weight = weight(value);
        graph_.weighted = true;
      } else {
        return false;
      }
      return true;
    });
    if (!edge.source || !edge.target) {
      fail(line, "an edge without a source or a target");
    }
    edges_.push_back(edge);
  }

  Graph finished() {
    const auto node = [&](std::int64_t id, std::size_t line) {
      const auto found = nodes_.find(id);
      if (found == nodes_.end()) {
        fail(line, fmt::format("an edge to the node {}, which is not there", id));
      }
      return found->second;
    };
    for (const NamedEdge& edge : edges_) {
      graph_.edges.push_back(
          {node(*edge.source, edge.line), node(*edge.target, edge.line), edge.weight});
    }
    if (!has_labels_) {
      graph_.node_labels.clear();
    }
    if (options_.directed) {
      graph_.directed = *options_.directed;
    }
    return std::move(graph_);
  }

  /// Skips a value; lists in lists are counted, not followed by recursion.
  void skip(const GmlToken& value) {
    expect_value(value);
    for (std::size_t depth = value.kind == Kind::open ? 1 : 0; depth > 0;) {
      const GmlToken token = tokens_.next();
      if (token.kind == Kind::end) {
        fail(value.line, "the [ opened here is never closed");
      }
      depth += token.kind == Kind::open ? 1U : 0U;
      depth -= token.kind == Kind::close ? 1U : 0U;
    }
  }

  static bool is_scalar(const GmlToken& value) {
    return value.kind == Kind::number || value.kind == Kind::text;
  }

  /// A number as it is written, or text with its entities decoded.
  static std::string scalar(const GmlToken& value) {
    return value.kind == Kind::text ? decoded_entities(value.text) : std::string(value.text);
  }

  std::int64_t integer(const GmlToken& value, std::string_view what) const {
    const auto number = value.kind == Kind::number ? parse_integer(value.text) : std::nullopt;
    if (!number) {
      fail(value.line,
           fmt::format("{} {}, expected an integer below 2^63", what, shown(value.text)));
    }
    return *number;
  }

  double weight(const GmlToken& value) const {
    double number = 0;
    if (!is_scalar(value) || parse_number(value.text, number) != NumberKind::number ||
        !std::isfinite(number)) {
      fail(value.line, fmt::format("weight {}, expected a finite number", shown(value.text)));
    }
    return number;
  }

  void expect_key(const GmlToken& token) const {
    if (token.kind == Kind::end) {
      throw FormatError(fmt::format("{}: ends inside a list, expected ]", source_));
    }
    if (token.kind != Kind::key) {
      fail(token.line, fmt::format("found {}, expected a key", shown(token.text)));
    }
  }

  void expect_value(const GmlToken& token) const {
    if (token.kind == Kind::end || token.kind == Kind::close) {
      fail(token.line, "a key without a value");
    }
    if (token.kind == Kind::key) {
      // nan and inf look like keys.
      fail(token.line, fmt::format("found {}, expected a number, text or [", shown(token.text)));
    }
  }

  void expect_list(const GmlToken& token, std::string_view key) const {
    if (token.kind != Kind::open) {
      fail(token.line, fmt::format("expected [ after {}", key));
    }
  }

  [[noreturn]] void fail(std::size_t line, std::string_view problem) const {
    throw FormatError(fmt::format("{}:{}: {}", source_, line, problem));
  }

  GmlTokens tokens_;
  const std::string& source_;
  const GraphOptions& options_;
  std::unordered_map<std::int64_t, std::size_t> nodes_;
  std::vector<NamedEdge> edges_;
  bool has_labels_ = false;
  Graph graph_;
};

std::string quoted(std::string_view text) { return fmt::format("\"{}\"", encoded_entities(text)); }

}  // namespace

Graph parse_gml(std::string_view bytes, const std::string& source, const GraphOptions& options) {
  return GmlParser(bytes, source, options).parse();
}

std::string format_gml(const Graph& graph) {
  std::string out = "graph [\n";
  out += graph.directed ? "  directed 1\n" : "  directed 0\n";
  for (std::size_t node = 0; node < graph.n_nodes; ++node) {
    fmt::format_to(std::back_inserter(out), "  node [\n    id {}\n    label {}\n", node,
                   quoted(graph.node_name(node)));
    if (!graph.node_labels.empty()) {
      fmt::format_to(std::back_inserter(out), "    value {}\n", quoted(graph.node_labels[node]));
    }
    out += "  ]\n";
  }
  for (const Edge& edge : graph.edges) {
    fmt::format_to(std::back_inserter(out), "  edge [\n    source {}\n    target {}\n", edge.source,
                   edge.target);
    if (graph.weighted) {
      fmt::format_to(std::back_inserter(out), "    weight {}\n", edge.weight);
    }
    out += "  ]\n";
  }
  return out + "]\n";
}

}  // namespace bentwood
