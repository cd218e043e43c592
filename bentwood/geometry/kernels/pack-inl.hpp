// A pack: several rows side by side in one SIMD register. Included once for every instruction set.
#if defined(BENTWOOD_GEOMETRY_KERNELS_PACK_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef BENTWOOD_GEOMETRY_KERNELS_PACK_INL_HPP
#undef BENTWOOD_GEOMETRY_KERNELS_PACK_INL_HPP
#else
#define BENTWOOD_GEOMETRY_KERNELS_PACK_INL_HPP
#endif

#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>

#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>
#include <type_traits>

#include "bentwood/geometry/kernels/kernels.hpp"

HWY_BEFORE_NAMESPACE();
namespace bentwood::kernels::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Tag = hn::ScalableTag<double>;
using Pack = hn::Vec<Tag>;
using Mask = hn::Mask<Tag>;

HWY_INLINE Pack all(double value) { return hn::Set(Tag(), value); }
HWY_INLINE Pack select(Mask condition, Pack yes, Pack no) {
  return hn::IfThenElse(condition, yes, no);
}
HWY_INLINE bool any(Mask mask) { return !hn::AllFalse(Tag(), mask); }
HWY_INLINE Pack sqrt(Pack x) { return hn::Sqrt(x); }
HWY_INLINE Pack abs(Pack x) { return hn::Abs(x); }
HWY_INLINE Pack square(Pack x) { return x * x; }

/// log(1 + x) for x ≥ 0, within 2 ulp, the same bits on every machine: no fused operations.
///
/// With y = 1 + x rounded and y = 2^k m, m in [√½, √2), what rounding took from y goes back into
/// f = m − 1; then log(1 + f) = f − f²/2 + s (f²/2 + Σ 2 s^2j / (2j + 1)), s = f / (2 + f).
HWY_INLINE Pack log1p(Pack x) {
  const hn::RebindToSigned<Tag> bits_tag;
  const Pack y = all(1) + x;
  const Pack lost = select(x >= all(1), all(1) - (y - x), x - (y - all(1)));
  const auto bits = hn::BitCast(bits_tag, y);
  const auto root_half = hn::Set(bits_tag, 0x3FE6A09E667F3BCD);
  const auto k = hn::ShiftRight<52>(bits - root_half);
  const Pack m = hn::BitCast(Tag(), bits - hn::ShiftLeft<52>(k));
  const Pack inverse_power = hn::BitCast(Tag(), hn::ShiftLeft<52>(hn::Set(bits_tag, 1023) - k));
  const Pack f = (m - all(1)) + lost * inverse_power;
  const Pack s = f / (all(2) + f);
  const Pack z = s * s;
  const Pack w = z * z;
  const Pack odd =
      all(2.0 / 3) +
      w * (all(2.0 / 7) + w * (all(2.0 / 11) + w * (all(2.0 / 15) + w * all(2.0 / 19))));
  const Pack even =
      all(2.0 / 5) +
      w * (all(2.0 / 9) + w * (all(2.0 / 13) + w * (all(2.0 / 17) + w * all(2.0 / 21))));
  const Pack series = z * odd + w * even;
  const Pack half_square = all(0.5) * f * f;
  const Pack exponent = hn::ConvertTo(Tag(), k);
  // ln 2 in two parts, the first with zeros at its end so that k · ln2_high is exact.
  const Pack ln2_high = all(0x1.62e42fefa38p-1);
  const Pack ln2_low = all(0x1.ef35793c7673p-45);
  return exponent * ln2_high +
         (f - (half_square - (s * (half_square + series) + exponent * ln2_low)));
}
HWY_INLINE Pack log(Pack x) { return hn::Log(Tag(), x); }
HWY_INLINE Pack exp(Pack x) { return hn::Exp(Tag(), x); }
HWY_INLINE Pack sinh(Pack x) { return hn::Sinh(Tag(), x); }
HWY_INLINE Pack cosh(Pack x) {
  const Pack e = exp(abs(x));
  return all(0.5) * (e + all(1) / e);
}

/// asinh x = sign(x) log1p(|x| + x² / (1 + √(1 + x²))): relative accuracy at both ends.
HWY_INLINE Pack asinh(Pack x) {
  const Pack size = abs(x);
  // For large |x| the second term is |x| to the last bit, and x² could overflow.
  const Pack bounded = hn::Min(size, all(1e150));
  const Pack second = square(bounded) / (all(1) + sqrt(all(1) + square(bounded)));
  const Pack grown = select(size > bounded, size, second);
  return hn::CopySign(log1p(size + grown), x);
}

/// sinh(x) / x, 1 at 0.
HWY_INLINE Pack sinhc(Pack x) {
  return select(x == all(0), all(1), sinh(x) / select(x == all(0), all(1), x));
}
/// asinh(x) / x, 1 at 0.
HWY_INLINE Pack asinhc(Pack x) {
  return select(x == all(0), all(1), asinh(x) / select(x == all(0), all(1), x));
}

