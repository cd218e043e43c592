#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "bentwood/base/error.hpp"
#include "bentwood/ensemble/train_geodesic.hpp"
#include "bentwood/infer/reference.hpp"
#include "bentwood/model/describe.hpp"
#include "bentwood/model/model.hpp"
#include "python/src/arrays.hpp"
#include "python/src/bindings.hpp"
#include "python/src/points.hpp"
#include "python/src/progress.hpp"
#include "python/src/runtime.hpp"
#include "python/src/trained_geodesic.hpp"
#include "python/src/tree_texts.hpp"

namespace bentwood::python {
namespace {

using nb::literals::operator""_a;
using Jobs = std::optional<int>;
using OutputIndices = nb::ndarray<nb::numpy, std::int64_t, nb::ndim<2>, nb::c_contig>;

/// Whole numbers as rows of an array.
OutputIndices to_rows(std::vector<std::int64_t> values, std::size_t n_rows, std::size_t n_cols) {
  auto kept = std::make_unique<std::vector<std::int64_t>>(std::move(values));
  std::int64_t* const data = kept->data();
  return OutputIndices(data, {n_rows, n_cols}, owner_of(std::move(kept)));
}

/// Model, nothing besides, rows that were projected, the largest relative residual, the warning about precision.
using Outcome =
    std::tuple<TrainedGeodesicForest, std::optional<bool>, std::size_t, double, std::string>;

Outcome train(const GivenPoints& given, const GeodesicOptions& options,
              const std::optional<Callback>& callback, Jobs jobs) {
  const Progress progress = progress_of(callback);
  std::string warning;
  std::optional<TrainedGeodesicForest> trained;
  const GeodesicTraining result = compute(jobs, [&] {
    warning = require(options.manifold, points(given), options.off_manifold);
    GeodesicTraining training = train_geodesic_forest(points(given), options, progress);
    trained.emplace(std::move(training.forest));
    return training;
  });
  return {std::move(*trained), std::nullopt, result.n_projected, result.largest_residual,
          std::move(warning)};
}

/// Points of a model's manifold, or nothing for its training rows.
using Asked = std::optional<GivenPoints>;

std::tuple<OutputIndices, OutputMatrix, std::size_t, double> neighbours(
    const TrainedGeodesicForest& self, const Asked& asked, std::size_t n_neighbours, Jobs jobs) {
  const Forest& forest = self.model->forest;
  Neighbours found = compute(jobs, [&] {
    if (!asked) {
      return self.index().of_training_rows(n_neighbours);
    }
    require(forest.columns.manifold(), points(*asked), forest.off_manifold);
    return self.index().of_points(points(*asked), n_neighbours);
  });
  const std::size_t n_points = found.distances.n_rows();
  return {to_rows(std::move(found.rows), n_points, n_neighbours),
          to_numpy(std::move(found.distances)), found.n_projected, found.largest_residual};
}

/// Compressed rows for SciPy: offsets of the rows, columns, values; then as `neighbours`.
std::tuple<OutputVector<std::int64_t>, OutputVector<std::int64_t>, OutputVector<double>,
           std::size_t, double>
proximities(const TrainedGeodesicForest& self, const Asked& asked, Jobs jobs) {
  const Forest& forest = self.model->forest;
  Proximities found = compute(jobs, [&] {
    if (!asked) {
      return self.index().training_proximities();
    }
    require(forest.columns.manifold(), points(*asked), forest.off_manifold);
    return self.index().proximities(points(*asked));
  });
  return {to_numpy(std::move(found.row_offsets)), to_numpy(std::move(found.columns)),
          to_numpy(std::move(found.values)), found.n_projected, found.largest_residual};
}

std::tuple<OutputIndices, std::size_t, double> leaves(const TrainedGeodesicForest& self,
                                                      const GivenPoints& given, Jobs jobs) {
  const Forest& forest = self.model->forest;
  const Leaves found = compute(jobs, [&] {
    require(forest.columns.manifold(), points(given), forest.off_manifold);
    return self.predictor.apply(points(given));
  });
  return {to_rows({found.nodes.begin(), found.nodes.end()}, found.n_rows, found.n_trees),
          found.n_projected, found.largest_residual};
}

GeodesicOptions options_of(std::string_view signature, std::string_view coordinates,
                           std::string_view off_manifold) {
  return {.manifold = Manifold(signature, parse_coordinates(coordinates)),
          .off_manifold = parse_off_manifold(off_manifold)};
}

void bind_options(nb::module_& module) {
  nb::class_<GeodesicOptions>(module, "GeodesicOptions")
      .def("__init__",
           [](GeodesicOptions* self, std::string_view signature, std::string_view coordinates,
              std::string_view off_manifold) {
             new (self) GeodesicOptions(options_of(signature, coordinates, off_manifold));
           })
      .def_prop_ro("n_columns",
                   [](const GeodesicOptions& self) {
                     return Columns(self.manifold, {ColumnFamily::chordal}).size();
                   })
      .def(
          "set_grow",
          [](GeodesicOptions& self, std::string_view criterion, std::string_view projection,
             std::size_t max_features, std::size_t n_projections, double density,
             double temperature, double min_share, std::size_t min_samples_split,
             std::size_t max_depth) {
            self.grow.criterion = parse_cluster_criterion(criterion);
            self.grow.projection = parse_projection(projection);
            self.grow.max_features = max_features;
            self.grow.n_projections = n_projections;
            self.grow.density = density;
            self.grow.temperature = temperature;
            self.grow.limits.min_share = min_share;
            self.grow.min_samples_split = min_samples_split;
            self.grow.max_depth = max_depth;
          },
          "criterion"_a, "projection"_a, "max_features"_a, "n_projections"_a, "density"_a,
          "temperature"_a, "min_share"_a, "min_samples_split"_a, "max_depth"_a)
      .def(
          "set_counted",
          [](GeodesicOptions& self, std::string_view counted) {
            self.counted = parse_counted_trees(counted);
          },
          "counted"_a)
      .def(
          "set_shared",
          [](GeodesicOptions& self, std::string_view shared) {
            self.shared = parse_shared_nodes(shared);
          },
          "shared"_a)
      .def_rw("n_trees", &GeodesicOptions::n_trees)
      .def_rw("bootstrap", &GeodesicOptions::bootstrap)
      .def_rw("max_samples", &GeodesicOptions::max_samples)
      .def_rw("seed", &GeodesicOptions::seed)
      .def_rw("estimator", &GeodesicOptions::estimator)
      .def_rw("feature_names", &GeodesicOptions::feature_names)
      .def_rw("parameters", &GeodesicOptions::parameters);
}

GeodesicForest forest_from(std::string_view bytes, const std::string& source) {
  Model model = model_from_bytes(bytes, source);
  if (auto* const found = std::get_if<GeodesicForest>(&model)) {
    return std::move(*found);
  }
  throw FormatError(source + ": holds " + std::string(kind_text(model)) +
                    ", expected a geodesic forest");
}

nb::bytes bytes_of(const TrainedGeodesicForest& self) {
  const std::string bytes = compute([&] { return to_bytes(*self.model); });
  return nb::bytes(bytes.data(), bytes.size());
}

void bind_facts(nb::class_<TrainedGeodesicForest>& bound) {
  bound
      .def_prop_ro("estimator",
                   [](const TrainedGeodesicForest& self) { return self.model->forest.estimator; })
      .def_prop_ro("signature",
                   [](const TrainedGeodesicForest& self) {
                     return self.model->forest.columns.manifold().signature().text();
                   })
      .def_prop_ro("coordinates",
                   [](const TrainedGeodesicForest& self) {
                     return std::string(name(self.model->forest.columns.manifold().coordinates()));
                   })
      .def_prop_ro("off_manifold",
                   [](const TrainedGeodesicForest& self) {
                     return std::string(self.model->forest.off_manifold == OffManifold::error
                                            ? "error"
                                            : "project");
                   })
      .def_prop_ro("n_features",
                   [](const TrainedGeodesicForest& self) {
                     return self.model->forest.columns.manifold().n_columns();
                   })
      .def_prop_ro(
          "feature_names",
          [](const TrainedGeodesicForest& self) { return self.model->forest.feature_names; })
      .def_prop_ro("parameters",
                   [](const TrainedGeodesicForest& self) { return self.model->forest.parameters; })
      .def_prop_ro(
          "n_trees",
          [](const TrainedGeodesicForest& self) { return self.model->forest.trees.size(); })
      .def_prop_ro("n_rows", [](const TrainedGeodesicForest& self) { return self.model->n_rows; })
      .def_prop_ro(
          "column_names",
          [](const TrainedGeodesicForest& self) { return column_names(self.model->forest); })
      .def("importances", [](const TrainedGeodesicForest& self) {
        return to_numpy(self.model->forest.importances);
      });
}

}  // namespace

void bind_geodesic(nb::module_& module) {
  bind_options(module);
  nb::class_<TrainedGeodesicForest> bound(module, "GeodesicForest");
  bind_facts(bound);
  bind_tree_texts(
      bound, [](const TrainedGeodesicForest& self) -> const Forest& { return self.model->forest; });
  bound.def("neighbours", &neighbours, "points"_a.none(), "n_neighbours"_a, "n_jobs"_a.none())
      .def("proximities", &proximities, "points"_a.none(), "n_jobs"_a.none())
      .def("apply", &leaves, "points"_a, "n_jobs"_a.none())
      .def("to_bytes", &bytes_of)
      .def(
          "save",
          [](const TrainedGeodesicForest& self, const nb::bytes& path) {
            const std::string name = text_of(path);
            compute([&] { save(*self.model, name); });
          },
          "path"_a)
      .def("__getstate__", &bytes_of)
      .def("__setstate__",
           [](TrainedGeodesicForest& self, const nb::bytes& state) {
             const std::string_view bytes(state.c_str(), state.size());
             compute([&] { new (&self) TrainedGeodesicForest(forest_from(bytes, "pickle")); });
           })
      .def("__deepcopy__", [](const nb::object& self, nb::handle) { return self; });
  module.def("train_geodesic_forest", &train, "points"_a, "options"_a, "progress"_a.none(),
             "n_jobs"_a.none());
}

}  // namespace bentwood::python
