#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <string>
#include <string_view>
#include <tuple>

#include "bentwood/geometry/manifold.hpp"
#include "python/src/arrays.hpp"
#include "python/src/bindings.hpp"
#include "python/src/points.hpp"
#include "python/src/runtime.hpp"

namespace bentwood::python {
namespace {

using nb::literals::operator""_a;
using Jobs = std::optional<int>;

std::tuple<OutputMatrix, std::size_t, double> project(const Manifold& manifold,
                                                      const GivenPoints& given, Jobs jobs) {
  Manifold::Projection projection = compute(jobs, [&] { return manifold.project(points(given)); });
  return {to_numpy(std::move(projection.points)), projection.n_projected,
          projection.largest_residual};
}

OutputMatrix pairwise(const Manifold& manifold, const GivenPoints& x, std::optional<GivenPoints> y,
                      Jobs jobs) {
  return to_numpy(compute(
      jobs, [&] { return manifold.pairwise_distance(points(x), y ? points(*y) : points(x)); }));
}

OutputMatrix mean(const Manifold& manifold, const GivenPoints& given,
                  std::optional<InputVector> weights, bool frechet, Jobs jobs) {
  return to_numpy(compute(jobs, [&] {
    return manifold.mean(points(given), weights ? view(*weights) : std::span<const double>(),
                         frechet ? MeanKind::frechet : MeanKind::einstein);
  }));
}

/// A binding of a method of two sets of points.
template <Matrix (Manifold::*method)(Points, Points) const>
OutputMatrix of_pairs(const Manifold& manifold, const GivenPoints& x, const GivenPoints& y,
                      Jobs jobs) {
  return to_numpy(compute(jobs, [&] { return (manifold.*method)(points(x), points(y)); }));
}

}  // namespace

void bind_geometry(nb::module_& module) {
  nb::class_<Manifold>(module, "Manifold")
      .def("__init__",
           [](Manifold* self, std::string_view signature, std::string_view coordinates) {
             new (self) Manifold(signature, parse_coordinates(coordinates));
           })
      .def_prop_ro("signature", [](const Manifold& self) { return self.signature().text(); })
      .def_prop_ro("coordinates",
                   [](const Manifold& self) { return std::string(name(self.coordinates())); })
      .def_prop_ro("dim", &Manifold::dim)
      .def_prop_ro("ambient_dim", &Manifold::ambient_dim)
      .def_prop_ro("n_columns", &Manifold::n_columns)
      .def_prop_ro("natural_names", &Manifold::natural_names)
      .def("convert",
           [](const Manifold& self, const GivenPoints& given, std::string_view source,
              std::string_view target, Jobs jobs) {
             return to_numpy(compute(jobs, [&] {
               return self.convert(points(given), parse_coordinates(source),
                                   parse_coordinates(target));
             }));
           })
      .def("contains",
           [](const Manifold& self, const GivenPoints& given, Jobs jobs) {
             return to_numpy(compute(jobs, [&] { return self.contains(points(given)); }));
           })
      .def("require",
           [](const Manifold& self, const GivenPoints& given, Jobs jobs) {
             return compute(jobs, [&] { return require(self, points(given)); });
           })
      .def("project", &project)
      .def("distance",
           [](const Manifold& self, const GivenPoints& x, const GivenPoints& y, Jobs jobs) {
             return to_numpy(compute(jobs, [&] { return self.distance(points(x), points(y)); }));
           })
      .def("pairwise_distance", &pairwise, "x"_a, "y"_a.none(), "n_jobs"_a.none())
      .def("radii",
           [](const Manifold& self, const GivenPoints& given, Jobs jobs) {
             return to_numpy(compute(jobs, [&] { return self.radii(points(given)); }));
           })
      .def("exp",
           [](const Manifold& self, const GivenPoints& given, const InputMatrix& vectors,
              Jobs jobs) {
             return to_numpy(compute(jobs, [&] { return self.exp(points(given), view(vectors)); }));
           })
      .def("log", &of_pairs<&Manifold::log>)
      .def("midpoint", &of_pairs<&Manifold::midpoint>)
      .def("lowest_common_ancestor", &of_pairs<&Manifold::lowest_common_ancestor>)
      .def("transport",
           [](const Manifold& self, const GivenPoints& x, const GivenPoints& y,
              const InputMatrix& vectors, Jobs jobs) {
             return to_numpy(compute(
                 jobs, [&] { return self.transport(points(x), points(y), view(vectors)); }));
           })
      .def("geodesic",
           [](const Manifold& self, const GivenPoints& x, const GivenPoints& y,
              const InputVector& times, Jobs jobs) {
             return to_numpy(
                 compute(jobs, [&] { return self.geodesic(points(x), points(y), view(times)); }));
           })
      .def("inner",
           [](const Manifold& self, const GivenPoints& given, const InputMatrix& u,
              const InputMatrix& v, Jobs jobs) {
             return to_numpy(
                 compute(jobs, [&] { return self.inner(points(given), view(u), view(v)); }));
           })
      .def("mean", &mean, "x"_a, "weights"_a.none(), "frechet"_a, "n_jobs"_a.none())
      .def("busemann",
           [](const Manifold& self, const GivenPoints& given, const InputVector& ideal, Jobs jobs) {
             return to_numpy(
                 compute(jobs, [&] { return self.busemann(points(given), view(ideal)); }));
           })
      .def(
          "natural_coordinates",
          [](const Manifold& self, const GivenPoints& given, Jobs jobs) {
            return to_numpy(compute(jobs, [&] { return self.natural_coordinates(points(given)); }));
          })
      .def("random", [](const Manifold& self, std::size_t n_rows, double scale, std::uint64_t seed,
                        Jobs jobs) {
        return to_numpy(compute(jobs, [&] { return self.random(n_rows, scale, seed); }));
      });
}

}  // namespace bentwood::python
