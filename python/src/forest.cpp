#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "bentwood/geometry/coordinates.hpp"
#include "bentwood/infer/reference.hpp"
#include "bentwood/model/describe.hpp"
#include "bentwood/model/file.hpp"
#include "python/src/arrays.hpp"
#include "python/src/bindings.hpp"
#include "python/src/points.hpp"
#include "python/src/runtime.hpp"
#include "python/src/trained_forest.hpp"
#include "python/src/tree_texts.hpp"

namespace bentwood::python {
namespace {

using nb::literals::operator""_a;
using Jobs = std::optional<int>;

/// Numbers for Python: the values of rows, rows that were projected, the largest relative residual.
std::tuple<OutputMatrix, std::size_t, double> values(const TrainedForest& self,
                                                     const GivenPoints& given, Jobs jobs) {
  Prediction result = compute(jobs, [&] {
    require(self.forest->columns.manifold(), points(given), self.forest->off_manifold);
    return self.predictor.values(points(given));
  });
  return {to_numpy(std::move(result.values)), result.n_projected, result.largest_residual};
}

std::tuple<OutputVector<std::int64_t>, std::size_t, double> winners_of(const TrainedForest& self,
                                                                       const GivenPoints& given,
                                                                       Jobs jobs) {
  Winners result = compute(jobs, [&] {
    require(self.forest->columns.manifold(), points(given), self.forest->off_manifold);
    return self.predictor.winners(points(given));
  });
  return {to_numpy(std::move(result.classes)), result.n_projected, result.largest_residual};
}

/// What is said of rows that need no care: a float64 matrix in C order, as wide as the model expects, all on the
/// manifold. Nothing where there is more to say: the caller then takes the way that says it.
template <class Ask>
auto plainly(const TrainedForest& self, nb::handle array, Jobs jobs,
             Ask ask) -> std::optional<decltype(ask(self.predictor, Points(MatrixView())))> {
  InputMatrix matrix;
  if (!nb::try_cast<InputMatrix>(array, matrix, false) || matrix.shape(0) == 0 ||
      matrix.shape(1) != self.forest->columns.manifold().n_columns()) {
    return std::nullopt;
  }
  try {
    auto result = compute(jobs, [&] { return ask(self.predictor, Points(view(matrix))); });
    if (result.n_projected > 0) {
      return std::nullopt;
    }
    return result;
  } catch (const InvalidInput&) {
    return std::nullopt;
  }
}

std::optional<OutputMatrix> plain_values_of(const TrainedForest& self, nb::handle array,
                                            Jobs jobs) {
  std::optional<Prediction> result =
      plainly(self, array, jobs,
              [](const Predictor& predictor, Points rows) { return predictor.values(rows); });
  return result ? std::optional(to_numpy(std::move(result->values))) : std::nullopt;
}

std::optional<OutputVector<std::int64_t>> plain_winners_of(const TrainedForest& self,
                                                           nb::handle array, Jobs jobs) {
  std::optional<Winners> result =
      plainly(self, array, jobs,
              [](const Predictor& predictor, Points rows) { return predictor.winners(rows); });
  return result ? std::optional(to_numpy(std::move(result->classes))) : std::nullopt;
}

using OutputLeaves = nb::ndarray<nb::numpy, std::int64_t, nb::ndim<2>, nb::c_contig>;

std::tuple<OutputLeaves, std::size_t, double> apply(const TrainedForest& self,
                                                    const GivenPoints& given, Jobs jobs) {
  auto nodes = std::make_unique<std::vector<std::int64_t>>();
  const Leaves leaves = compute(jobs, [&] {
    require(self.forest->columns.manifold(), points(given), self.forest->off_manifold);
    Leaves result = self.predictor.apply(points(given));
    nodes->assign(result.nodes.begin(), result.nodes.end());
    return result;
  });
  std::int64_t* const data = nodes->data();
  return {OutputLeaves(data, {leaves.n_rows, leaves.n_trees}, owner_of(std::move(nodes))),
          leaves.n_projected, leaves.largest_residual};
}

OutputVector<std::int64_t> signed_numbers(const std::vector<std::uint64_t>& values) {
  return to_numpy(std::vector<std::int64_t>(values.begin(), values.end()));
}

/// Compressed rows for SciPy: offsets of the rows, nodes, offsets of the trees; then as `values`.
std::tuple<OutputVector<std::int64_t>, OutputVector<std::int64_t>, OutputVector<std::int64_t>,
           std::size_t, double>
paths(const TrainedForest& self, const GivenPoints& given, Jobs jobs) {
  const DecisionPaths result = compute(jobs, [&] {
    require(self.forest->columns.manifold(), points(given), self.forest->off_manifold);
    return self.predictor.decision_paths(points(given));
  });
  return {signed_numbers(result.row_offsets), signed_numbers(result.nodes),
          signed_numbers(result.tree_offsets), result.n_projected, result.largest_residual};
}

/// The weights of two children. Rounding may have left one less than nothing; where both have nothing they weigh the same.
std::pair<double, double> weights_of_children(const Tree& tree, std::size_t left) {
  const double first = std::max(0.0, tree.weights[left]);
  const double second = std::max(0.0, tree.weights[left + 1]);
  return first + second > 0 ? std::pair(first, second) : std::pair(1.0, 1.0);
}

/// The values of all nodes, one row each: an inner node's are the mean of its children's by their weights.
Matrix node_values(const Tree& tree) {
  Matrix result(tree.nodes.size(), tree.width);
  for (std::size_t node = tree.nodes.size(); node-- > 0;) {
    const std::span<double> value = result.row(node);
    const TreeNode& found = tree.nodes[node];
    if (found.is_leaf()) {
      tree.copy_value(found.child, value);
      continue;
    }
    const auto [left_weight, right_weight] = weights_of_children(tree, found.child);
    for (std::size_t output = 0; output < tree.width; ++output) {
      const double left = result(found.child, output);
      const double right = result(found.child + 1, output);
      const double share = right_weight / (left_weight + right_weight);
      const double apart = right - left;
      value[output] =
          std::isfinite(apart) ? left + apart * share : left * (1 - share) + right * share;
    }
  }
  return result;
}

/// A tree as arrays of one number a node: column (of a horosphere that of its factor, the threshold then is of its Busemann function), threshold, left and right child (-1 in leaves), weight, values.
using OutputTree =
    std::tuple<OutputVector<std::int64_t>, OutputVector<double>, OutputVector<std::int64_t>,
               OutputVector<std::int64_t>, OutputVector<double>, OutputMatrix>;

OutputTree tree_arrays(const TrainedForest& self, std::size_t number) {
  const Tree& tree = self.forest->trees.at(number);
  const std::size_t n_nodes = tree.nodes.size();
  const std::size_t n_columns = self.forest->columns.size();
  const std::vector<PolarPlace>& places = self.forest->columns.polar_places();
  std::vector<std::int64_t> columns(n_nodes, -1);
  std::vector<std::int64_t> left(n_nodes, -1);
  std::vector<std::int64_t> right(n_nodes, -1);
  std::vector<double> thresholds(n_nodes);
  for (std::size_t node = 0; node < n_nodes; ++node) {
    thresholds[node] = tree.nodes[node].threshold;
    if (!tree.nodes[node].is_leaf()) {
      columns[node] = tree.nodes[node].column;
      if (const auto column = static_cast<std::size_t>(columns[node]); column >= n_columns) {
        columns[node] = static_cast<std::int64_t>(
            n_columns + polar_place_of(tree.own, column - n_columns, places));
        thresholds[node] = std::log(thresholds[node]);
      }
      left[node] = tree.nodes[node].child;
      right[node] = left[node] + 1;
    }
  }
  return {to_numpy(std::move(columns)), to_numpy(std::move(thresholds)),
          to_numpy(std::move(left)),    to_numpy(std::move(right)),
          to_numpy(tree.weights),       to_numpy(node_values(tree))};
}

/// One description a column, and one the horospheres of each hyperbolic factor: name, "line" or "circle", factor.
std::vector<std::tuple<std::string, std::string, std::size_t>> columns(const TrainedForest& self) {
  std::vector<std::string> names = column_names(*self.forest);
  std::vector<std::tuple<std::string, std::string, std::size_t>> result;
  for (const Column& column : self.forest->columns.columns()) {
    result.emplace_back(std::move(names[result.size()]),
                        column.kind == ColumnKind::line ? "line" : "circle", column.factor);
  }
  for (const PolarPlace& place : self.forest->columns.polar_places()) {
    result.emplace_back(std::move(names[result.size()]), "line", place.factor);
  }
  return result;
}

std::vector<std::string> splits(const TrainedForest& self) {
  std::vector<std::string> result;
  for (const ColumnFamily family : self.forest->columns.families()) {
    result.emplace_back(name(family));
  }
  return result;
}

/// All the numbers of a tree for every tree.
template <std::size_t (*number)(const Tree&)>
std::vector<std::size_t> of_trees(const TrainedForest& self) {
  std::vector<std::size_t> result;
  for (const Tree& tree : self.forest->trees) {
    result.push_back(number(tree));
  }
  return result;
}

/// What stands in the boxes of a tree: the column or the answer, the side that goes left, the weight.
std::vector<std::tuple<std::string, std::string, std::string>> texts_of_nodes(
    const TrainedForest& self, std::size_t tree, const TreeTextOptions& options) {
  std::vector<std::tuple<std::string, std::string, std::string>> result;
  for (NodeText& text : compute([&] { return node_texts(*self.forest, tree, options); })) {
    result.emplace_back(std::move(text.subject), std::move(text.left_side), std::move(text.weight));
  }
  return result;
}

void bind_texts(nb::module_& module, nb::class_<TrainedForest>& bound) {
  nb::class_<TreeTextOptions>(module, "TreeTextOptions")
      .def(nb::init<std::size_t, std::size_t, std::vector<std::string>>(), "max_depth"_a,
           "decimals"_a, "class_names"_a);
  bind_tree_texts(bound, [](const TrainedForest& self) -> const Forest& { return *self.forest; });
  bound.def("node_texts", &texts_of_nodes, "tree"_a, "options"_a);
}

nb::bytes bytes_of(const TrainedForest& self) {
  const std::string bytes = compute([&] { return to_bytes(*self.forest); });
  return nb::bytes(bytes.data(), bytes.size());
}

void bind_facts(nb::class_<TrainedForest>& bound) {
  bound
      .def_prop_ro(
          "is_classifier",
          [](const TrainedForest& self) { return self.forest->task == Task::classification; })
      .def_prop_ro("estimator", [](const TrainedForest& self) { return self.forest->estimator; })
      .def_prop_ro("signature",
                   [](const TrainedForest& self) {
                     return self.forest->columns.manifold().signature().text();
                   })
      .def_prop_ro("coordinates",
                   [](const TrainedForest& self) {
                     return std::string(name(self.forest->columns.manifold().coordinates()));
                   })
      .def_prop_ro("splits", &splits)
      .def_prop_ro("off_manifold",
                   [](const TrainedForest& self) {
                     return std::string(
                         self.forest->off_manifold == OffManifold::error ? "error" : "project");
                   })
      .def_prop_ro(
          "n_features",
          [](const TrainedForest& self) { return self.forest->columns.manifold().n_columns(); })
      .def_prop_ro("n_trees", [](const TrainedForest& self) { return self.forest->trees.size(); })
      .def_prop_ro("width", [](const TrainedForest& self) { return self.forest->width(); })
      .def_prop_ro("classes", [](const TrainedForest& self) { return self.forest->classes; })
      .def_prop_ro("output_names",
                   [](const TrainedForest& self) { return self.forest->output_names; })
      .def_prop_ro("feature_names",
                   [](const TrainedForest& self) { return self.forest->feature_names; })
      .def_prop_ro("parameters", [](const TrainedForest& self) { return self.forest->parameters; })
      .def("importances",
           [](const TrainedForest& self) { return to_numpy(self.forest->importances); })
      .def_prop_ro("columns", &columns)
      .def_prop_ro("depths", &of_trees<depth>)
      .def_prop_ro("n_leaves", &of_trees<n_leaves>);
}

}  // namespace

void bind_forest(nb::module_& module) {
  nb::class_<TrainedForest> bound(module, "Forest");
  bind_facts(bound);
  bind_texts(module, bound);
  bound.def("values", &values, "points"_a, "n_jobs"_a.none())
      .def("winners", &winners_of, "points"_a, "n_jobs"_a.none())
      .def("plain_values", &plain_values_of, "array"_a, "n_jobs"_a.none())
      .def("plain_winners", &plain_winners_of, "array"_a, "n_jobs"_a.none())
      .def("apply", &apply, "points"_a, "n_jobs"_a.none())
      .def("decision_paths", &paths, "points"_a, "n_jobs"_a.none())
      .def("tree", &tree_arrays, "number"_a)
      .def("to_bytes", &bytes_of)
      .def("keep", &TrainedForest::keep, "name"_a, "json"_a)
      .def(
          "save",
          [](const TrainedForest& self, const nb::bytes& path) {
            const std::string name = text_of(path);
            compute([&] { save(*self.forest, name); });
          },
          "path"_a)
      .def_static(
          "from_bytes",
          [](const nb::bytes& bytes, const std::string& source) {
            const std::string_view view(bytes.c_str(), bytes.size());
            return compute([&] { return TrainedForest(from_bytes(view, source)); });
          },
          "bytes"_a, "source"_a)
      .def("__getstate__", &bytes_of)
      .def("__setstate__",
           [](TrainedForest& self, const nb::bytes& state) {
             const std::string_view bytes(state.c_str(), state.size());
             compute([&] { new (&self) TrainedForest(from_bytes(bytes, "pickle")); });
           })
      .def("__deepcopy__", [](const nb::object& self, nb::handle) { return self; })
      .def_static(
          "load",
          [](const nb::bytes& path) {
            const std::string name = text_of(path);
            return compute([&] { return TrainedForest(load(name)); });
          },
          "path"_a);
}

}  // namespace bentwood::python
