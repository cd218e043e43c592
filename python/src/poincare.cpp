#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "bentwood/geometry/hull.hpp"
#include "bentwood/linear/features.hpp"
#include "bentwood/linear/linear_training.hpp"
#include "bentwood/model/model.hpp"
#include "python/src/arrays.hpp"
#include "python/src/bindings.hpp"
#include "python/src/points.hpp"
#include "python/src/runtime.hpp"
#include "python/src/trained_linear.hpp"

namespace bentwood::python {
namespace {

using nb::literals::operator""_a;
using Jobs = std::optional<int>;
using Options = LinearTrainingOptions;
using InputClasses = nb::ndarray<const std::uint32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

/// Model; boundaries whose training was stopped, and all objectives; projected rows, the largest relative residual, the warning about precision.
using Outcome = std::tuple<TrainedLinear, std::tuple<std::size_t, std::vector<double>>, std::size_t,
                           double, std::string>;

Outcome train(const GivenPoints& given, const InputClasses& y, const Labels& classes,
              const std::optional<InputVector>& weights, const Options& options, Jobs jobs) {
  std::string warning;
  LinearTraining result = compute(jobs, [&] {
    warning = require(options.manifold, points(given), options.off_manifold);
    return train_linear(points(given), {y.data(), y.shape(0)},
                        weights ? view(*weights) : std::span<const double>(), classes, options);
  });
  return {TrainedLinear(std::move(result.classifier)),
          std::tuple(result.n_stopped, std::move(result.objectives)), result.n_projected,
          result.largest_residual, std::move(warning)};
}

using Values = std::tuple<OutputMatrix, std::size_t, double>;

template <LinearValues (*function)(const LinearClassifier&, Points)>
Values values(const TrainedLinear& self, const GivenPoints& given, Jobs jobs) {
  LinearValues result = compute(jobs, [&] {
    require(self.classifier->manifold, points(given), self.classifier->off_manifold);
    return function(*self.classifier, points(given));
  });
  return {to_numpy(std::move(result.values)), result.n_projected, result.largest_residual};
}

std::tuple<OutputVector<std::int64_t>, std::size_t, double> winners_of(const TrainedLinear& self,
                                                                       const GivenPoints& given,
                                                                       Jobs jobs) {
  std::vector<std::int64_t> found;
  const LinearValues result = compute(jobs, [&] {
    require(self.classifier->manifold, points(given), self.classifier->off_manifold);
    LinearValues told = scores(*self.classifier, points(given));
    found = winners(*self.classifier, told.values);
    return told;
  });
  return {to_numpy(std::move(found)), result.n_projected, result.largest_residual};
}

nb::bytes bytes_of(const TrainedLinear& self) {
  const std::string bytes = compute([&] { return to_bytes(*self.classifier); });
  return nb::bytes(bytes.data(), bytes.size());
}

LinearClassifier linear_from(std::string_view bytes) {
  Model model = model_from_bytes(bytes, "pickle");
  if (auto* const found = std::get_if<LinearClassifier>(&model)) {
    return std::move(*found);
  }
  throw FormatError("pickle: holds " + std::string(kind_text(model)) +
                    ", expected a linear classifier");
}

/// The reference points in the manifold's coordinates.
OutputMatrix references_of(const TrainedLinear& self) {
  const LinearClassifier& classifier = *self.classifier;
  return to_numpy(compute([&] {
    return classifier.space == FeatureSpace::lorentz
               ? Matrix(0, classifier.manifold.n_columns())
               : classifier.manifold.convert(classifier.references, Coordinates::ambient,
                                             classifier.manifold.coordinates());
  }));
}

void bind_options(nb::module_& module) {
  nb::class_<Options>(module, "LinearOptions")
      .def("__init__",
           [](Options* self, std::string_view signature, std::string_view coordinates,
              std::string_view off_manifold) {
             new (self) Options{.manifold = Manifold(signature, parse_coordinates(coordinates)),
                                .off_manifold = parse_off_manifold(off_manifold)};
           })
      .def("set_space",
           [](Options& self, std::string_view name) { self.space = parse_feature_space(name); })
      .def("set_loss",
           [](Options& self, std::string_view name) { self.svm.loss = parse_margin_loss(name); })
      .def("set_platt",
           [](Options& self, std::string_view name) { self.platt = parse_platt_kind(name); })
      .def(
          "set_reference",
          [](Options& self, std::string_view name) { self.reference = parse_reference_kind(name); })
      .def("set_references",
           [](Options& self, const GivenPoints& given) {
             self.references = own_points(self.manifold, given, "reference");
             self.reference = ReferenceKind::given;
           })
      .def_prop_rw(
          "max_iterations", [](const Options& self) { return self.svm.max_iterations; },
          [](Options& self, std::size_t value) { self.svm.max_iterations = value; })
      .def_prop_rw(
          "tolerance", [](const Options& self) { return self.svm.tolerance; },
          [](Options& self, double value) { self.svm.tolerance = value; })
      .def_prop_rw(
          "seed", [](const Options& self) { return self.seed; },
          [](Options& self, std::uint64_t value) {
            self.seed = value;
            self.svm.seed = value;
          })
      .def_rw("cost", &Options::cost)
      .def_rw("fit_intercept", &Options::fit_intercept)
      .def_rw("balance_classes", &Options::balance_classes)
      .def_rw("estimator", &Options::estimator)
      .def_rw("feature_names", &Options::feature_names)
      .def_rw("parameters", &Options::parameters);
}

void bind_facts(nb::class_<TrainedLinear>& bound) {
  using Self = TrainedLinear;
  bound.def_prop_ro("estimator", [](const Self& self) { return self.classifier->estimator; })
      .def_prop_ro("signature",
                   [](const Self& self) { return self.classifier->manifold.signature().text(); })
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
      .def("references", &references_of)
      .def("coefficients",
           [](const Self& self) { return to_numpy(Matrix(self.classifier->coefficients)); })
      .def("sigmoids", [](const Self& self) { return to_numpy(Matrix(self.classifier->sigmoids)); })
      .def("intercepts", [](const Self& self) { return to_numpy(self.classifier->intercepts); })
      .def("n_iterations",
           [](const Self& self) {
             const std::vector<std::uint64_t>& counts = self.classifier->n_iterations;
             return to_numpy(std::vector<std::int64_t>(counts.begin(), counts.end()));
           })
      .def("support", [](const Self& self) {
        const std::vector<std::uint64_t>& rows = self.classifier->support;
        return to_numpy(std::vector<std::int64_t>(rows.begin(), rows.end()));
      });
}

OutputVector<std::int64_t> hull_of(const Manifold& manifold, const GivenPoints& given, Jobs jobs) {
  const std::vector<std::size_t> found = compute(jobs, [&] {
    require(manifold, points(given));
    return convex_hull(manifold, points(given));
  });
  return to_numpy(std::vector<std::int64_t>(found.begin(), found.end()));
}

/// The two points, their midpoint, the distance, whether the hulls overlap.
std::tuple<OutputMatrix, OutputMatrix, OutputMatrix, double, bool> pair_of(
    const Manifold& manifold, const GivenPoints& first, const GivenPoints& second, Jobs jobs) {
  NearestPair found = compute(jobs, [&] {
    require(manifold, points(first));
    require(manifold, points(second));
    return nearest_pair(manifold, points(first), points(second));
  });
  return {to_numpy(std::move(found.first)), to_numpy(std::move(found.second)),
          to_numpy(std::move(found.midpoint)), found.distance, found.overlap};
}

/// Features as a linear classifier has them, seen from one point.
OutputMatrix features_of(const Manifold& manifold, const GivenPoints& given, std::string_view space,
                         const GivenPoints& reference, Jobs jobs) {
  return to_numpy(compute(jobs, [&] {
    const auto ambient = [&](const GivenPoints& rows) {
      require(manifold, points(rows));
      return manifold.convert(points(rows), manifold.coordinates(), Coordinates::ambient);
    };
    const Matrix seen_from = ambient(reference);
    return linear_features(manifold, ambient(given), parse_feature_space(space), seen_from.row(0));
  }));
}

}  // namespace

void bind_poincare(nb::module_& module) {
  bind_options(module);
  nb::class_<TrainedLinear> bound(module, "Linear");
  bind_facts(bound);
  bound.def("scores", &values<scores>, "points"_a, "n_jobs"_a.none())
      .def("probabilities", &values<probabilities>, "points"_a, "n_jobs"_a.none())
      .def("winners", &winners_of, "points"_a, "n_jobs"_a.none())
      .def("to_bytes", &bytes_of)
      .def(
          "save",
          [](const TrainedLinear& self, const nb::bytes& path) {
            const std::string name = text_of(path);
            compute([&] { save(*self.classifier, name); });
          },
          "path"_a)
      .def("__getstate__", &bytes_of)
      .def("__setstate__",
           [](TrainedLinear& self, const nb::bytes& state) {
             const std::string_view bytes(state.c_str(), state.size());
             compute([&] { new (&self) TrainedLinear(linear_from(bytes)); });
           })
      .def("__deepcopy__", [](const nb::object& self, nb::handle) { return self; });
  module.def("train_linear", &train, "points"_a, nb::arg("y").noconvert(), "classes"_a,
             nb::arg("weights").noconvert().none(), "options"_a, "n_jobs"_a.none());
  module.def("linear_features", &features_of, "manifold"_a, "points"_a, "space"_a, "reference"_a,
             "n_jobs"_a.none());
  module.def("convex_hull", &hull_of, "manifold"_a, "points"_a, "n_jobs"_a.none());
  module.def("nearest_pair", &pair_of, "manifold"_a, "first"_a, "second"_a, "n_jobs"_a.none());
}

}  // namespace bentwood::python
