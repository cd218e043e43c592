#include "bentwood/data/edge_list.hpp"

#include "bentwood/data/matrix_market.hpp"
#include "fuzz.hpp"

// Bytes that begin like a MatrixMarket file are read as one, all others as an edge list. An edge
// list that was read is written and reads back with the same edges.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace bentwood;
  const ThreadLimit serial(1);
  const std::string_view bytes = as_text(data, size);
  static const std::string source = "a.txt";
  Graph graph;
  if (bytes.starts_with("%%MatrixMarket")) {
    (void)read_or_refuse([&] { (void)report(parse_matrix_market(bytes, source)); });
  } else if (read_or_refuse([&] { graph = parse_edge_list(bytes, source); }).empty()) {
    (void)report(graph);
    const Graph back = parse_edge_list(format_edge_list(graph), source);
    require(back.edges == graph.edges && back.node_names == graph.node_names);
  }
  return 0;
}
