#include <nanobind/nanobind.h>

#include "python/src/bindings.hpp"
#include "python/src/runtime.hpp"

NB_MODULE(_core, module) {  // NOLINT(performance-unnecessary-value-param): the macro's choice
  module.doc() = "The compiled half of bentwood; use the modules of the package instead.";
  module.attr("version") = BENTWOOD_VERSION;
  // Daemon threads that the end of Python cuts short leave objects behind, which is no fault of the program.
  nanobind::set_leak_warnings(false);
  bentwood::python::translate_exceptions();
  bentwood::python::bind_geometry(module);
  bentwood::python::bind_io(module);
  bentwood::python::bind_datasets(module);
  bentwood::python::bind_forest(module);
  bentwood::python::bind_training(module);
  bentwood::python::bind_horo_forest(module);
  bentwood::python::bind_geodesic(module);
  bentwood::python::bind_poincare(module);
  bentwood::python::bind_perceptron(module);
  bentwood::python::bind_linear(module);
  bentwood::python::bind_draw(module);
  bentwood::python::bind_metrics(module);
}