/// The angle of the vector (x, y), in (−π, π]; 0 for the zero vector.
HWY_INLINE Pack atan2(Pack y, Pack x) {
  const Pack wide = abs(x);
  const Pack high = abs(y);
  const Pack largest = hn::Max(wide, high);
  const Pack ratio = hn::Min(wide, high) / select(largest == all(0), all(1), largest);
  const Pack octant = hn::Atan(Tag(), ratio);
  const Pack quadrant = select(high > wide, all(std::numbers::pi / 2) - octant, octant);
  const Pack half = select(x < all(0), all(std::numbers::pi) - quadrant, quadrant);
  return hn::CopySign(half, y);
}

/// Applies a scalar function to every lane.
template <class Function>
HWY_INLINE Pack lane_by_lane(Pack x, Function function) {
  HWY_ALIGN double lanes[hn::MaxLanes(Tag())];
  hn::Store(x, Tag(), lanes);
  for (std::size_t lane = 0; lane < hn::Lanes(Tag()); ++lane) {
    lanes[lane] = function(lanes[lane]);
  }
  return hn::Load(Tag(), lanes);
}

// Highway's sine and cosine reduce their argument well only up to 39000; the choice is made lane by
// lane so that a row's bits do not depend on its neighbours.
constexpr double largest_quick_angle = 30000;

HWY_INLINE Pack sin(Pack x) {
  const Mask quick = abs(x) <= all(largest_quick_angle);
  const Pack result = hn::Sin(Tag(), select(quick, x, all(0)));
  if (hn::AllTrue(Tag(), quick)) {
    return result;
  }
  return select(quick, result, lane_by_lane(x, [](double angle) { return std::sin(angle); }));
}

HWY_INLINE Pack cos(Pack x) {
  const Mask quick = abs(x) <= all(largest_quick_angle);
  const Pack result = hn::Cos(Tag(), select(quick, x, all(0)));
  if (hn::AllTrue(Tag(), quick)) {
    return result;
  }
  return select(quick, result, lane_by_lane(x, [](double angle) { return std::cos(angle); }));
}

/// Reads a column of a block: point[j] is coordinate j of several rows.
class Columns {
 public:
  Columns(const double* first, std::size_t row) : first_(first + row) {}
  HWY_INLINE Pack operator[](std::size_t column) const {
    return hn::Load(Tag(), first_ + column * block_rows);
  }

 private:
  const double* first_;
};

/// Reads one point in all lanes.
class Broadcast {
 public:
  explicit Broadcast(const double* point) : point_(point) {}
  HWY_INLINE Pack operator[](std::size_t column) const { return all(point_[column]); }

 private:
  const double* point_;
};

/// Writes columns of a block.
class Output {
 public:
  Output(double* first, std::size_t row) : first_(first + row) {}
  HWY_INLINE void set(std::size_t column, Pack value) const {
    hn::Store(value, Tag(), first_ + column * block_rows);
  }

 private:
  double* first_;
};

/// x · y over the first n columns.
template <class X, class Y>
HWY_INLINE Pack dot(const X& x, const Y& y, std::size_t n) {
  Pack sum = all(0);
  for (std::size_t j = 0; j < n; ++j) {
    sum = sum + x[j] * y[j];
  }
  return sum;
}

/// |x| over the first n columns; squares that would vanish or overflow are taken of scaled numbers.
template <class X>
HWY_INLINE Pack norm(const X& x, std::size_t n) {
  const Pack squared = dot(x, x, n);
  const Mask tiny = squared < all(1e-280);
  const Mask huge = squared > all(1e280);
  if (HWY_LIKELY(!any(hn::Or(tiny, huge)))) {
    return sqrt(squared);
  }
  const Pack scale = select(tiny, all(0x1p500), select(huge, all(0x1p-500), all(1)));
  Pack scaled = all(0);
  for (std::size_t j = 0; j < n; ++j) {
    scaled = scaled + square(scale * x[j]);
  }
  return sqrt(scaled) / scale;
}

/// y − x as columns.
template <class X, class Y>
struct Difference {
  HWY_INLINE Pack operator[](std::size_t j) const { return y[j] - x[j]; }
  X x;
  Y y;
};

/// Calls body(row) for the first row of every pack of a block.
template <class Body>
HWY_INLINE void for_each_pack(const Block& block, Body body) {
  for (std::size_t row = 0; row < block.n_rows; row += hn::Lanes(Tag())) {
    body(row);
  }
}

/// The metric on canonical vectors of `columns` numbers: their dot product.
inline void dot_product(const Block& block, std::size_t columns) {
  for_each_pack(block, [&](std::size_t row) HWY_ATTR {
    Output(block.out, row).set(0, dot(Columns(block.y, row), Columns(block.v, row), columns));
  });
}

}  // namespace bentwood::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
