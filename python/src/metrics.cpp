#include "bentwood/metrics/classification.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "bentwood/geometry/manifold.hpp"
#include "bentwood/metrics/hierarchy.hpp"
#include "bentwood/metrics/neighbours.hpp"
#include "bentwood/metrics/paired_test.hpp"
#include "bentwood/metrics/ranking.hpp"
#include "bentwood/metrics/regression.hpp"
#include "python/src/arrays.hpp"
#include "python/src/bindings.hpp"
#include "python/src/points.hpp"
#include "python/src/runtime.hpp"

namespace bentwood::python {
namespace {

using nb::literals::operator""_a;
using InputLabels = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using InputNeighbours = nb::ndarray<const std::int64_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Scores = OutputVector<double>;

std::span<const std::int64_t> view(const InputLabels& array) {
  return {array.data(), array.shape(0)};
}
NeighbourRows view(const InputNeighbours& array) {
  return {array.data(), array.shape(0), array.shape(1)};
}
using python::view;

OutputMatrix bind_confusion_matrix(const InputLabels& truth, const InputLabels& predicted,
                                   std::size_t n_classes, const InputVector& weights) {
  return to_numpy(compute(
      [&] { return confusion_matrix(view(truth), view(predicted), n_classes, view(weights)); }));
}

double bind_accuracy(const InputLabels& truth, const InputLabels& predicted,
                     const InputVector& weights) {
  return compute([&] { return accuracy(view(truth), view(predicted), view(weights)); });
}

std::tuple<Scores, Scores, Scores> bind_class_scores(const InputLabels& truth,
                                                     const InputLabels& predicted,
                                                     std::size_t n_classes,
                                                     const InputVector& weights) {
  ClassScores scores =
      compute([&] { return class_scores(view(truth), view(predicted), n_classes, view(weights)); });
  return {to_numpy(std::move(scores.precision)), to_numpy(std::move(scores.recall)),
          to_numpy(std::move(scores.f1))};
}

std::tuple<double, double, double> bind_average_scores(const InputLabels& truth,
                                                       const InputLabels& predicted,
                                                       std::size_t n_classes,
                                                       std::string_view average,
                                                       const InputVector& weights) {
  const auto [precision, recall, f1] = compute([&] {
    return average_scores(view(truth), view(predicted), n_classes, parse_average(average),
                          view(weights));
  });
  return {precision, recall, f1};
}

double bind_log_loss(const InputLabels& truth, const InputMatrix& probabilities,
                     const InputVector& weights, double epsilon) {
  return compute(
      [&] { return log_loss(view(truth), view(probabilities), view(weights), epsilon); });
}

/// `truth` is 1 where the row is of the positive class.
template <double (*area)(std::span<const std::int64_t>, std::span<const double>, std::int64_t,
                         std::span<const double>)>
double bind_binary(const InputLabels& truth, const InputVector& scores,
                   const InputVector& weights) {
  return compute([&] { return area(view(truth), view(scores), 1, view(weights)); });
}

template <double (*area)(std::span<const std::int64_t>, MatrixView, std::span<const double>)>
double bind_macro(const InputLabels& truth, const InputMatrix& scores, const InputVector& weights) {
  return compute([&] { return area(view(truth), view(scores), view(weights)); });
}

template <double (*score)(MatrixView, MatrixView, std::span<const double>)>
double bind_regression(const InputMatrix& truth, const InputMatrix& predicted,
                       const InputVector& weights) {
  return compute([&] { return score(view(truth), view(predicted), view(weights)); });
}

std::tuple<double, double, std::size_t, double, double, double> bind_paired_t_test(
    const InputVector& first, const InputVector& second, double confidence) {
  const PairedTTest test =
      compute([&] { return paired_t_test(view(first), view(second), confidence); });
  return {test.mean_difference, test.t, test.degrees_of_freedom, test.p, test.low, test.high};
}

/// Mistake severity and hierarchical distance.
std::tuple<double, double> bind_hierarchical_scores(const InputLabels& truth,
                                                    const InputLabels& predicted,
                                                    const ClassTree& tree, const InputLabels& nodes,
                                                    const InputVector& weights) {
  const HierarchicalScores scores = compute([&] {
    return hierarchical_scores(view(truth), view(predicted), tree, view(nodes), view(weights));
  });
  return {scores.mistake_severity, scores.hierarchical_distance};
}

using Sizes = std::vector<std::size_t>;
using Jobs = std::optional<int>;
/// Precision and recall, a row a row and a column a size.
using NeighbourTables = std::tuple<OutputMatrix, OutputMatrix>;

NeighbourTables tables(NeighbourScores scores) {
  return {to_numpy(std::move(scores.precision)), to_numpy(std::move(scores.recall))};
}

NeighbourTables bind_class_neighbour_scores(const InputNeighbours& neighbours,
                                            const InputLabels& classes, const Sizes& sizes,
                                            Jobs jobs) {
  return tables(compute(
      jobs, [&] { return class_neighbour_scores(view(neighbours), view(classes), sizes); }));
}

NeighbourTables bind_manifold_neighbour_scores(const InputNeighbours& neighbours,
                                               const Manifold& manifold, const GivenPoints& given,
                                               const Sizes& sizes, Jobs jobs) {
  const Points all = points(given);
  const auto distances = [&](std::size_t begin, std::size_t end) {
    const MatrixView rows(all.rows.data() + begin * all.rows.n_cols(), end - begin,
                          all.rows.n_cols());
    return manifold.pairwise_distance({rows, all.precision}, all);
  };
  return tables(
      compute(jobs, [&] { return distance_neighbour_scores(view(neighbours), distances, sizes); }));
}

/// From a first row and the one after the last to a matrix of their distances.
using DistanceCallback = nb::typed<nb::callable, InputMatrix(std::size_t, std::size_t)>;

NeighbourTables bind_distance_neighbour_scores(const InputNeighbours& neighbours,
                                               const DistanceCallback& callback, const Sizes& sizes,
                                               Jobs jobs) {
  const auto distances = [&](std::size_t begin, std::size_t end) {
    return with_gil([&] {
      const auto answer = nb::cast<InputMatrix>(callback(begin, end), false);
      Matrix strip = Matrix::uninitialized(answer.shape(0), answer.shape(1));
      std::copy_n(answer.data(), answer.size(), strip.data());
      return strip;
    });
  };
  return tables(
      compute(jobs, [&] { return distance_neighbour_scores(view(neighbours), distances, sizes); }));
}

/// A score of arrays: truth, then what is compared with it, then weights.
template <class Function>
void def_score(nb::module_& module, const char* name, Function function) {
  module.def(name, function, nb::arg("truth").noconvert(), nb::arg("predicted").noconvert(),
             nb::arg("weights").noconvert());
}

}  // namespace

void bind_metrics(nb::module_& module) {
  module.def("confusion_matrix", bind_confusion_matrix, nb::arg("truth").noconvert(),
             nb::arg("predicted").noconvert(), "n_classes"_a, nb::arg("weights").noconvert());
  module.def("class_scores", bind_class_scores, nb::arg("truth").noconvert(),
             nb::arg("predicted").noconvert(), "n_classes"_a, nb::arg("weights").noconvert());
  module.def("average_scores", bind_average_scores, nb::arg("truth").noconvert(),
             nb::arg("predicted").noconvert(), "n_classes"_a, "average"_a,
             nb::arg("weights").noconvert());
  module.def("log_loss", bind_log_loss, nb::arg("truth").noconvert(),
             nb::arg("probabilities").noconvert(), nb::arg("weights").noconvert(), "epsilon"_a);
  nb::class_<ClassTree>(module, "ClassTree")
      .def_static(
          "from_parents",
          [](const InputLabels& parents) { return ClassTree::from_parents(view(parents)); },
          nb::arg("parents").noconvert())
      .def_static(
          "from_linkage",
          [](const InputMatrix& linkage) { return ClassTree::from_linkage(view(linkage)); },
          nb::arg("linkage").noconvert())
      .def("ancestor_height", &ClassTree::ancestor_height, "first"_a, "second"_a);
  module.def("hierarchical_scores", bind_hierarchical_scores, nb::arg("truth").noconvert(),
             nb::arg("predicted").noconvert(), "tree"_a, nb::arg("nodes").noconvert(),
             nb::arg("weights").noconvert());
  module.def("class_neighbour_scores", bind_class_neighbour_scores,
             nb::arg("neighbours").noconvert(), nb::arg("classes").noconvert(), "sizes"_a,
             "n_jobs"_a.none());
  module.def("manifold_neighbour_scores", bind_manifold_neighbour_scores,
             nb::arg("neighbours").noconvert(), "manifold"_a, nb::arg("positions").noconvert(),
             "sizes"_a, "n_jobs"_a.none());
  module.def("distance_neighbour_scores", bind_distance_neighbour_scores,
             nb::arg("neighbours").noconvert(), "distances"_a, "sizes"_a, "n_jobs"_a.none());
  def_score(module, "accuracy", bind_accuracy);
  def_score(module, "average_precision", bind_binary<average_precision>);
  def_score(module, "macro_average_precision", bind_macro<macro_average_precision>);
  def_score(module, "roc_auc", bind_binary<roc_auc>);
  def_score(module, "macro_roc_auc", bind_macro<macro_roc_auc>);
  def_score(module, "rmse", bind_regression<rmse>);
  def_score(module, "mae", bind_regression<mae>);
  def_score(module, "r2", bind_regression<r2>);
  module.def("paired_t_test", bind_paired_t_test, nb::arg("first").noconvert(),
             nb::arg("second").noconvert(), "confidence"_a);
}

}  // namespace bentwood::python
