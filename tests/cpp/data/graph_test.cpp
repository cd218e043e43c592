#include "bentwood/data/graph.hpp"

#include <gtest/gtest.h>

#include <utility>

#include "bentwood/base/random.hpp"
#include "bentwood/data/edge_list.hpp"
#include "bentwood/data/gml.hpp"
#include "bentwood/data/matrix_market.hpp"
#include "data/messages.hpp"

namespace bentwood {
namespace {

using Edges = std::vector<Edge>;
using Texts = std::vector<std::string>;

Graph edges_of(std::string_view text, GraphOptions options = {}) {
  return parse_edge_list(text, "g.txt", options);
}

TEST(EdgeList, reads_the_same_graph_in_every_dress) {
  const Edges expected{{0, 1, 1}, {1, 2, 1}, {0, 2, 1}};
  for (const std::string_view text :
       {"1 2\n2 5\n1 5\n", "1\t2\n2\t5\n1\t5\n", "1,2\n2,5\n1,5\n", "1;2\n2;5\n1;5",
        "source,target\n1,2\n2,5\n1,5\n", "From\tTo\n1\t2\n2\t5\n1\t5\n", "a b\n1 2\n2 5\n1 5\n",
        "# a comment\n1 2\n\n% another\n2 5\n  1   5  \r\n",
        "\xef\xbb\xbf"
        "01 2\n2 5\n1 5\n",
        "1 2 {}\n2 5 {}\n1 5 {}\n"}) {
    const Graph graph = edges_of(text);
    EXPECT_EQ(graph.edges, expected) << text;
    EXPECT_EQ(graph.node_names, (Texts{"1", "2", "5"})) << text;
    EXPECT_EQ(graph.n_nodes, 3U);
    EXPECT_FALSE(graph.weighted || graph.directed);
  }
}

TEST(EdgeList, reads_names_and_weights) {
  const Edges expected{{0, 1, 2.5}, {1, 2, -1}};
  for (const std::string_view text :
       {"ant bee 2.5\nbee cat -1\n", "from,to,strength\nant,bee,2.5\n\"bee\",cat,-1\n",
        "source,target,kind,weight\nant,bee,x,2.5\nbee,cat,y,-1\n",
        "ant bee {'kind': 1, 'weight': 2.5}\nbee cat {'weight': -1}\n"}) {
    const Graph graph = edges_of(text);
    EXPECT_EQ(graph.edges, expected) << text;
    EXPECT_EQ(graph.node_names, (Texts{"ant", "bee", "cat"}));
    EXPECT_TRUE(graph.weighted);
  }
}

TEST(EdgeList, says_what_is_wrong_and_in_which_line) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"", "g.txt: the file is empty"},
      {"# nothing\n", "g.txt: no edges"},
      {"source,target\n", "g.txt: a header without edges"},
      {"1 2\n3\n", "g.txt:2: 1 field, expected a source and a target"},
      {"1 2\n3 4 5\n", "g.txt:2: 3 fields, expected 2"},
      {"1 2 3 4\n", "g.txt:1: 4 fields, expected 2 or 3 (source, target, weight)"},
      {"1 2\n# ok\n-3 2\n", "g.txt:3: node id \"-3\" is negative, expected 0, 1, 2, ... or names"},
      {"1 2\n9223372036854775808 2\n",
       "g.txt:2: node id \"9223372036854775808\" is past 2^63 - 1, the largest there is"},
      {"1 2 0.5\n2 3 nan\n", "g.txt:2: weight \"nan\", expected a finite number"},
      {"1 2 0.5\n2 3 inf\n", "g.txt:2: weight \"inf\", expected a finite number"},
      {"1 2 0.5\n2 3 x\n", "g.txt:2: weight \"x\", expected a finite number"},
      {"1 2\n2\r 3\n",
       "g.txt:2: a carriage return stands inside a line; expected lines to end with "
       "\\n or \\r\\n"},
      {"1,2\n2,\n", "g.txt:2: a node without a name"},
      {"1,2\n2,\"3\n", "g.txt:2: the quote opened here is never closed"},
      {"a b\nb \xff\n", "g.txt:2: node name \"\\xff\" is not UTF-8"},
      {std::string("1 2\n2 \0\n", 8), "g.txt:2: holds a NUL byte, expected text"},
  };
  for (const auto& [text, message] : cases) {
    EXPECT_EQ(message_of([&] { (void)edges_of(text); }), message);
  }
}

