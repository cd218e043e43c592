#include "bentwood/data/gml.hpp"

#include "fuzz.hpp"

// A graph that was read is written and reads back the same.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace bentwood;
  const ThreadLimit serial(1);
  static const std::string source = "a.gml";
  Graph graph;
  if (read_or_refuse([&] { graph = parse_gml(as_text(data, size), source); }).empty()) {
    (void)report(graph);
    const Graph back = parse_gml(format_gml(graph), source);
    require(back.edges == graph.edges && back.node_names == graph.node_names &&
            back.node_labels == graph.node_labels && back.directed == graph.directed);
  }
  return 0;
}
