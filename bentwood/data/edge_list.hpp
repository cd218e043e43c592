#pragma once

#include <string>
#include <string_view>

#include "bentwood/data/graph.hpp"

namespace bentwood {

/// Reads one edge a line: source, target and, where there is a third field, a weight.
///
/// Fields are apart by the first of comma, semicolon and tab that the first line holds, else by spaces.
/// Lines that are blank or begin with # or % do not count. Of NetworkX's edge data, {} and {'weight': 2}
/// are understood. The first line is a header when its fields 1 and 2 are among source, target, from,
/// to, src, dst, u, v, node1, node2, or are no integers although those of the next line are; then
/// "weight", "value" or "w" is the weight, and without one the third of three columns.
///
/// Nodes are the ids that occur: where all are integers, in the order of the numbers, else names in the
/// order of appearance. Gaps between ids make no nodes. Throws FormatError with the line: fewer than two
/// or more fields than the first line, an integer id that is negative or past 2^63 - 1, a weight that is
/// not a finite number.
[[nodiscard]] Graph parse_edge_list(std::string_view bytes, const std::string& source,
                                    const GraphOptions& options = {});

/// One edge a line, with a header; names where the graph has them, which must then be unique and are
/// quoted as in CSV. Throws InvalidInput for nodes without edges, which an edge list cannot hold.
[[nodiscard]] std::string format_edge_list(const Graph& graph, char delimiter = ',');

}  // namespace bentwood
