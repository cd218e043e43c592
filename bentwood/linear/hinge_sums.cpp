#include "bentwood/linear/hinge_sums.hpp"

// As in geometry/kernels/kernels.cpp: compiled for three instruction sets.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "bentwood/linear/hinge_sums.cpp"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
#include <hwy/highway.h>

#include "bentwood/geometry/kernels/pack-inl.hpp"

#ifndef BENTWOOD_LINEAR_HINGE_SUMS_CPP
#define BENTWOOD_LINEAR_HINGE_SUMS_CPP
namespace bentwood::linear_kernels {

/// Row i adds to part i mod n_parts of a sum, and parts are added in order: no instruction set changes a bit.
inline constexpr std::size_t n_parts = PolarPoints::block;
using Parts = std::array<double, n_parts>;

/// With a = 2c and q = a z y where z > 0, else both 0: Σ ½ a z², Σ q, Σ q B, Σ a, Σ a B, Σ a B².
inline constexpr std::size_t n_margin_sums = 6;

/// Besides: Σ q p w·v, then for every tangent Σ q g, Σ a g and Σ a B g, then for every two of them Σ (a m - q) g g'.
constexpr std::size_t n_horosphere_sums(std::size_t dim) {
  const std::size_t n_tangents = dim - 1;
  return n_margin_sums + 1 + 3 * n_tangents + n_tangents * (n_tangents + 1) / 2;
}

struct HorosphereRows {
  const PolarPoints* points;
  const double* signs;
  const double* costs;
  const double* ideal;
  const double* tangents;
  double slope;
  double offset;
};

struct HingeKernels {
  void (*margin)(const MarginRows& rows, double slope, double offset, Parts* sums);
  /// For 2, 3 and 4 dimensions.
  std::array<void (*)(const HorosphereRows& rows, Parts* sums), most_newton_dim - 1> horosphere;
};

}  // namespace bentwood::linear_kernels
#endif

HWY_BEFORE_NAMESPACE();
namespace bentwood::linear_kernels::HWY_NAMESPACE {
namespace packs = bentwood::kernels::HWY_NAMESPACE;
namespace hn = hwy::HWY_NAMESPACE;

/// A row's own part of the margin sums.
struct Hinge {
  HWY_INLINE Hinge(packs::Pack level, packs::Pack sign, packs::Pack cost, double slope,
                   double offset) {
    const packs::Pack shortfall =
        packs::all(1) + sign * (packs::all(slope) * level + packs::all(offset));
    twice_cost = hn::IfThenElseZero(hn::Gt(shortfall, packs::all(0)), cost + cost);
    const packs::Pack pulled = twice_cost * shortfall;
    pull = pulled * sign;
    value = packs::all(0.5) * (pulled * shortfall);
  }

  HWY_INLINE void add_to(packs::Pack level, packs::Pack* sums) const {
    sums[0] = sums[0] + value;
    sums[1] = sums[1] + pull;
    sums[2] = sums[2] + pull * level;
    sums[3] = sums[3] + twice_cost;
    const packs::Pack leveled = twice_cost * level;
    sums[4] = sums[4] + leveled;
    sums[5] = sums[5] + leveled * level;
  }

  packs::Pack value;
  packs::Pack pull;
  packs::Pack twice_cost;
};

template <std::size_t n_sums>
HWY_INLINE void clear(packs::Pack* sums) {
  for (std::size_t sum = 0; sum < n_sums; ++sum) {
    sums[sum] = packs::all(0);
  }
}

template <std::size_t n_sums>
HWY_INLINE void store(const packs::Pack* sums, std::size_t part, Parts* parts) {
  for (std::size_t sum = 0; sum < n_sums; ++sum) {
    hn::StoreU(sums[sum], packs::Tag(), parts[sum].data() + part);
  }
}

void margin(const MarginRows& rows, double slope, double offset, Parts* parts) {
  const packs::Tag tag;
  for (std::size_t part = 0; part < n_parts; part += hn::Lanes(tag)) {
    packs::Pack sums[n_margin_sums];
    clear<n_margin_sums>(sums);
    for (std::size_t row = part; row < rows.levels.size(); row += n_parts) {
      const packs::Pack level = hn::LoadU(tag, rows.levels.data() + row);
      const Hinge hinge(level, hn::LoadU(tag, rows.signs.data() + row),
                        hn::LoadU(tag, rows.costs.data() + row), slope, offset);
      hinge.add_to(level, sums);
    }
    store<n_margin_sums>(sums, part, parts);
  }
}

template <std::size_t dim>
void horosphere(const HorosphereRows& rows, Parts* parts) {
  constexpr std::size_t n_tangents = dim - 1;
  constexpr std::size_t n_sums = n_horosphere_sums(dim);
  const packs::Tag tag;
  const PolarPoints& points = *rows.points;
  for (std::size_t part = 0; part < n_parts; part += hn::Lanes(tag)) {
    packs::Pack sums[n_sums];
    clear<n_sums>(sums);
    for (std::size_t row = part; row < points.stride(); row += n_parts) {
      packs::Pack squared = packs::all(0);
      packs::Pack along[n_tangents];
      clear<n_tangents>(along);
      for (std::size_t axis = 0; axis < dim; ++axis) {
        const packs::Pack direction = hn::LoadU(tag, points.direction(axis) + row);
        squared = squared + packs::square(packs::all(rows.ideal[axis]) - direction);
        for (std::size_t tangent = 0; tangent < n_tangents; ++tangent) {
          along[tangent] =
              along[tangent] + packs::all(rows.tangents[tangent * dim + axis]) * direction;
        }
      }
      const packs::Pack stretch = hn::LoadU(tag, points.stretch() + row);
      const packs::Pack grown = stretch * squared;
      const packs::Pack level = packs::log1p(grown) - hn::LoadU(tag, points.radius() + row);
      const packs::Pack pull = (stretch + stretch) / (packs::all(1) + grown);
      const Hinge hinge(level, hn::LoadU(tag, rows.signs + row), hn::LoadU(tag, rows.costs + row),
                        rows.slope, rows.offset);
      hinge.add_to(level, sums);
      const packs::Pack cosine = packs::all(1) - packs::all(0.5) * squared;
      sums[n_margin_sums] = sums[n_margin_sums] + hinge.pull * (pull * cosine);
      const packs::Pack leveled = hinge.twice_cost * level;
      const packs::Pack bent = hinge.twice_cost * packs::all(rows.slope) - hinge.pull;
      std::size_t next = n_margin_sums + 1 + 3 * n_tangents;
      for (std::size_t tangent = 0; tangent < n_tangents; ++tangent) {
        const packs::Pack gradient = packs::all(0) - pull * along[tangent];
        packs::Pack* const own = sums + n_margin_sums + 1 + 3 * tangent;
        own[0] = own[0] + hinge.pull * gradient;
        own[1] = own[1] + hinge.twice_cost * gradient;
        own[2] = own[2] + leveled * gradient;
        for (std::size_t other = tangent; other < n_tangents; ++other, ++next) {
          sums[next] = sums[next] + bent * gradient * (packs::all(0) - pull * along[other]);
        }
      }
    }
    store<n_sums>(sums, part, parts);
  }
}

HingeKernels best_hinge_kernels() {
  return {margin, {horosphere<2>, horosphere<3>, horosphere<4>}};
}

}  // namespace bentwood::linear_kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <cassert>