TEST(EdgeList, takes_the_largest_id_there_is) {
  EXPECT_EQ(edges_of("9223372036854775807 0\n").node_names, (Texts{"0", "9223372036854775807"}));
}

TEST(GraphReport, counts_self_loops_duplicates_and_components) {
  GraphOptions options;
  const std::string text = "1 1\n1 2\n2 1\n3 4\n4 3\n3 4\n";
  GraphReport undirected = report(edges_of(text, options));
  EXPECT_EQ(undirected.n_self_loops, 1U);
  EXPECT_EQ(undirected.n_duplicates, 3U);
  EXPECT_EQ(undirected.n_components, 2U);
  EXPECT_EQ(undirected.largest_component, 2U);
  options.directed = true;
  EXPECT_EQ(report(edges_of(text, options)).n_duplicates, 1U);
  EXPECT_EQ(simplified(edges_of(text)).edges, (Edges{{0, 1, 1}, {2, 3, 1}}));
}

// The oracle paints components by repeated sweeps over the edges.
TEST(GraphReport, counts_the_components_that_sweeping_finds) {
  Random random(3);
  for (int repetition = 0; repetition < 50; ++repetition) {
    Graph graph;
    graph.n_nodes = 30;
    for (std::uint64_t left = random.below(40); left > 0; --left) {
      graph.edges.push_back({random.below(30), random.below(30), 1});
    }
    std::vector<std::size_t> colour(30);
    for (std::size_t node = 0; node < 30; ++node) {
      colour[node] = node;
    }
    for (int sweep = 0; sweep < 30; ++sweep) {
      for (const Edge& edge : graph.edges) {
        colour[edge.source] = colour[edge.target] =
            std::min(colour[edge.source], colour[edge.target]);
      }
    }
    std::vector<std::size_t> sizes(30);
    for (const std::size_t each : colour) {
      ++sizes[each];
    }
    std::size_t n_components = 0;
    std::size_t largest = 0;
    for (const std::size_t size : sizes) {
      n_components += size > 0 ? 1U : 0U;
      largest = std::max(largest, size);
    }
    EXPECT_EQ(report(graph).n_components, n_components);
    EXPECT_EQ(report(graph).largest_component, largest);
  }
}

TEST(MatrixMarket, reads_general_and_symmetric_matrices) {
  const Graph general = parse_matrix_market(
      "%%MatrixMarket matrix coordinate real general\n% comment\n3 3 2\n1 2 0.5\n3 1 -2e1\n",
      "g.mtx");
  EXPECT_EQ(general.edges, (Edges{{0, 1, 0.5}, {2, 0, -20}}));
  EXPECT_TRUE(general.directed && general.weighted);
  EXPECT_EQ(general.n_nodes, 3U);
  const std::string symmetric =
      "%%MatrixMarket matrix coordinate pattern symmetric\n4 4 2\n2 1\n3 3\n";
  EXPECT_EQ(parse_matrix_market(symmetric, "g.mtx").edges, (Edges{{1, 0, 1}, {2, 2, 1}}));
  EXPECT_FALSE(parse_matrix_market(symmetric, "g.mtx").directed);
  GraphOptions options;
  options.directed = true;
  EXPECT_EQ(parse_matrix_market(symmetric, "g.mtx", options).edges,
            (Edges{{1, 0, 1}, {0, 1, 1}, {2, 2, 1}}));
}

TEST(MatrixMarket, does_not_set_memory_aside_for_nodes_a_header_claims) {
  const Graph graph = parse_matrix_market(
      "%%MatrixMarket matrix coordinate pattern general\n4000000000 4000000000 1\n1 4000000000\n",
      "g.mtx");
  EXPECT_EQ(report(graph).n_components, 3999999999U);
}

