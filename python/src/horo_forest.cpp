#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <string_view>
#include <tuple>
#include <utility>

#include "bentwood/grow/grow_options.hpp"
#include "bentwood/model/forest_horospheres.hpp"
#include "python/src/arrays.hpp"
#include "python/src/bindings.hpp"
#include "python/src/runtime.hpp"
#include "python/src/trained_forest.hpp"

namespace bentwood::python {
namespace {

using nb::literals::operator""_a;

/// One entry a horosphere: tree, node, ideal point, level, importance.
using OutputHorospheres = std::tuple<OutputVector<std::int64_t>, OutputVector<std::int64_t>,
                                     OutputMatrix, OutputVector<double>, OutputVector<double>>;

OutputHorospheres horospheres(const TrainedForest& forest, std::size_t factor) {
  ForestHorospheres found = compute([&] { return forest_horospheres(*forest.forest, factor); });
  return {to_numpy(std::move(found.trees)), to_numpy(std::move(found.nodes)),
          to_numpy(std::move(found.ideal_points)), to_numpy(std::move(found.levels)),
          to_numpy(std::move(found.importances))};
}

/// The factors, by their places in the signature, whose horospheres a forest may cut.
std::vector<std::size_t> horosphere_factors(const TrainedForest& forest) {
  std::vector<std::size_t> result;
  for (const PolarPlace& place : forest.forest->columns.polar_places()) {
    result.push_back(place.factor);
  }
  return result;
}

void set_horospheres(GrowOptions& options, std::string_view ideal_points,
                     std::string_view threshold, bool hyperclasses, double balance,
                     std::size_t n_candidates) {
  options.horospheres = {.places = {},
                         .ideal_points = parse_ideal_points(ideal_points),
                         .threshold = parse_horosphere_threshold(threshold),
                         .hyperclasses = hyperclasses,
                         .balance = balance,
                         .n_candidates = n_candidates};
}

}  // namespace

void bind_horo_forest(nb::module_& module) {
  module.def("horospheres", &horospheres, "forest"_a, "factor"_a);
  module.def("horosphere_factors", &horosphere_factors, "forest"_a);
  module.def("set_horospheres", &set_horospheres, "options"_a, "ideal_points"_a, "threshold"_a,
             "hyperclasses"_a, "balance"_a, "n_candidates"_a);
}

}  // namespace bentwood::python
