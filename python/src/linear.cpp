#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "bentwood/linear/horosphere_training.hpp"
#include "bentwood/linear/hyperclasses.hpp"
#include "bentwood/linear/platt.hpp"
#include "bentwood/model/model.hpp"
#include "python/src/arrays.hpp"
#include "python/src/bindings.hpp"
#include "python/src/points.hpp"
#include "python/src/runtime.hpp"
#include "python/src/trained_forest.hpp"
#include "python/src/trained_geodesic.hpp"
#include "python/src/trained_linear.hpp"

namespace bentwood::python {
namespace {

using nb::literals::operator""_a;
using Jobs = std::optional<int>;
using InputClasses = nb::ndarray<const std::uint32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

/// What HoroSVC holds after `fit`. Immutable, so copies of an estimator share it.
struct TrainedHorospheres {
  explicit TrainedHorospheres(HorosphereClassifier trained)
      : classifier(std::make_shared<const HorosphereClassifier>(std::move(trained))) {}

  std::shared_ptr<const HorosphereClassifier> classifier;
};

std::span<const std::uint32_t> view(const InputClasses& array) {
  return {array.data(), array.shape(0)};
}
using python::view;

std::span<const double> view(const std::optional<InputVector>& weights) {
  return weights ? view(*weights) : std::span<const double>();
}

HorosphereTrainingOptions training_options(std::string_view signature, std::string_view coordinates,
                                           std::string_view off_manifold) {
  return {.manifold = Manifold(signature, parse_coordinates(coordinates)),
          .off_manifold = parse_off_manifold(off_manifold)};
}

/// Model, horospheres whose descent was stopped, rows that were projected, the largest relative residual, the warning about precision.
using Outcome = std::tuple<TrainedHorospheres, std::size_t, std::size_t, double, std::string>;

Outcome train(const GivenPoints& given, const InputClasses& y, const Labels& classes,
              const std::optional<InputVector>& weights, const HorosphereTrainingOptions& options,
              Jobs jobs) {
  std::string warning;
  HorosphereTraining result = compute(jobs, [&] {
    warning = require(options.manifold, points(given), options.off_manifold);
    return train_horospheres(points(given), view(y), view(weights), classes, options);
  });
  return {TrainedHorospheres(std::move(result.classifier)), result.n_stopped, result.n_projected,
          result.largest_residual, std::move(warning)};
}

using Values = std::tuple<OutputMatrix, std::size_t, double>;

template <HorosphereValues (*function)(const HorosphereClassifier&, Points)>
Values values(const TrainedHorospheres& self, const GivenPoints& given, Jobs jobs) {
  HorosphereValues result = compute(jobs, [&] {
    require(self.classifier->manifold, points(given), self.classifier->off_manifold);
    return function(*self.classifier, points(given));
  });
  return {to_numpy(std::move(result.values)), result.n_projected, result.largest_residual};
}

std::tuple<OutputVector<std::int64_t>, std::size_t, double> winners_of(
    const TrainedHorospheres& self, const GivenPoints& given, Jobs jobs) {
  HorosphereWinners result = compute(jobs, [&] {
    require(self.classifier->manifold, points(given), self.classifier->off_manifold);
    return predicted_classes(*self.classifier, points(given));
  });
  return {to_numpy(std::move(result.places)), result.n_projected, result.largest_residual};
}

nb::bytes bytes_of(const TrainedHorospheres& self) {
  const std::string bytes = compute([&] { return to_bytes(*self.classifier); });
  return nb::bytes(bytes.data(), bytes.size());
}

HorosphereClassifier horospheres_from(std::string_view bytes, const std::string& source) {
  Model model = model_from_bytes(bytes, source);
  if (auto* const found = std::get_if<HorosphereClassifier>(&model)) {
    return std::move(*found);
  }
  throw FormatError(source + ": holds " + std::string(kind_text(model)) + ", expected horospheres");
}

using AnyTrained =
    std::variant<TrainedForest, TrainedHorospheres, TrainedLinear, TrainedGeodesicForest>;

AnyTrained load_any(const nb::bytes& path) {
  const std::string name = text_of(path);
  return compute([&]() -> AnyTrained {
    Model model = load_model(name);
    if (auto* const forest = std::get_if<Forest>(&model)) {
      return TrainedForest(std::move(*forest));
    }
    if (auto* const linear = std::get_if<LinearClassifier>(&model)) {
      return TrainedLinear(std::move(*linear));
    }
    if (auto* const geodesic = std::get_if<GeodesicForest>(&model)) {
      return TrainedGeodesicForest(std::move(*geodesic));
    }
    return TrainedHorospheres(std::get<HorosphereClassifier>(std::move(model)));
  });
}

/// Present classes, groups of classes, linkage, radii of the ancestors.
std::tuple<std::vector<std::uint32_t>, std::vector<std::vector<std::uint32_t>>, OutputMatrix,
           OutputVector<double>>
bind_hyperclasses(const Manifold& manifold, const GivenPoints& given, const InputClasses& y,
                  std::size_t n_classes, const std::optional<InputVector>& weights, Jobs jobs) {
  Hyperclasses found = compute(jobs, [&] {
    require_one_hyperbolic_factor(manifold);
    require(manifold, points(given));
    std::vector<std::uint32_t> rows(y.shape(0));
    for (std::uint32_t row = 0; row < rows.size(); ++row) {
      rows[row] = row;
    }
    return hyperclasses(PolarPoints(manifold, points(given)), rows, view(y), view(weights),
                        n_classes);
  });
  return {std::move(found.classes), std::move(found.merged), to_numpy(std::move(found.linkage)),
          to_numpy(std::move(found.ancestor_radii))};
}

void bind_options(nb::module_& module) {
  using Options = HorosphereTrainingOptions;
  nb::class_<Options>(module, "HorosphereOptions")
      .def("__init__",
           [](Options* self, std::string_view signature, std::string_view coordinates,
              std::string_view off_manifold) {
             new (self) Options(training_options(signature, coordinates, off_manifold));
           })
      .def_prop_rw(
          "cost", [](const Options& self) { return self.svm.cost; },
          [](Options& self, double value) { self.svm.cost = value; })
      .def_prop_rw(
          "loss",
          [](const Options& self) {
            return std::string(self.svm.loss == MarginLoss::hinge ? "hinge" : "squared_hinge");
          },
          [](Options& self, std::string_view name) { self.svm.loss = parse_margin_loss(name); })
      .def_prop_rw(
          "balance", [](const Options& self) { return self.svm.balance; },
          [](Options& self, double value) { self.svm.balance = value; })
      .def_prop_rw(
          "n_restarts", [](const Options& self) { return self.svm.n_restarts; },
          [](Options& self, std::size_t value) { self.svm.n_restarts = value; })
      .def_prop_rw(
          "max_iterations", [](const Options& self) { return self.svm.max_iterations; },
          [](Options& self, std::size_t value) { self.svm.max_iterations = value; })
      .def_prop_rw(
          "tolerance", [](const Options& self) { return self.svm.tolerance; },
          [](Options& self, double value) { self.svm.tolerance = value; })
      .def_rw("class_weights", &Options::class_weights)
      .def_rw("balance_classes", &Options::balance_classes)
      .def_rw("probability", &Options::probability)
      .def_rw("seed", &Options::seed)
      .def_rw("estimator", &Options::estimator)
      .def_rw("feature_names", &Options::feature_names)
      .def_rw("parameters", &Options::parameters);
}

void bind_facts(nb::class_<TrainedHorospheres>& bound) {
  using Self = TrainedHorospheres;
  bound.def_prop_ro("estimator", [](const Self& self) { return self.classifier->estimator; })
      .def_prop_ro("signature",
                   [](const Self& self) { return self.classifier->manifold.signature().text(); })
      .def_prop_ro("radius",
                   [](const Self& self) {
                     return self.classifier->manifold.signature().factors().front().radius();
                   })
      .def_prop_ro("coordinates",
                   [](const Self& self) {
                     return std::string(name(self.classifier->manifold.coordinates()));
                   })
      .def_prop_ro("off_manifold",
                   [](const Self& self) {
                     return std::string(
                         self.classifier->off_manifold == OffManifold::error ? "error" : "project");
                   })
      .def_prop_ro("n_features",
                   [](const Self& self) { return self.classifier->manifold.n_columns(); })
      .def_prop_ro("classes", [](const Self& self) { return self.classifier->classes; })
      .def_prop_ro("feature_names", [](const Self& self) { return self.classifier->feature_names; })
      .def_prop_ro("parameters", [](const Self& self) { return self.classifier->parameters; })
      .def_prop_ro("has_probabilities",
                   [](const Self& self) { return self.classifier->sigmoids.n_rows() > 0; })
      .def("ideal_points",
           [](const Self& self) { return to_numpy(Matrix(self.classifier->ideal_points)); })
      .def("slopes", [](const Self& self) { return to_numpy(self.classifier->slopes); })
      .def("offsets", [](const Self& self) { return to_numpy(self.classifier->offsets); })
      .def("n_iterations", [](const Self& self) {
        const std::vector<std::uint64_t>& counts = self.classifier->n_iterations;
        return to_numpy(std::vector<std::int64_t>(counts.begin(), counts.end()));
      });
}

}  // namespace

void bind_linear(nb::module_& module) {
  bind_options(module);
  nb::class_<TrainedHorospheres> bound(module, "Horospheres");
  bind_facts(bound);
  bound.def("scores", &values<scores>, "points"_a, "n_jobs"_a.none())
      .def("probabilities", &values<probabilities>, "points"_a, "n_jobs"_a.none())
      .def("winners", &winners_of, "points"_a, "n_jobs"_a.none())
      .def("to_bytes", &bytes_of)
      .def(
          "save",
          [](const TrainedHorospheres& self, const nb::bytes& path) {
            const std::string name = text_of(path);
            compute([&] { save(*self.classifier, name); });
          },
          "path"_a)
      .def("__getstate__", &bytes_of)
      .def("__setstate__",
           [](TrainedHorospheres& self, const nb::bytes& state) {
             const std::string_view bytes(state.c_str(), state.size());
             compute([&] { new (&self) TrainedHorospheres(horospheres_from(bytes, "pickle")); });
           })
      .def("__deepcopy__", [](const nb::object& self, nb::handle) { return self; });
  module.def("train_horospheres", &train, "points"_a, nb::arg("y").noconvert(), "classes"_a,
             nb::arg("weights").noconvert().none(), "options"_a, "n_jobs"_a.none());
  module.def("hyperclasses", &bind_hyperclasses, "manifold"_a, "points"_a, nb::arg("y").noconvert(),
             "n_classes"_a, nb::arg("weights").noconvert().none(), "n_jobs"_a.none());
  module.def(
      "platt_sigmoid",
      [](const InputVector& scores, const InputVector& signs,
         const std::optional<InputVector>& weights) {
        const Sigmoid found = platt_sigmoid(view(scores), view(signs), view(weights));
        return std::tuple(found.slope, found.offset);
      },
      nb::arg("scores").noconvert(), nb::arg("signs").noconvert(),
      nb::arg("weights").noconvert().none());
  module.def("load_model", &load_any, "path"_a);
}

}  // namespace bentwood::python
