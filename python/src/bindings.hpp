#pragma once

#include <nanobind/nanobind.h>

/// What module.cpp is made of: one function a folder of the library, each in the source file of the
/// folder's name.
namespace bentwood::python {

void bind_geometry(nanobind::module_& module);
void bind_io(nanobind::module_& module);
void bind_datasets(nanobind::module_& module);
void bind_draw(nanobind::module_& module);
void bind_forest(nanobind::module_& module);
void bind_geodesic(nanobind::module_& module);
void bind_horo_forest(nanobind::module_& module);
void bind_training(nanobind::module_& module);
void bind_linear(nanobind::module_& module);
void bind_poincare(nanobind::module_& module);
void bind_perceptron(nanobind::module_& module);
void bind_metrics(nanobind::module_& module);

}  // namespace bentwood::python
