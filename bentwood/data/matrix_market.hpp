#pragma once

#include <string>
#include <string_view>

#include "bentwood/data/graph.hpp"

namespace bentwood {

/// Reads a sparse square matrix as a graph: entry (i, j) is an edge from i - 1 to j - 1 with its value as
/// weight. Coordinate format with real, integer or pattern entries, general or symmetric (Boisvert,
/// Pozo, Remington, "The Matrix Market Exchange Formats", NISTIR 5935, 1996). A symmetric matrix is an
/// undirected graph; read as directed, each entry off the diagonal makes two edges.
///
/// Throws FormatError with the line: array format, complex, hermitian or skew-symmetric matrices, a
/// matrix that is not square, an index outside it, an entry above the diagonal of a symmetric one, a
/// value that is not finite, another number of entries than announced.
[[nodiscard]] Graph parse_matrix_market(std::string_view bytes, const std::string& source,
                                        const GraphOptions& options = {});

/// Names and labels have no place in this format and are left out.
[[nodiscard]] std::string format_matrix_market(const Graph& graph);

}  // namespace bentwood
