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
#include <cstdint>
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

/// t (artanh(s)/s − 1) = t (⅓ s² + ⅕ s⁴ + …) for |s| ≤ 1/5, z = s², and t that the compiler knows. The
/// coefficients are Chebyshev's for this interval, within 3·10⁻¹⁹ of the series.
HWY_INLINE Pack artanh_series(double t, Pack z) {
  // In pairs and pairs of pairs, as the wait for one product after another is what costs.
  const Pack w = z * z;
  const Pack first = all(t * 0x1.5555555555555p-2) + z * all(t * 0x1.9999999999f99p-3);
  const Pack second = all(t * 0x1.24924923d0287p-3) + z * all(t * 0x1.c71c72f1d7576p-4);
  const Pack third = all(t * 0x1.745ca69dd4056p-4) + z * all(t * 0x1.3b2ab103a724cp-4);
  const Pack fourth = all(t * 0x1.0e7b22d240537p-4) + z * all(t * 0x1.171fcac1eaa43p-4);
  return z * ((first + w * second) + (w * w) * (third + w * fourth));
}

/// The k for which 2^-k y/d is nearest to 1, as far as the numbers' bits tell, times 2^52, and 2^-k itself.
/// Exponents and leading bits are a piecewise linear logarithm, so that 2^-k y/d is between 2/3 and 3/2.
struct PowerOfTwo {
  HWY_INLINE PowerOfTwo(Pack y, Pack d) {
    const hn::RebindToSigned<Tag> bits;
    const auto half = hn::Set(bits, std::int64_t{1} << 51U);
    const auto mantissa = hn::Set(bits, (std::int64_t{1} << 52U) - 1);
    const auto k = hn::AndNot(mantissa, hn::BitCast(bits, y) - (hn::BitCast(bits, d) - half));
    exponent = hn::ConvertTo(Tag(), k);
    inverse = hn::BitCast(Tag(), hn::BitCast(bits, all(1)) - k);
  }
  Pack exponent;
  Pack inverse;
};

// 2^-52 ln 2 in two parts, the first with zeros at its end so that its product with an exponent is exact.
constexpr double ln2_high = 0x1.62e42fefa38p-53;
constexpr double ln2_low = 0x1.ef35793c7673p-97;

/// log(1 + x) for 0 ≤ x < 2^1022, within 1 ulp, the same bits on every machine: no fused operations.
///
/// With 1 + x = 2^k (1 + f), f = 2^-k x − (1 − 2^-k) is rounded once, where 1 + x itself would lose small x;
/// then log(1 + f) = f − f²/2 + s (f²/2 + Σ 2 s^2j / (2j + 1)), s = f / (2 + f).
HWY_INLINE Pack log1p(Pack x) {
  const PowerOfTwo power(all(1) + x, all(1));
  const Pack f = x * power.inverse - (all(1) - power.inverse);
  const Pack s = f / (all(2) + f);
  const Pack half_square = all(0.5) * f * f;
  const Pack series = artanh_series(2, s * s);
  const Pack rest = s * (half_square + series) + power.exponent * all(ln2_low);
  return power.exponent * all(ln2_high) + (f - (half_square - rest));
}

/// ½ log(1 + 2e/d) for e ≥ 0, d > 0, 2e + d < 2^1022, with one division instead of two and within 3 ulp. With
/// 1 + 2e/d = 2^k (1 + s)/(1 − s) it is ½ k ln 2 + artanh(s), s = (2^-k e − (1 − 2^-k) d/2) / (… + d).
HWY_INLINE Pack half_log1p_quotient(Pack e, Pack d) {
  const Pack half_d = all(0.5) * d;
  const PowerOfTwo power(e + half_d, half_d);
  const Pack f = e * power.inverse - (all(1) - power.inverse) * half_d;
  const Pack s = f / (d + f);
  return power.exponent * all(0x1p-53 * std::numbers::ln2) + (s + s * artanh_series(1, s * s));
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

/// Σ coefficients[j] x^j.
template <std::size_t n>
HWY_INLINE Pack polynomial(const double (&coefficients)[n], Pack x) {
  Pack sum = all(coefficients[n - 1]);
  for (std::size_t j = n - 1; j-- > 0;) {
    sum = sum * x + all(coefficients[j]);
  }
  return sum;
}

/// asin √z for 0 ≤ z ≤ ½, within 2 ulp. The coefficients are Chebyshev's for (asin(s) − s)/s³ in z = s².
HWY_INLINE Pack asin_root(Pack z) {
  constexpr double even[] = {0x1.5555555555553p-3,  0x1.6db6db6b0dafdp-5,  0x1.6e8b546dd6435p-6,
                             0x1.c872bb803eb27p-7,  0x1.81499d62a6591p-8,  -0x1.e2b0479a24933p-4,
                             -0x1.4308a862e7f15p+0, -0x1.dfeb4393d5053p+1, -0x1.240e0713c18f5p+1};
  constexpr double odd[] = {0x1.3333333334c9bp-4, 0x1.f1c71e34c5e86p-6, 0x1.1c570c85dd694p-6,
                            0x1.88cb12f83c0f4p-7, 0x1.15bd59aa63cdbp-5, 0x1.de44d9137552ap-2,
                            0x1.4a299b0a514c1p+1, 0x1.de8883ee3126bp+1, 0x1.53e39742556e9p-1};
  const Pack w = z * z;
  const Pack series = polynomial(odd, w) * z + polynomial(even, w);
  const Pack s = sqrt(z);
  return s * (z * series) + s;
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
  const Pack scale = select(tiny, all(0x1p600), select(huge, all(0x1p-600), all(1)));
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

/// Calls body with the dimension as a constant where it is small.
template <class Body>
HWY_INLINE void with_small_dim(std::size_t n, Body body) {
  switch (n) {
    case 2:
      return body(std::integral_constant<std::size_t, 2>());
    case 3:
      return body(std::integral_constant<std::size_t, 3>());
    case 4:
      return body(std::integral_constant<std::size_t, 4>());
    default:
      return body(n);
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
