#pragma once

#include <nanobind/stl/string.h>

#include <cstddef>

#include "bentwood/model/describe.hpp"
#include "python/src/bindings.hpp"
#include "python/src/runtime.hpp"

namespace bentwood::python {

/// The trees of a model as text; forest_of(model) is the forest that has them.
template <class Bound, class ForestOf>
void bind_tree_texts(nb::class_<Bound>& bound, ForestOf forest_of) {
  using nb::literals::operator""_a;
  bound
      .def(
          "text",
          [forest_of](const Bound& self, std::size_t tree, const TreeTextOptions& options) {
            return compute([&] { return tree_text(forest_of(self), tree, options); });
          },
          "tree"_a, "options"_a)
      .def(
          "graphviz",
          [forest_of](const Bound& self, std::size_t tree, const TreeTextOptions& options) {
            return compute([&] { return tree_graphviz(forest_of(self), tree, options); });
          },
          "tree"_a, "options"_a);
}

}  // namespace bentwood::python
