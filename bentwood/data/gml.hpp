#pragma once

#include <string>
#include <string_view>

#include "bentwood/data/graph.hpp"

namespace bentwood {

/// Reads GML (Himsolt, "GML: A portable graph file format", 1997): `directed`, nodes with id, label and
/// the attribute options.label, edges with source, target and value or weight. Everything else is
/// skipped, however deep its lists; entities in text (&amp; &#228;) are decoded. A node without a label
/// is named by its id; node labels are kept when some node has one, and are "" for the others.
///
/// Throws FormatError with the line: brackets that do not match, a node without an id or with one used
/// before, an edge without ends or to a node that is not there, a weight that is not a finite number.
[[nodiscard]] Graph parse_gml(std::string_view bytes, const std::string& source,
                              const GraphOptions& options = {});

[[nodiscard]] std::string format_gml(const Graph& graph);

}  // namespace bentwood
