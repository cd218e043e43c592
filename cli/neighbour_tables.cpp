#include "cli/neighbour_tables.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <utility>
#include <variant>
#include <vector>

namespace bentwood::cli {

Table long_table(const Neighbours& found) {
  const std::size_t n_neighbors = found.distances.n_cols();
  const std::size_t n_lines = found.rows.size();
  std::vector<double> rows(n_lines);
  std::vector<double> ranks(n_lines);
  std::vector<double> distances(n_lines);
  for (std::size_t line = 0; line < n_lines; ++line) {
    const std::size_t row = line / n_neighbors;
    const std::size_t place = line % n_neighbors;
    rows[line] = static_cast<double>(row);
    ranks[line] = static_cast<double>(place + 1);
    distances[line] = found.distances(row, place);
  }
  return Table({{"row", std::move(rows), {}},
                {"rank", std::move(ranks), {}},
                {"neighbor", std::vector<double>(found.rows.begin(), found.rows.end()), {}},
                {"distance", std::move(distances), {}}});
}

Table wide_table(const Neighbours& found) {
  const std::size_t n_rows = found.distances.n_rows();
  const std::size_t n_neighbors = found.distances.n_cols();
  std::vector<TableColumn> columns{{"row", std::vector<double>(n_rows), {}}};
  for (std::size_t rank = 1; rank <= n_neighbors; ++rank) {
    columns.push_back({fmt::format("neighbor{}", rank), std::vector<double>(n_rows), {}});
  }
  for (std::size_t row = 0; row < n_rows; ++row) {
    std::get<std::vector<double>>(columns[0].values)[row] = static_cast<double>(row);
    for (std::size_t place = 0; place < n_neighbors; ++place) {
      std::get<std::vector<double>>(columns[place + 1].values)[row] =
          static_cast<double>(found.rows[row * n_neighbors + place]);
    }
  }
  return Table(std::move(columns));
}

}  // namespace bentwood::cli