namespace bentwood {
namespace linear_kernels {

HWY_EXPORT(best_hinge_kernels);

const HingeKernels& hinge_kernels() {
  static const HingeKernels kernels = HWY_DYNAMIC_DISPATCH(best_hinge_kernels)();
  return kernels;
}

double sum_of(const Parts& parts) {
  double sum = 0;
  for (const double part : parts) {
    sum += part;
  }
  return sum;
}

}  // namespace linear_kernels

MarginQuadratic margin_quadratic(const MarginRows& rows, double slope, double offset) {
  using linear_kernels::sum_of;
  std::array<linear_kernels::Parts, linear_kernels::n_margin_sums> parts;
  linear_kernels::hinge_kernels().margin(rows, slope, offset, parts.data());
  return {.value = 0.5 * slope * slope + sum_of(parts[0]),
          .slope_gradient = slope + sum_of(parts[2]),
          .offset_gradient = sum_of(parts[1]),
          .slope_slope = 1 + sum_of(parts[5]),
          .slope_offset = sum_of(parts[4]),
          .offset_offset = sum_of(parts[3])};
}

HorosphereQuadratic horosphere_quadratic(const PolarPoints& points, std::span<const double> signs,
                                         std::span<const double> costs,
                                         std::span<const double> ideal,
                                         std::span<const double> tangents, double slope,
                                         double offset) {
  using linear_kernels::sum_of;
  assert(ideal.size() == points.dim() && ideal.size() >= 2 && ideal.size() <= most_newton_dim);
  assert(signs.size() == points.stride() && costs.size() == points.stride());
  std::array<linear_kernels::Parts, linear_kernels::n_horosphere_sums(most_newton_dim)> parts;
  linear_kernels::hinge_kernels().horosphere.at(ideal.size() - 2)(
      {&points, signs.data(), costs.data(), ideal.data(), tangents.data(), slope, offset},
      parts.data());
  HorosphereQuadratic result;
  const std::size_t n_tangents = ideal.size() - 1;
  const std::size_t m = n_tangents;  // the places of slope and offset
  const std::size_t o = n_tangents + 1;
  result.value = 0.5 * slope * slope + sum_of(parts[0]);
  result.gradient[m] = slope + sum_of(parts[2]);
  result.gradient[o] = sum_of(parts[1]);
  result.hessian[m][m] = 1 + sum_of(parts[5]);
  result.hessian[m][o] = sum_of(parts[4]);
  result.hessian[o][o] = sum_of(parts[3]);
  const double along_sphere = slope * sum_of(parts[linear_kernels::n_margin_sums]);
  std::size_t next = linear_kernels::n_margin_sums + 1 + 3 * n_tangents;
  for (std::size_t tangent = 0; tangent < n_tangents; ++tangent) {
    const linear_kernels::Parts* const own =
        &parts[linear_kernels::n_margin_sums + 1 + 3 * tangent];
    const double pulled = sum_of(own[0]);
    result.gradient[tangent] = slope * pulled;
    result.hessian[tangent][m] = slope * sum_of(own[2]) + pulled;
    result.hessian[tangent][o] = slope * sum_of(own[1]);
    for (std::size_t other = tangent; other < n_tangents; ++other, ++next) {
      result.hessian[tangent][other] =
          slope * sum_of(parts[next]) + (other == tangent ? along_sphere : 0);
    }
  }
  return result;
}

}  // namespace bentwood
#endif
