#include "bentwood/linear/hyperbolic_features.hpp"

// As in geometry/kernels/kernels.cpp: compiled for three instruction sets.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "bentwood/linear/hyperbolic_features.cpp"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
#include <hwy/highway.h>

#include "bentwood/geometry/kernels/pack-inl.hpp"

#ifndef BENTWOOD_LINEAR_HYPERBOLIC_FEATURES_CPP
#define BENTWOOD_LINEAR_HYPERBOLIC_FEATURES_CPP
namespace bentwood::linear_kernels {
using Features = void (*)(const Recentre& reference, bool weighted, const double* points,
                          double* features);
}  // namespace bentwood::linear_kernels
#endif

HWY_BEFORE_NAMESPACE();
namespace bentwood::linear_kernels::HWY_NAMESPACE {
namespace packs = bentwood::kernels::HWY_NAMESPACE;
using packs::all;
using packs::Pack;

/// The formula of Recentre, and the length of the logarithm; `n` may be a constant.
template <class Dim>
HWY_INLINE void pack_features(const Recentre& reference, bool weighted, Dim n,
                              const packs::Columns& x, const packs::Output& out,
                              const packs::Columns& written) {
  const packs::Broadcast p(reference.centre().data());
  const double radius = reference.radius();
  const double first = reference.centre()[0];
  Pack along = all(0);
  Pack rise = all(0);
  for (std::size_t axis = 1; axis <= n; ++axis) {
    const Pack difference = x[axis] - p[axis];
    along = along + p[axis] * difference;
    rise = rise + (x[axis] + p[axis]) * difference;
  }
  const Pack share = (along / all(radius + first) - rise / (x[0] + p[0])) / all(radius);
  for (std::size_t axis = 1; axis <= n; ++axis) {
    out.set(axis - 1, (x[axis] - p[axis]) + share * p[axis]);
  }
  if (!weighted) {
    const Pack size = packs::norm(written, n) / all(radius);
    const Pack scale = packs::asinhc(size) / all(1 + first / radius);
    for (std::size_t axis = 0; axis < n; ++axis) {
      out.set(axis, written[axis] * scale);
    }
  }
}

void features(const Recentre& reference, bool weighted, const double* points, double* out) {
  kernels::Block block{.dim = reference.centre().size() - 1};
  packs::with_small_dim(block.dim, [&](auto n) HWY_ATTR {
    packs::for_each_pack(block, [&](std::size_t row) HWY_ATTR {
      pack_features(reference, weighted, n, packs::Columns(points, row), packs::Output(out, row),
                    packs::Columns(out, row));
    });
  });
}

Features best_features() { return features; }

}  // namespace bentwood::linear_kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace bentwood {
namespace linear_kernels {

HWY_EXPORT(best_features);

// Dispatched where it is exported: with one target alone the name is looked up here.
const Features features = HWY_DYNAMIC_DISPATCH(best_features)();

}  // namespace linear_kernels

void hyperbolic_features(const Recentre& reference, bool weighted, const double* points,
                         double* features) {
  linear_kernels::features(reference, weighted, points, features);
}

}  // namespace bentwood
#endif
