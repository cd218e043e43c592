#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "bentwood/ensemble/train.hpp"
#include "python/src/arrays.hpp"
#include "python/src/bindings.hpp"
#include "python/src/points.hpp"
#include "python/src/progress.hpp"
#include "python/src/runtime.hpp"
#include "python/src/trained_forest.hpp"

namespace bentwood::python {
namespace {

using nb::literals::operator""_a;
using Jobs = std::optional<int>;

TrainOptions train_options(std::string_view signature, std::string_view coordinates,
                           const std::vector<std::string>& splits, std::string_view off_manifold) {
  std::vector<ColumnFamily> families;
  families.reserve(splits.size());
  for (const std::string& split : splits) {
    families.push_back(parse_column_family(split));
  }
  return {.columns = Columns(Manifold(signature, parse_coordinates(coordinates)), families),
          .off_manifold = parse_off_manifold(off_manifold)};
}

/// What comes out of a training: model, out-of-bag values (no rows unless asked for), rows that were projected, the
/// largest relative residual, the warning about precision.
using Outcome = std::tuple<TrainedForest, OutputMatrix, std::size_t, double, std::string>;

Outcome train(const GivenPoints& given, Target target, std::optional<InputVector> weights,
              const Labels& classes, const TrainOptions& options,
              const std::optional<TrainedForest>& earlier, const std::optional<Callback>& callback,
              Jobs jobs) {
  if (weights) {
    target.weights.assign(view(*weights).begin(), view(*weights).end());
  }
  const Progress progress = progress_of(callback);
  std::string warning;
  std::optional<TrainedForest> trained;
  Training result = compute(jobs, [&] {
    warning = require(options.columns.manifold(), points(given), options.off_manifold);
    const Forest none{.columns = options.columns};
    Training training = extend_forest(earlier ? *earlier->forest : none, points(given), target,
                                      classes, options, progress);
    trained.emplace(std::move(training.forest));
    return training;
  });
  return {std::move(*trained), to_numpy(std::move(result.out_of_bag)), result.n_projected,
          result.largest_residual, std::move(warning)};
}

using InputClasses = nb::ndarray<const std::uint32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

Outcome train_classifier(const GivenPoints& given, const InputClasses& y, const Labels& classes,
                         std::optional<InputVector> weights, const TrainOptions& options,
                         const std::optional<TrainedForest>& earlier,
                         const std::optional<Callback>& callback, Jobs jobs) {
  Target target;
  target.width = std::visit([](const auto& labels) { return labels.size(); }, classes);
  target.classes.assign(y.data(), y.data() + y.shape(0));
  return train(given, std::move(target), std::move(weights), classes, options, earlier, callback,
               jobs);
}

Outcome train_regressor(const GivenPoints& given, const InputMatrix& y,
                        std::optional<InputVector> weights, const TrainOptions& options,
                        const std::optional<TrainedForest>& earlier,
                        const std::optional<Callback>& callback, Jobs jobs) {
  Target target;
  target.task = Task::regression;
  target.width = y.shape(1);
  target.outputs = Matrix(y.shape(0), y.shape(1));
  std::copy(y.data(), y.data() + y.size(), target.outputs.data());
  return train(given, std::move(target), std::move(weights), Labels(), options, earlier, callback,
               jobs);
}

void bind_options(nb::module_& module) {
  nb::enum_<Impurity>(module, "Impurity")
      .value("gini", Impurity::gini)
      .value("entropy", Impurity::entropy)
      .value("squared_error", Impurity::squared_error);
  nb::enum_<ClassBalance>(module, "ClassBalance")
      .value("none", ClassBalance::none)
      .value("all_rows", ClassBalance::all_rows)
      .value("each_tree", ClassBalance::each_tree);
  nb::class_<GrowOptions>(module, "GrowOptions")
      .def_rw("impurity", &GrowOptions::impurity)
      .def_rw("max_depth", &GrowOptions::max_depth)
      .def_rw("min_samples_split", &GrowOptions::min_samples_split)
      .def_rw("min_samples_leaf", &GrowOptions::min_samples_leaf)
      .def_rw("min_weight_fraction_leaf", &GrowOptions::min_weight_fraction_leaf)
      .def_rw("min_impurity_decrease", &GrowOptions::min_impurity_decrease)
      .def_rw("max_features", &GrowOptions::max_features)
      .def_rw("max_leaf_nodes", &GrowOptions::max_leaf_nodes);
  nb::class_<ForestOptions>(module, "ForestOptions")
      .def_rw("grow", &ForestOptions::grow)
      .def_rw("n_trees", &ForestOptions::n_trees)
      .def_rw("bootstrap", &ForestOptions::bootstrap)
      .def_rw("max_samples", &ForestOptions::max_samples)
      .def_rw("balance", &ForestOptions::balance)
      .def_rw("out_of_bag", &ForestOptions::out_of_bag)
      .def_rw("seed", &ForestOptions::seed);
  nb::class_<TrainOptions>(module, "TrainOptions")
      .def("__init__",
           [](TrainOptions* self, std::string_view signature, std::string_view coordinates,
              const std::vector<std::string>& splits, std::string_view off_manifold) {
             new (self) TrainOptions(train_options(signature, coordinates, splits, off_manifold));
           })
      .def("idle_splits", [](const TrainOptions& self) { return idle_splits(self.columns); })
      .def_prop_ro("n_columns", [](const TrainOptions& self) { return self.columns.size(); })
      .def_rw("forest", &TrainOptions::forest)
      .def_rw("estimator", &TrainOptions::estimator)
      .def_rw("feature_names", &TrainOptions::feature_names)
      .def_rw("output_names", &TrainOptions::output_names)
      .def_rw("parameters", &TrainOptions::parameters);
}

}  // namespace

void bind_training(nb::module_& module) {
  bind_options(module);
  module.def("train_classifier", &train_classifier, "points"_a, "y"_a.noconvert(), "classes"_a,
             "weights"_a.none(), "options"_a, "earlier"_a.none(), "progress"_a.none(),
             "n_jobs"_a.none());
  module.def("train_regressor", &train_regressor, "points"_a, "y"_a.noconvert(), "weights"_a.none(),
             "options"_a, "earlier"_a.none(), "progress"_a.none(), "n_jobs"_a.none());
  module.def("square_root_features", &square_root_features, "n_columns"_a);
  module.def("logarithm_features", &logarithm_features, "n_columns"_a);
}

}  // namespace bentwood::python
