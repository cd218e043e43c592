#include "bentwood/geometry/kernels/kernels.hpp"

// The formulas are compiled for three instruction sets (baseline, AVX2, AVX-512 on x86-64); the best one
// is chosen when the program runs. highway's foreach_target.h includes this file once for each.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "bentwood/geometry/kernels/kernels.cpp"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
#include <hwy/highway.h>

#include "bentwood/geometry/kernels/euclidean-inl.hpp"
#include "bentwood/geometry/kernels/hyperbolic_charts-inl.hpp"
#include "bentwood/geometry/kernels/layout-inl.hpp"
#include "bentwood/geometry/kernels/spherical_charts-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace bentwood::kernels::HWY_NAMESPACE {

constexpr Coordinates ambient = Coordinates::ambient;
constexpr Coordinates poincare = Coordinates::poincare;
constexpr Coordinates klein = Coordinates::klein;
constexpr Coordinates tangent = Coordinates::tangent;

const FactorKernels& hyperbolic_table() {
  using namespace hyperbolic;
  static constexpr FactorKernels table{
      .from = {from<ambient>, from<poincare>, from<klein>, from<tangent>},
      .to = {to<ambient>, to<poincare>, to<klein>, to<tangent>},
      .project = {project<ambient>, project<poincare>, project<klein>, project<tangent>},
      .vector_from = {vector_from<ambient>, vector_from<poincare>, vector_from<klein>,
                      vector_from<tangent>},
      .vector_to = {vector_to<ambient>, vector_to<poincare>, vector_to<klein>, vector_to<tangent>},
      .vector_residual = vector_residual,
      .distance = distance,
      .radius = radius,
      .exp = exp_map,
      .log = log_map,
      .frame = frame,
      .transport = transport,
      .geodesic = geodesic,
      .midpoint = midpoint,
      .ancestor = ancestor,
      .busemann = busemann,
      .natural = natural,
      .inner = inner,
      .prepare = prepare,
      .distance_from = distance_from,
  };
  return table;
}

const FactorKernels& spherical_table() {
  using namespace spherical;
  static constexpr FactorKernels table{
      .from = {from<ambient>, from<poincare>, from<klein>, from<tangent>},
      .to = {to<ambient>, to<poincare>, to<klein>, to<tangent>},
      .project = {project<ambient>, project<poincare>, project<klein>, project<tangent>},
      .vector_from = {vector_from<ambient>, vector_from<poincare>, vector_from<klein>,
                      vector_from<tangent>},
      .vector_to = {vector_to<ambient>, vector_to<poincare>, vector_to<klein>, vector_to<tangent>},
      .vector_residual = vector_residual,
      .distance = distance,
      .radius = radius,
      .exp = exp_map,
      .log = log_map,
      .frame = nullptr,
      .transport = transport,
      .geodesic = geodesic,
      .midpoint = midpoint,
      .ancestor = ancestor,
      .busemann = nullptr,  // a sphere has no points at infinity
      .natural = natural,
      .inner = inner,
      .prepare = copy_canonical,
      .distance_from = distance_from,
  };
  return table;
}

const FactorKernels& euclidean_table() {
  using namespace euclidean;
  static constexpr FactorKernels table{
      .from = {from, from, from, from},
      .to = {copy_points, copy_points, copy_points, copy_points},
      .project = {copy_points, copy_points, copy_points, copy_points},
      .vector_from = {copy_vectors, copy_vectors, copy_vectors, copy_vectors},
      .vector_to = {copy_vectors, copy_vectors, copy_vectors, copy_vectors},
      .vector_residual = vector_residual,
      .distance = distance,
      .radius = radius,
      .exp = exp_map,
      .log = log_map,
      .frame = nullptr,
      .transport = copy_vectors,
      .geodesic = geodesic,
      .midpoint = midpoint,
      .ancestor = ancestor,
      .busemann = busemann,
      .natural = copy_points,
      .inner = inner,
      .prepare = copy_points,
      .distance_from = distance_from,
  };
  return table;
}

const LayoutKernels& layout_table() {
  using namespace layout;
  static constexpr LayoutKernels table{gather, scatter, stream, all_at_most, all_finite};
  return table;
}

}  // namespace bentwood::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace bentwood::kernels {

HWY_EXPORT(hyperbolic_table);
HWY_EXPORT(spherical_table);
HWY_EXPORT(euclidean_table);
HWY_EXPORT(layout_table);

const FactorKernels& factor_kernels(Geometry geometry) {
  switch (geometry) {
    case Geometry::hyperbolic:
      return HWY_DYNAMIC_DISPATCH(hyperbolic_table)();
    case Geometry::spherical:
      return HWY_DYNAMIC_DISPATCH(spherical_table)();
    case Geometry::euclidean:
      break;
  }
  return HWY_DYNAMIC_DISPATCH(euclidean_table)();
}

const LayoutKernels& layout_kernels() { return HWY_DYNAMIC_DISPATCH(layout_table)(); }

}  // namespace bentwood::kernels
#endif
