#include "bentwood/data/matrix_market.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <limits>

#include "bentwood/base/error.hpp"
#include "bentwood/data/plain_text.hpp"
#include "bentwood/data/text.hpp"

namespace bentwood {
namespace {

class MatrixMarketParser {
 public:
  MatrixMarketParser(std::string_view bytes, const std::string& source, const GraphOptions& options)
      : source_(source), lines_(plain_text(bytes, source)), options_(options) {}

  Graph parse() {
    read_banner();
    read_size();
    std::string_view line;
    std::size_t n_read = 0;
    while (next(line)) {
      if (++n_read > n_entries_) {
        fail(fmt::format("more entries than the {} announced", n_entries_));
      }
      read_entry(line);
    }
    if (n_read < n_entries_) {
      throw FormatError(
          fmt::format("{}: {} entries, expected the {} announced", source_, n_read, n_entries_));
    }
    return std::move(graph_);
  }

 private:
  void read_banner() {
    std::string_view line;
    (void)lines_.next(line);
    if (take_word(line) != "%%MatrixMarket") {
      fail("expected a first line such as %%MatrixMarket matrix coordinate real symmetric");
    }
    const std::string_view object = take_word(line);
    const std::string_view format = take_word(line);
    const std::string_view field = take_word(line);
    const std::string_view symmetry = take_word(line);
    if (object != "matrix" || format != "coordinate") {
      fail(fmt::format("{} {}, expected a matrix in coordinate format", printable(object),
                       printable(format)));
    }
    if (field != "real" && field != "integer" && field != "pattern" && field != "double") {
      fail(fmt::format("{} entries, expected real, integer or pattern", shown(field)));
    }
    if (symmetry != "general" && symmetry != "symmetric") {
      fail(fmt::format("a {} matrix, expected general or symmetric", shown(symmetry)));
    }
    graph_.weighted = field != "pattern";
    symmetric_ = symmetry == "symmetric";
    graph_.directed = options_.directed.value_or(!symmetric_);
  }

  void read_size() {
    std::string_view line;
    if (!next(line)) {
      throw FormatError(fmt::format("{}: no line with the size of the matrix", source_));
    }
    const std::size_t n_rows = whole_number(take_word(line), "a number of rows");
    const std::size_t n_cols = whole_number(take_word(line), "a number of columns");
    n_entries_ = whole_number(take_word(line), "a number of entries");
    expect_end(line);
    if (n_rows != n_cols) {
      fail(fmt::format("the matrix is {} x {}, expected a square one", n_rows, n_cols));
    }
    if (n_rows > std::numeric_limits<std::uint32_t>::max()) {
      fail(fmt::format("{} nodes, expected at most 4294967295", n_rows));
    }
    if (n_rows == 0 && n_entries_ > 0) {
      fail(fmt::format("the matrix has no rows but {} entries, expected none", n_entries_));
    }
    graph_.n_nodes = n_rows;
  }

  void read_entry(std::string_view line) {
    Edge edge;
    edge.source = index(take_word(line));
    edge.target = index(take_word(line));
    if (symmetric_ && edge.target > edge.source) {
      fail("an entry above the diagonal of a symmetric matrix, expected the lower triangle only");
    }
    if (graph_.weighted) {
      const std::string_view field = take_word(line);
      if (parse_number(field, edge.weight) != NumberKind::number || !std::isfinite(edge.weight)) {
        fail(fmt::format("weight {}, expected a finite number", shown(field)));
      }
    }
    expect_end(line);
    graph_.edges.push_back(edge);
    if (symmetric_ && graph_.directed && edge.source != edge.target) {
      std::swap(edge.source, edge.target);
      graph_.edges.push_back(edge);
    }
  }

  bool next(std::string_view& line) {
    while (lines_.next(line)) {
      if (!trimmed(line).empty() && line[0] != '%') {
        return true;
      }
    }
    return false;
  }

  [[nodiscard]] std::size_t whole_number(std::string_view field, std::string_view what) const {
    const auto value = parse_integer(field);
    if (!value || *value < 0) {
      fail(fmt::format("expected {}, found {}", what, field.empty() ? "the end" : shown(field)));
    }
    return static_cast<std::size_t>(*value);
  }

  [[nodiscard]] std::size_t index(std::string_view field) const {
    const auto value = parse_integer(field);
    if (!value || *value < 1 || static_cast<std::size_t>(*value) > graph_.n_nodes) {
      fail(fmt::format("index {}, expected 1 to {}", field.empty() ? "missing" : shown(field),
                       graph_.n_nodes));
    }
    return static_cast<std::size_t>(*value) - 1;
  }

  void expect_end(std::string_view rest) const {
    const std::string_view extra = take_word(rest);
    if (!extra.empty()) {
      fail(fmt::format("one field too many: {}", shown(extra)));
    }
  }

  [[noreturn]] void fail(std::string_view problem) const {
    throw FormatError(fmt::format("{}:{}: {}", source_, lines_.number(), problem));
  }

  const std::string& source_;
  LineReader lines_;
  const GraphOptions& options_;
  bool symmetric_ = false;
  std::size_t n_entries_ = 0;
  Graph graph_;
};

}  // namespace

Graph parse_matrix_market(std::string_view bytes, const std::string& source,
                          const GraphOptions& options) {
  return MatrixMarketParser(bytes, source, options).parse();
}

std::string format_matrix_market(const Graph& graph) {
  std::string out = fmt::format(
      "%%MatrixMarket matrix coordinate {} {}\n{} {} {}\n", graph.weighted ? "real" : "pattern",
      graph.directed ? "general" : "symmetric", graph.n_nodes, graph.n_nodes, graph.edges.size());
  for (const Edge& edge : graph.edges) {
    // A symmetric file holds the lower triangle: the larger index comes first.
    const bool swapped = !graph.directed && edge.source < edge.target;
    fmt::format_to(std::back_inserter(out), "{} {}", (swapped ? edge.target : edge.source) + 1,
                   (swapped ? edge.source : edge.target) + 1);
    if (graph.weighted) {
      out += ' ';
      append_number(out, edge.weight);
    }
    out += '\n';
  }
  return out;
}

}  // namespace bentwood
