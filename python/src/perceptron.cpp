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

#include "bentwood/linear/perceptron_training.hpp"
#include "python/src/arrays.hpp"
#include "python/src/bindings.hpp"
#include "python/src/points.hpp"
#include "python/src/runtime.hpp"
#include "python/src/trained_linear.hpp"

namespace bentwood::python {
namespace {

using nb::literals::operator""_a;
using Jobs = std::optional<int>;
using Options = PerceptronTrainingOptions;
using InputClasses = nb::ndarray<const std::uint32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

/// Model; boundaries that still made mistakes; projected rows, the largest relative residual, the warning about precision.
using Outcome = std::tuple<TrainedLinear, std::size_t, std::size_t, double, std::string>;

template <class Training>
Outcome outcome_of(const GivenPoints& given, const Options& options, Jobs jobs,
                   const Training& training) {
  std::string warning;
  PerceptronTraining result = compute(jobs, [&] {
    warning = require(options.manifold, points(given), options.off_manifold);
    return training();
  });
  return {TrainedLinear(std::move(result.classifier)), result.n_stopped, result.n_projected,
          result.largest_residual, std::move(warning)};
}

Outcome train(const GivenPoints& given, const InputClasses& y, const Labels& classes,
              const Options& options, Jobs jobs) {
  return outcome_of(given, options, jobs, [&] {
    return train_perceptron(points(given), {y.data(), y.shape(0)}, classes, options);
  });
}

Outcome learn(const TrainedLinear* before, const GivenPoints& given, const InputClasses& y,
              const Labels& classes, const Options& options, Jobs jobs) {
  return outcome_of(given, options, jobs, [&] {
    return learn_batch(before != nullptr ? before->classifier.get() : nullptr, points(given),
                       {y.data(), y.shape(0)}, classes, options);
  });
}

}  // namespace

void bind_perceptron(nb::module_& module) {
  nb::class_<Options>(module, "PerceptronOptions")
      .def("__init__",
           [](Options* self, std::string_view signature, std::string_view coordinates,
              std::string_view off_manifold) {
             new (self) Options{.manifold = Manifold(signature, parse_coordinates(coordinates)),
                                .off_manifold = parse_off_manifold(off_manifold)};
           })
      .def(
          "set_reference",
          [](Options& self, std::string_view name) { self.reference = parse_reference_kind(name); })
      .def("set_references",
           [](Options& self, const GivenPoints& given) {
             self.references = own_points(self.manifold, given, "reference");
             self.reference = ReferenceKind::given;
           })
      .def("set_second_order",
           [](Options& self, double regularization) { self.kind = {true, regularization}; })
      .def_rw("average", &Options::average)
      .def_rw("shuffle", &Options::shuffle)
      .def_rw("max_passes", &Options::max_passes)
      .def_rw("max_updates", &Options::max_updates)
      .def_rw("seed", &Options::seed)
      .def_rw("estimator", &Options::estimator)
      .def_rw("feature_names", &Options::feature_names)
      .def_rw("parameters", &Options::parameters);
  module.def("train_perceptron", &train, "points"_a, nb::arg("y").noconvert(), "classes"_a,
             "options"_a, "n_jobs"_a.none());
  module.def("learn_batch", &learn, "before"_a.none(), "points"_a, nb::arg("y").noconvert(),
             "classes"_a, "options"_a, "n_jobs"_a.none());
}

}  // namespace bentwood::python