TEST(MatrixMarket, says_what_is_wrong_and_in_which_line) {
  const std::string banner = "%%MatrixMarket matrix coordinate real symmetric\n";
  const std::vector<std::pair<std::string, std::string>> cases{
      {"1 2\n",
       "g.mtx:1: expected a first line such as %%MatrixMarket matrix coordinate real symmetric"},
      {"%%MatrixMarket matrix array real general\n2 2\n1\n2\n3\n4\n",
       "g.mtx:1: matrix array, expected a matrix in coordinate format"},
      {"%%MatrixMarket matrix coordinate complex general\n",
       "g.mtx:1: \"complex\" entries, expected real, integer or pattern"},
      {"%%MatrixMarket matrix coordinate real skew-symmetric\n",
       "g.mtx:1: a \"skew-symmetric\" matrix, expected general or symmetric"},
      {banner, "g.mtx: no line with the size of the matrix"},
      {banner + "2 3 1\n", "g.mtx:2: the matrix is 2 x 3, expected a square one"},
      {banner + "2 2\n", "g.mtx:2: expected a number of entries, found the end"},
      {banner + "-2 2 1\n", "g.mtx:2: expected a number of rows, found \"-2\""},
      {banner + "9999999999 9999999999 1\n",
       "g.mtx:2: 9999999999 nodes, expected at most 4294967295"},
      {banner + "2 2 2\n2 1 1\n", "g.mtx: 1 entries, expected the 2 announced"},
      {banner + "2 2 1\n2 1 1\n2 2 1\n", "g.mtx:4: more entries than the 1 announced"},
      {banner + "2 2 1\n3 1 1\n", "g.mtx:3: index \"3\", expected 1 to 2"},
      {banner + "2 2 1\n0 1 1\n", "g.mtx:3: index \"0\", expected 1 to 2"},
      {banner + "0 0 1\n1 1 1\n", "g.mtx:2: the matrix has no rows but 1 entries, expected none"},
      {banner + "2 2 1\n2\n", "g.mtx:3: index missing, expected 1 to 2"},
      {banner + "2 2 1\n1 2 1\n",
       "g.mtx:3: an entry above the diagonal of a symmetric matrix, expected "
       "the lower triangle only"},
      {banner + "2 2 1\n2 1 nan\n", "g.mtx:3: weight \"nan\", expected a finite number"},
      {banner + "2 2 1\n2 1\n", "g.mtx:3: weight \"\", expected a finite number"},
      {banner + "2 2 1\n2 1 1 1\n", "g.mtx:3: one field too many: \"1\""},
  };
  for (const auto& [text, message] : cases) {
    EXPECT_EQ(message_of([&] { (void)parse_matrix_market(text, "g.mtx"); }), message);
  }
}

TEST(Gml, reads_nodes_edges_labels_and_skips_the_rest) {
  const Graph graph = parse_gml(
      "Creator \"me [\"\n# comment ]\ngraph [ directed 1 meta [ a [ b 1 ] c \"]\" ]\n"
      " node [ id 10 label \"A &amp; &#228;&lt;\" value 1 graphics [ x 1.5 ] ]\n"
      " node [ id -3 ]\n edge [ source 10 target -3 value 2.5 ]\n edge [ source -3 target 10 ] ]\n",
      "g.gml");
  EXPECT_EQ(graph.node_names, (Texts{"A & \xc3\xa4<", "-3"}));
  EXPECT_EQ(graph.node_labels, (Texts{"1", ""}));
  EXPECT_EQ(graph.edges, (Edges{{0, 1, 2.5}, {1, 0, 1}}));
  EXPECT_TRUE(graph.directed && graph.weighted);
}

TEST(Gml, takes_the_label_from_the_attribute_asked_for) {
  GraphOptions options;
  options.label = "club";
  const std::string text = "graph [ node [ id 0 club \"Hi\" value 3 ] ]";
  EXPECT_EQ(parse_gml(text, "g.gml", options).node_labels, (Texts{"Hi"}));
  EXPECT_EQ(parse_gml(text, "g.gml").node_labels, (Texts{"3"}));
}

TEST(Gml, follows_no_recursion_however_deep_the_lists) {
  std::string text = "graph [ a ";
  for (int depth = 0; depth < 500'000; ++depth) {
    text += "[ a ";
  }
  EXPECT_EQ(message_of([&] { (void)parse_gml(text, "g.gml"); }),
            "g.gml:1: the [ opened here is never closed");
}

