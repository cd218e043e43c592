#include "bentwood/data/edge_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "bentwood/base/error.hpp"
#include "bentwood/data/csv.hpp"
#include "bentwood/data/csv_fields.hpp"
#include "bentwood/data/plain_text.hpp"
#include "bentwood/data/text.hpp"

namespace bentwood {
namespace {

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& character : result) {
    if (character >= 'A' && character <= 'Z') {
      character = static_cast<char>(character - 'A' + 'a');
    }
  }
  return result;
}

template <std::size_t n>
bool is_one_of(std::string_view field, const std::array<std::string_view, n>& words) {
  return std::find(words.begin(), words.end(), lower(field)) != words.end();
}

bool names_source(std::string_view field) {
  constexpr std::array<std::string_view, 5> words{"source", "from", "src", "u", "node1"};
  return is_one_of(field, words);
}
bool names_target(std::string_view field) {
  constexpr std::array<std::string_view, 5> words{"target", "to", "dst", "v", "node2"};
  return is_one_of(field, words);
}
bool names_weight(std::string_view field) {
  constexpr std::array<std::string_view, 3> words{"weight", "value", "w"};
  return is_one_of(field, words);
}

/// One line that counts: its fields and where it is.
struct Row {
  std::vector<std::string> fields;
  std::size_t line = 0;
};

class EdgeListParser {
 public:
  EdgeListParser(std::string_view bytes, const std::string& source, const GraphOptions& options)
      : source_(source), lines_(plain_text(bytes, source)), header_(options.header) {
    graph_.directed = options.directed.value_or(false);
  }

  Graph parse() {
    Row first;
    if (!next(first)) {
      throw FormatError(fmt::format("{}: no edges", source_));
    }
    Row second;
    const bool has_second = next(second);
    n_fields_ = first.fields.size();
    check_width(first);
    if (header_.value_or(is_header(first, has_second ? &second : nullptr))) {
      read_header(first);
      if (!has_second) {
        throw FormatError(fmt::format("{}: a header without edges", source_));
      }
    } else {
      if (n_fields_ > 3) {
        fail(first.line,
             fmt::format("{} fields, expected 2 or 3 (source, target, weight)", n_fields_));
      }
      weight_ = n_fields_ == 3 ? 2 : none;
      take(first);
    }
    if (has_second) {
      take(second);
    }
    Row row;
    while (next(row)) {
      take(row);
    }
    number_nodes();
    return std::move(graph_);
  }

 private:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  bool next(Row& row) {
    std::string_view line;
    while (lines_.next(line)) {
      const std::string_view content = trimmed(line);
      if (content.empty() || content[0] == '#' || content[0] == '%') {
        continue;
      }
      row.line = lines_.number();
      row.fields = split(line);
      return true;
    }
    return false;
  }

  std::vector<std::string> split(std::string_view line) {
    if (line.find('\r') != std::string_view::npos) {
      fail(lines_.number(),
           "a carriage return stands inside a line; expected lines to end with \\n or \\r\\n");
    }
    if (delimiter_ == 0) {
      const std::size_t at = line.substr(0, line.find('{')).find_first_of(",;\t");
      delimiter_ = at == std::string_view::npos ? ' ' : line[at];
    }
    std::vector<std::string> fields;
    if (delimiter_ == ' ') {
      std::string_view rest = line;
      for (std::string_view word = take_word(rest); !word.empty(); word = take_word(rest)) {
        // NetworkX writes the data of an edge as a Python dictionary, which holds spaces.
        if (word.front() == '{') {
          fields.emplace_back(word.data(),
                              static_cast<std::size_t>(line.data() + line.size() - word.data()));
          break;
        }
        fields.emplace_back(word);
      }
      return fields;
    }
    FieldReader reader(line, delimiter_, source_, lines_.number());
    do {
      fields.emplace_back(reader.next());
    } while (!reader.row_ended());
    return fields;
  }

  static bool is_header(const Row& first, const Row* second) {
    const auto is_id = [](const Row& row) {
      return looks_like_integer(row.fields[0]) && looks_like_integer(row.fields[1]);
    };
    const bool named = (names_source(first.fields[0]) && names_target(first.fields[1]));
    return named ||
           (second != nullptr && second->fields.size() >= 2 && !is_id(first) && is_id(*second) &&
            !looks_like_integer(first.fields[0]) && !looks_like_integer(first.fields[1]));
  }

  void read_header(const Row& row) {
    for (std::size_t field = 2; field < row.fields.size(); ++field) {
      if (names_weight(row.fields[field]) && weight_ == none) {
        weight_ = field;
      }
    }
    if (weight_ == none && row.fields.size() == 3) {
      weight_ = 2;
    }
  }

  void check_width(const Row& row) const {
    if (row.fields.size() < 2) {
      fail(row.line, "1 field, expected a source and a target");
    }
    if (row.fields.size() != n_fields_) {
      fail(row.line, fmt::format("{} fields, expected {}", row.fields.size(), n_fields_));
    }
  }

  void take(const Row& row) {
    check_width(row);
    Edge edge;
    edge.source = node(row.fields[0], row.line);
    edge.target = node(row.fields[1], row.line);
    if (weight_ != none) {
      edge.weight = weight(row.fields[weight_], row.line);
    }
    graph_.edges.push_back(edge);
  }

