#include <cstddef>

#include "bentwood/linear/polar_points.hpp"

// As in geometry/kernels/kernels.cpp: compiled for three instruction sets.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "bentwood/linear/levels.cpp"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
#include <hwy/highway.h>

#include "bentwood/geometry/kernels/pack-inl.hpp"

#ifndef BENTWOOD_LINEAR_LEVELS_CPP
#define BENTWOOD_LINEAR_LEVELS_CPP
namespace bentwood::linear_kernels {
using Levels = void (*)(const PolarPoints& points, const double* ideal, double* level,
                        double* pull);
}  // namespace bentwood::linear_kernels
#endif

HWY_BEFORE_NAMESPACE();
namespace bentwood::linear_kernels::HWY_NAMESPACE {
namespace packs = bentwood::kernels::HWY_NAMESPACE;
namespace hn = hwy::HWY_NAMESPACE;

void levels(const PolarPoints& points, const double* ideal, double* level, double* pull) {
  const packs::Tag tag;
  const std::size_t lanes = hn::Lanes(tag);
  for (std::size_t row = 0; row < points.stride(); row += lanes) {
    packs::Pack squared = packs::all(0);
    for (std::size_t axis = 0; axis < points.dim(); ++axis) {
      squared = squared + packs::square(packs::all(ideal[axis]) -
                                        hn::LoadU(tag, points.direction(axis) + row));
    }
    const packs::Pack stretch = hn::LoadU(tag, points.stretch() + row);
    const packs::Pack grown = stretch * squared;
    hn::StoreU(packs::log1p(grown) - hn::LoadU(tag, points.radius() + row), tag, level + row);
    hn::StoreU((stretch + stretch) / (packs::all(1) + grown), tag, pull + row);
  }
}

Levels best_levels() { return levels; }

}  // namespace bentwood::linear_kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <cassert>

namespace bentwood {
namespace linear_kernels {

HWY_EXPORT(best_levels);

Levels chosen() {
  static const Levels levels = HWY_DYNAMIC_DISPATCH(best_levels)();
  return levels;
}

}  // namespace linear_kernels

void busemann_levels(const PolarPoints& points, std::span<const double> ideal,
                     std::span<double> levels, std::span<double> pulls) {
  assert(ideal.size() == points.dim());
  assert(levels.size() >= points.stride() && pulls.size() >= points.stride());
  linear_kernels::chosen()(points, ideal.data(), levels.data(), pulls.data());
}

}  // namespace bentwood
#endif