TEST(Gml, says_what_is_wrong_and_in_which_line) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"hello 3\n", "g.gml: no graph [ ... ], expected a GML file"},
      {"graph 3\n", "g.gml:1: expected [ after graph"},
      {"graph [\n node [ id 1 ]\n", "g.gml: ends inside a list, expected ]"},
      {"graph [\n node [ label \"x\" ] ]", "g.gml:2: a node without an id"},
      {"graph [\n node [ id 1 ]\n node [ id 1 ] ]", "g.gml:3: two nodes have the id 1"},
      {"graph [\n node [ id 9223372036854775808 ] ]",
       "g.gml:2: id \"9223372036854775808\", expected an integer below 2^63"},
      {"graph [\n node [ id \"1\" ] ]", "g.gml:2: id \"1\", expected an integer below 2^63"},
      {"graph [\n edge [ source 1 ] ]", "g.gml:2: an edge without a source or a target"},
      {"graph [ node [ id 1 ]\n edge [ source 1 target 2 ] ]",
       "g.gml:2: an edge to the node 2, which is not there"},
      {"graph [ node [ id 1 ]\n edge [ source 1 target 1 weight nan ] ]",
       "g.gml:2: weight \"nan\", expected a finite number"},
      {"graph [\n label \"x ]\n", "g.gml:2: the quote opened here is never closed"},
      {"graph [\n label ]", "g.gml:2: a key without a value"},
      {"graph [\n x y ]", "g.gml:2: found \"y\", expected a number, text or ["},
      {"graph [\n x 1x ]", "g.gml:2: found \"1x\", expected a number"},
      {"graph [\n 3 ]", "g.gml:2: found \"3\", expected a key"},
      {"graph [\n $ ]", "g.gml:2: found \"$\", expected a key, a value, [ or ]"},
  };
  for (const auto& [text, message] : cases) {
    EXPECT_EQ(message_of([&] { (void)parse_gml(text, "g.gml"); }), message);
  }
}

Graph sample_graph(bool directed, bool weighted) {
  Graph graph;
  graph.n_nodes = 4;
  graph.directed = directed;
  graph.weighted = weighted;
  graph.edges = {
      {1, 0, 1}, {2, 1, weighted ? 0.1 : 1.0}, {3, 3, weighted ? -1e300 : 1.0}, {2, 0, 1}};
  return graph;
}

TEST(Graphs, are_written_so_that_they_read_back_the_same) {
  for (const bool directed : {false, true}) {
    for (const bool weighted : {false, true}) {
      Graph graph = sample_graph(directed, weighted);
      const Graph market = parse_matrix_market(format_matrix_market(graph), "g.mtx");
      EXPECT_EQ(market.edges, graph.edges);
      EXPECT_EQ(market.directed, directed);
      EXPECT_EQ(market.weighted, weighted);
      graph.node_names = {"# b", "a, \"quoted\"", "\xc3\xa4&amp;", "7"};
      graph.node_labels = {"x", "", "\n", "]"};
      const Graph gml = parse_gml(format_gml(graph), "g.gml");
      EXPECT_EQ(gml.edges, graph.edges);
      EXPECT_EQ(gml.node_names, graph.node_names);
      EXPECT_EQ(gml.node_labels, graph.node_labels);
      EXPECT_EQ(gml.directed, directed);
      GraphOptions options;
      options.directed = directed;
      const Graph list = edges_of(format_edge_list(graph), options);
      ASSERT_EQ(list.edges.size(), graph.edges.size());
      for (std::size_t at = 0; at < list.edges.size(); ++at) {
        EXPECT_EQ(list.node_name(list.edges[at].source), graph.node_name(graph.edges[at].source));
        EXPECT_EQ(list.node_name(list.edges[at].target), graph.node_name(graph.edges[at].target));
        EXPECT_EQ(list.edges[at].weight, graph.edges[at].weight);
      }
    }
  }
}

TEST(EdgeList, refuses_to_write_what_it_cannot_hold) {
  Graph graph = sample_graph(false, false);
  graph.n_nodes = 5;
  EXPECT_EQ(message_of([&] { (void)format_edge_list(graph); }),
            "node \"4\" has no edges, which an edge list cannot say; write .gml or .mtx");
  graph.node_names = {"a", "b", "c", "a", "e"};
  EXPECT_EQ(message_of([&] { (void)format_edge_list(graph); }),
            "two nodes are named \"a\", which would be one in an edge list; write .gml or .mtx");
}

}  // namespace
}  // namespace bentwood