  std::size_t node(const std::string& id, std::size_t line) {
    if (id.empty()) {
      fail(line, "a node without a name");
    }
    if (!is_utf8(id)) {
      fail(line, fmt::format("node name {} is not UTF-8", shown(id)));
    }
    const auto [found, is_new] = nodes_.try_emplace(id, graph_.node_names.size());
    if (is_new) {
      graph_.node_names.push_back(id);
      first_lines_.push_back(line);
    }
    return found->second;
  }

  double weight(std::string_view field, std::size_t line) {
    std::string_view number = field;
    if (field.starts_with('{')) {
      const std::size_t key = field.find("'weight':");
      if (key == std::string_view::npos) {
        return 1;
      }
      number = trimmed(field.substr(key + 9));
      number = trimmed(number.substr(0, number.find_first_of(",}")));
    }
    double value = 0;
    if (parse_number(number, value) != NumberKind::number || !std::isfinite(value)) {
      fail(line, fmt::format("weight {}, expected a finite number", shown(number)));
    }
    graph_.weighted = true;
    return value;
  }

  /// Numbers nodes with integer ids in the order of the ids, and leaves names as they came.
  void number_nodes() {
    std::vector<std::string>& names = graph_.node_names;
    graph_.n_nodes = names.size();
    if (!std::ranges::all_of(names, looks_like_integer)) {
      return;
    }
    std::vector<std::pair<std::int64_t, std::size_t>> order;
    for (std::size_t node = 0; node < names.size(); ++node) {
      const auto id = parse_integer(names[node]);
      if (names[node][0] == '-') {
        fail(first_lines_[node],
             fmt::format("node id {} is negative, expected 0, 1, 2, ... or names",
                         shown(names[node])));
      }
      if (!id) {
        fail(first_lines_[node],
             fmt::format("node id {} is past 2^63 - 1, the largest there is", shown(names[node])));
      }
      order.emplace_back(*id, node);
    }
    std::ranges::sort(order);
    std::vector<std::size_t> number(names.size());
    std::vector<std::string> sorted_names;
    for (const auto& [id, node] : order) {
      // 7 and 07 are the same id, written differently.
      if (sorted_names.empty() || sorted_names.back() != std::to_string(id)) {
        sorted_names.push_back(std::to_string(id));
      }
      number[node] = sorted_names.size() - 1;
    }
    for (Edge& edge : graph_.edges) {
      edge.source = number[edge.source];
      edge.target = number[edge.target];
    }
    names = std::move(sorted_names);
    graph_.n_nodes = names.size();
  }

  [[noreturn]] void fail(std::size_t line, std::string_view problem) const {
    throw FormatError(fmt::format("{}:{}: {}", source_, line, problem));
  }

  const std::string& source_;
  LineReader lines_;
  std::optional<bool> header_;
  char delimiter_ = 0;
  std::size_t n_fields_ = 0;
  std::size_t weight_ = none;
  std::unordered_map<std::string, std::size_t> nodes_;
  std::vector<std::size_t> first_lines_;
  Graph graph_;
};

void check_names(const Graph& graph) {
  std::unordered_set<std::string_view> seen;
  for (const std::string& name : graph.node_names) {
    if (!seen.insert(name).second) {
      throw InvalidInput(fmt::format(
          "two nodes are named {}, which would be one in an edge list; write .gml or .mtx",
          shown(name)));
    }
    if (name.empty() || name.find_first_of("\r\n") != std::string::npos) {
      throw InvalidInput(
          fmt::format("node name {} does not fit a line of an edge list; write .gml", shown(name)));
    }
  }
}

}  // namespace

Graph parse_edge_list(std::string_view bytes, const std::string& source,
                      const GraphOptions& options) {
  return EdgeListParser(bytes, source, options).parse();
}

std::string format_edge_list(const Graph& graph, char delimiter) {
  check_names(graph);
  std::vector<bool> touched(graph.n_nodes);
  TableColumn sources{"source", std::vector<std::string>(), {}};
  TableColumn targets{"target", std::vector<std::string>(), {}};
  TableColumn weights{"weight", std::vector<double>(), {}};
  for (const Edge& edge : graph.edges) {
    touched.at(edge.source) = true;
    touched.at(edge.target) = true;
    std::get<1>(sources.values).push_back(graph.node_name(edge.source));
    std::get<1>(targets.values).push_back(graph.node_name(edge.target));
    std::get<0>(weights.values).push_back(edge.weight);
  }
  const auto lonely = std::ranges::find(touched, false);
  if (lonely != touched.end()) {
    throw InvalidInput(
        fmt::format("node {} has no edges, which an edge list cannot say; write .gml or .mtx",
                    shown(graph.node_name(static_cast<std::size_t>(lonely - touched.begin())))));
  }
  Table table({std::move(sources), std::move(targets)});
  if (graph.weighted) {
    table.add(std::move(weights));
  }
  std::string result;
  for (const std::string& piece : format_csv(table, delimiter)) {
    result += piece;
  }
  return result;
}

}  // namespace bentwood
