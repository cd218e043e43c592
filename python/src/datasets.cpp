#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "bentwood/datasets/karate.hpp"
#include "bentwood/datasets/latent_manifolds.hpp"
#include "bentwood/datasets/mixture.hpp"
#include "bentwood/datasets/separable.hpp"
#include "bentwood/datasets/tree.hpp"
#include "bentwood/datasets/uniform.hpp"
#include "python/src/arrays.hpp"
#include "python/src/bindings.hpp"
#include "python/src/runtime.hpp"

namespace bentwood::python {
namespace {

using nb::literals::operator""_a;
using Jobs = std::optional<int>;
using Labels = OutputVector<std::int64_t>;
using Edges = nb::ndarray<nb::numpy, std::int64_t, nb::shape<-1, 2>, nb::c_contig>;

std::tuple<OutputMatrix, Labels> with_labels(LabelledPoints result) {
  return {to_numpy(std::move(result.points)), to_numpy(std::move(result.labels))};
}

template <class Pair>
Edges edges_array(std::span<const Pair> edges) {
  auto values = std::make_unique<std::vector<std::int64_t>>();
  values->reserve(2 * edges.size());
  for (const auto& [from, to] : edges) {
    values->push_back(static_cast<std::int64_t>(from));
    values->push_back(static_cast<std::int64_t>(to));
  }
  std::int64_t* data = values->data();
  const std::array<std::size_t, 2> shape{edges.size(), 2};
  return Edges(data, 2, shape.data(), owner_of(std::move(values)));
}

std::tuple<OutputMatrix, Labels> mixture(std::size_t n_rows, std::string_view signature,
                                         std::size_t n_classes, double noise,
                                         std::vector<double> class_weights, double label_noise,
                                         std::string_view coordinates, std::uint64_t seed,
                                         Jobs jobs) {
  return with_labels(compute(jobs, [&] {
    return wrapped_normal_mixture({.signature = Signature(signature),
                                   .n_rows = n_rows,
                                   .n_classes = n_classes,
                                   .noise = noise,
                                   .class_weights = std::move(class_weights),
                                   .label_noise = label_noise,
                                   .coordinates = parse_coordinates(coordinates),
                                   .seed = seed});
  }));
}

std::tuple<OutputMatrix, Labels, Edges> tree(const std::vector<std::size_t>& parents,
                                             double edge_length, double curvature,
                                             std::string_view coordinates,
                                             std::size_t label_depth) {
  PlacedTree tree = compute([&] {
    return sarkar_tree(parents, {.edge_length = edge_length,
                                 .curvature = curvature,
                                 .coordinates = parse_coordinates(coordinates),
                                 .label_depth = label_depth});
  });
  return {to_numpy(std::move(tree.points)), to_numpy(std::move(tree.labels)),
          edges_array(std::span<const std::array<std::size_t, 2>>(tree.edges))};
}

OutputMatrix uniform(std::size_t n_rows, std::string_view signature, double radius,
                     std::string_view coordinates, std::uint64_t seed, Jobs jobs) {
  return to_numpy(compute(jobs, [&] {
    return uniform_points({.signature = Signature(signature),
                           .n_rows = n_rows,
                           .radius = radius,
                           .coordinates = parse_coordinates(coordinates),
                           .seed = seed});
  }));
}

std::tuple<OutputMatrix, Labels, OutputMatrix> separable(std::size_t n_rows,
                                                         std::string_view signature, double margin,
                                                         double radius, double offset,
                                                         std::string_view coordinates,
                                                         std::uint64_t seed, Jobs jobs) {
  SeparablePoints result = compute(jobs, [&] {
    return separable_points({.signature = Signature(signature),
                             .n_rows = n_rows,
                             .margin = margin,
                             .radius = radius,
                             .offset = offset,
                             .coordinates = parse_coordinates(coordinates),
                             .seed = seed});
  });
  return {to_numpy(std::move(result.points)), to_numpy(std::move(result.labels)),
          to_numpy(std::move(result.reference))};
}

template <CurvePoints (*manifold)(const LatentOptions&)>
std::tuple<OutputMatrix, OutputVector<double>> curve(std::size_t n_rows, std::size_t n_noise,
                                                     double noise_variance, std::uint64_t seed,
                                                     Jobs jobs) {
  CurvePoints result =
      compute(jobs, [&] { return manifold({n_rows, n_noise, noise_variance, seed}); });
  return {to_numpy(std::move(result.points)), to_numpy(std::move(result.arc_lengths))};
}

OutputMatrix sphere(std::size_t n_rows, std::size_t n_noise, double noise_variance,
                    std::uint64_t seed, Jobs jobs) {
  return to_numpy(
      compute(jobs, [&] { return sphere_manifold({n_rows, n_noise, noise_variance, seed}); }));
}

std::tuple<OutputMatrix, Labels> gaussians(std::size_t n_rows, std::size_t n_noise,
                                           double noise_variance, std::uint64_t seed, Jobs jobs) {
  return with_labels(
      compute(jobs, [&] { return three_gaussians({n_rows, n_noise, noise_variance, seed}); }));
}

std::tuple<Edges, Labels> karate() {
  const auto factions = karate_factions();
  return {edges_array(karate_edges()),
          to_numpy(std::vector<std::int64_t>(factions.begin(), factions.end()))};
}

/// A generator of one of the latent manifolds, all with the same arguments.
template <class Function>
void def_latent(nb::module_& module, const char* name, Function function) {
  module.def(name, function, "n_rows"_a, "n_noise"_a, "noise_variance"_a, "seed"_a, "n_jobs"_a);
}

}  // namespace

void bind_datasets(nb::module_& module) {
  module.def("mixture", mixture, "n_rows"_a, "signature"_a, "n_classes"_a, "noise"_a,
             "class_weights"_a, "label_noise"_a, "coordinates"_a, "seed"_a, "n_jobs"_a);
  module.def("balanced_tree", balanced_tree, "branching"_a, "depth"_a);
  module.def("tree", tree, "parents"_a, "edge_length"_a, "curvature"_a, "coordinates"_a,
             "label_depth"_a);
  module.def("uniform", uniform, "n_rows"_a, "signature"_a, "radius"_a, "coordinates"_a, "seed"_a,
             "n_jobs"_a);
  module.def("separable", separable, "n_rows"_a, "signature"_a, "margin"_a, "radius"_a, "offset"_a,
             "coordinates"_a, "seed"_a, "n_jobs"_a);
  def_latent(module, "linear", curve<linear_manifold>);
  def_latent(module, "helix", curve<helix_manifold>);
  def_latent(module, "sphere", sphere);
  def_latent(module, "three_gaussians", gaussians);
  module.def("karate", karate);
}

}  // namespace bentwood::python
