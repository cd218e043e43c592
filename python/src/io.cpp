#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "bentwood/data/dataset.hpp"
#include "bentwood/data/graph.hpp"
#include "bentwood/data/io.hpp"
#include "python/src/arrays.hpp"
#include "python/src/bindings.hpp"
#include "python/src/runtime.hpp"

namespace bentwood::python {
namespace {

using nb::literals::operator""_a;
using Jobs = std::optional<int>;

/// How Python describes a table file: format, delimiter, header, array.
using GivenOptions = std::tuple<std::string, std::string, bool, std::string>;

TableOptions table_options(const GivenOptions& given) {
  const auto& [format, delimiter, header, array] = given;
  if (delimiter.size() > 1) {
    throw InvalidInput("delimiter '" + delimiter + "', expected one character");
  }
  TableOptions options;
  options.format = format;
  options.csv.delimiter = delimiter.empty() ? '\0' : delimiter[0];
  options.csv.header = header;
  options.csv.no_header_hint = "pass header=False if the file has no header";
  options.array = array;
  options.array_hint = "pass array= and the name of one";
  return options;
}

/// A column for Python: numbers stay where they are, text becomes a list.
using OutputColumn = std::variant<OutputVector<double>, std::vector<std::string>>;

OutputColumn output(TableColumn column) {
  if (column.is_numeric()) {
    return to_numpy(std::get<std::vector<double>>(std::move(column.values)));
  }
  return std::get<std::vector<std::string>>(std::move(column.values));
}

std::tuple<std::vector<std::string>, std::vector<OutputColumn>, bool> read_columns(
    const nb::bytes& path, const GivenOptions& given, Jobs jobs) {
  const TableOptions options = table_options(given);
  const std::string name = text_of(path);
  Table table = compute(jobs, [&] { return read_table(name, options); });
  const bool is_float32 = table.precision() != Precision::float64;
  std::vector<std::string> names = table.names();
  std::vector<OutputColumn> columns;
  for (TableColumn& column : std::move(table).release()) {
    columns.push_back(output(std::move(column)));
  }
  return {std::move(names), std::move(columns), is_float32};
}

/// The parts of a dataset: X, its names, y, weights, ignored columns, whether X was float32.
using OutputDataset =
    std::tuple<OutputMatrix, std::vector<std::string>, std::optional<OutputColumn>,
               OutputVector<double>, std::vector<std::string>, bool>;

OutputDataset read_dataset(const nb::bytes& path, const GivenOptions& given,
                           std::optional<std::string> label, std::optional<std::string> weight,
                           std::vector<std::string> features, Jobs jobs) {
  const TableOptions options = table_options(given);
  const DatasetColumns parts{std::move(label), std::move(weight), std::move(features)};
  const std::string name = text_of(path);
  Dataset dataset = compute(jobs, [&] { return select(read_table(name, options), parts); });
  std::optional<OutputColumn> y;
  if (dataset.label) {
    y = output(std::move(*dataset.label));
  }
  return {to_numpy(std::move(dataset.points)),
          std::move(dataset.feature_names),
          std::move(y),
          to_numpy(std::move(dataset.weights)),
          std::move(dataset.ignored),
          dataset.precision != Precision::float64};
}

using InputColumn = std::variant<InputVector, std::vector<std::string>>;

void write_columns(const nb::bytes& path, const std::vector<std::string>& names,
                   const std::vector<InputColumn>& values, const std::string& format, Jobs jobs) {
  std::vector<TableColumn> columns(names.size());
  for (std::size_t col = 0; col < names.size(); ++col) {
    columns[col].name = names[col];
    if (const auto* const numbers = std::get_if<InputVector>(&values.at(col))) {
      const std::span<const double> given = view(*numbers);
      columns[col].values = std::vector<double>(given.begin(), given.end());
    } else {
      columns[col].values = std::get<std::vector<std::string>>(values[col]);
    }
  }
  const std::string name = text_of(path);
  compute(jobs, [&] { write_table(name, Table(std::move(columns)), format); });
}

using InputEdges = nb::ndarray<const std::int64_t, nb::shape<-1, 2>, nb::c_contig, nb::device::cpu>;
using OutputEdges = nb::ndarray<nb::numpy, std::int64_t, nb::shape<-1, 2>, nb::c_contig>;

/// A graph for Python: n_nodes, edges, weights (empty without), directed, names, labels.
using OutputGraph = std::tuple<std::size_t, OutputEdges, OutputVector<double>, bool,
                               std::vector<std::string>, std::vector<std::string>>;

OutputGraph read_edges(const nb::bytes& path, const std::string& format,
                       std::optional<bool> directed, const std::string& label,
                       std::optional<bool> header, Jobs jobs) {
  const std::string name = text_of(path);
  Graph graph = compute(jobs, [&] { return read_graph(name, {directed, label, header}, format); });
  std::vector<double> weights;
  auto ends = std::make_unique<std::vector<std::int64_t>>();
  for (const Edge& edge : graph.edges) {
    ends->push_back(static_cast<std::int64_t>(edge.source));
    ends->push_back(static_cast<std::int64_t>(edge.target));
    if (graph.weighted) {
      weights.push_back(edge.weight);
    }
  }
  std::int64_t* const data = ends->data();
  OutputEdges edges(data, {graph.edges.size(), 2}, owner_of(std::move(ends)));
  return {graph.n_nodes,
          std::move(edges),
          to_numpy(std::move(weights)),
          graph.directed,
          std::move(graph.node_names),
          std::move(graph.node_labels)};
}

/// Throws InvalidInput where an edge ends outside the nodes or weights, names or labels do not fit.
Graph graph_of(std::size_t n_nodes, const InputEdges& edges,
               const std::optional<InputVector>& weights, bool directed,
               std::vector<std::string> names, std::vector<std::string> labels) {
  Graph graph;
  graph.n_nodes = n_nodes;
  graph.directed = directed;
  graph.weighted = weights.has_value();
  graph.node_names = std::move(names);
  graph.node_labels = std::move(labels);
  if (weights && weights->shape(0) != edges.shape(0)) {
    throw InvalidInput(std::to_string(weights->shape(0)) +
                       " weights, expected one for each of the " + std::to_string(edges.shape(0)) +
                       " edges");
  }
  const auto check_size = [&](const std::vector<std::string>& list, const char* what) {
    if (!list.empty() && list.size() != n_nodes) {
      throw InvalidInput(std::to_string(list.size()) + " node " + what +
                         ", expected one for each of the " + std::to_string(n_nodes) + " nodes");
    }
  };
  check_size(graph.node_names, "names");
  check_size(graph.node_labels, "labels");
  for (std::size_t row = 0; row < edges.shape(0); ++row) {
    const std::int64_t source = edges.data()[2 * row];
    const std::int64_t target = edges.data()[2 * row + 1];
    if (std::cmp_less(source, 0) || std::cmp_greater_equal(source, n_nodes) ||
        std::cmp_less(target, 0) || std::cmp_greater_equal(target, n_nodes)) {
      throw InvalidInput("edge " + std::to_string(row) + " is (" + std::to_string(source) + ", " +
                         std::to_string(target) + "), expected numbers of the " +
                         std::to_string(n_nodes) + " nodes, counted from 0");
    }
    graph.edges.push_back({static_cast<std::size_t>(source), static_cast<std::size_t>(target),
                           weights ? weights->data()[row] : 1.0});
  }
  return graph;
}

}  // namespace

void bind_io(nb::module_& module) {
  module.def("read_table", &read_columns, "path"_a, "options"_a, "n_jobs"_a = nb::none());
  module.def("read_points", &read_dataset, "path"_a, "options"_a, "label"_a = nb::none(),
             "weight"_a = nb::none(), "columns"_a = std::vector<std::string>(),
             "n_jobs"_a = nb::none());
  module.def("write_table", &write_columns, "path"_a, "names"_a, "columns"_a, "format"_a,
             "n_jobs"_a = nb::none());
  module.def("read_graph", &read_edges, "path"_a, "format"_a, "directed"_a.none(), "label"_a,
             "header"_a.none(), "n_jobs"_a = nb::none());
  module.def(
      "write_graph",
      [](const nb::bytes& path, const std::string& format, std::size_t n_nodes,
         const InputEdges& edges, const std::optional<InputVector>& weights, bool directed,
         std::vector<std::string> names, std::vector<std::string> labels) {
        const Graph graph =
            graph_of(n_nodes, edges, weights, directed, std::move(names), std::move(labels));
        const std::string name = text_of(path);
        compute([&] { write_graph(name, graph, format); });
      },
      "path"_a, "format"_a, "n_nodes"_a, "edges"_a, "weights"_a.none(), "directed"_a, "names"_a,
      "labels"_a);
  module.def(
      "report_graph",
      [](std::size_t n_nodes, const InputEdges& edges, bool directed) {
        const Graph graph = graph_of(n_nodes, edges, std::nullopt, directed, {}, {});
        const GraphReport result = compute([&] { return report(graph); });
        return std::tuple(result.n_self_loops, result.n_duplicates, result.n_components,
                          result.largest_component);
      },
      "n_nodes"_a, "edges"_a, "directed"_a);
}

}  // namespace bentwood::python
