// Pairs of packs whose sum carries twice the digits. Included once for every instruction set.
#if defined(BENTWOOD_GEOMETRY_KERNELS_DOUBLE_PACK_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef BENTWOOD_GEOMETRY_KERNELS_DOUBLE_PACK_INL_HPP
#undef BENTWOOD_GEOMETRY_KERNELS_DOUBLE_PACK_INL_HPP
#else
#define BENTWOOD_GEOMETRY_KERNELS_DOUBLE_PACK_INL_HPP
#endif

#include "bentwood/geometry/kernels/pack-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace bentwood::kernels::HWY_NAMESPACE {

/// An unevaluated sum high + low, |low| ≤ ulp(high)/2: about 106 bits. The error-free sums and
/// products are Knuth's, Dekker's and Veltkamp's; see Ogita, Rump, Oishi, "Accurate sum and dot
/// product", SIAM J. Sci. Comput. 26 (2005).
///
/// Needed because geometry near infinity is exact differences of huge numbers: at distance 20 from the
/// origin, coordinates are 10⁸ and a plain dot product already blurs neighbours 10⁻⁸ apart.
struct DoublePack {
  Pack high;
  Pack low;
};

/// a + b exactly.
HWY_INLINE DoublePack exact_sum(Pack a, Pack b) {
  const Pack sum = a + b;
  const Pack part = sum - a;
  return {sum, (a - (sum - part)) + (b - part)};
}

/// a · b exactly, barring underflow.
HWY_INLINE DoublePack exact_product(Pack a, Pack b) {
  const Pack product = a * b;
#if HWY_NATIVE_FMA
  return {product, hn::MulSub(a, b, product)};
#else
  const Pack splitter = all(134217729);  // 2^27 + 1 cuts a number into two halves of 26 bits
  const Pack a_big = splitter * a;
  const Pack b_big = splitter * b;
  const Pack a_high = a_big - (a_big - a);
  const Pack b_high = b_big - (b_big - b);
  const Pack a_low = a - a_high;
  const Pack b_low = b - b_high;
  const Pack error =
      ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low;
  return {product, error};
#endif
}

HWY_INLINE DoublePack operator+(DoublePack a, DoublePack b) {
  const DoublePack sum = exact_sum(a.high, b.high);
  const DoublePack carried = exact_sum(sum.high, sum.low + (a.low + b.low));
  return carried;
}
HWY_INLINE DoublePack operator-(DoublePack a) { return {hn::Neg(a.high), hn::Neg(a.low)}; }
HWY_INLINE DoublePack operator-(DoublePack a, DoublePack b) { return a + (-b); }

HWY_INLINE DoublePack operator*(DoublePack a, Pack b) {
  const DoublePack product = exact_product(a.high, b);
  return exact_sum(product.high, product.low + a.low * b);
}

/// a / b; 0 where b is 0.
HWY_INLINE DoublePack operator/(DoublePack a, DoublePack b) {
  const Mask zero = b.high == all(0);
  const Pack divisor = select(zero, all(1), b.high);
  const Pack first = a.high / divisor;
  const DoublePack rest = a - b * first;
  const DoublePack quotient = exact_sum(first, rest.high / divisor);
  return {select(zero, all(0), quotient.high), select(zero, all(0), quotient.low)};
}

/// x · y over the first n columns, as if in twice the precision (Ogita, Rump and Oishi's Dot2).
template <class X, class Y>
HWY_INLINE DoublePack exact_dot(const X& x, const Y& y, std::size_t n) {
  Pack sum = all(0);
  Pack rest = all(0);
  for (std::size_t j = 0; j < n; ++j) {
    const DoublePack product = exact_product(x[j], y[j]);
    const DoublePack added = exact_sum(sum, product.high);
    sum = added.high;
    rest = rest + (added.low + product.low);
  }
  return exact_sum(sum, rest);
}

/// a·d − b·c, correctly rounded but for the last bit: the products are exact.
HWY_INLINE Pack exact_minor(Pack a, Pack b, Pack c, Pack d) {
  const DoublePack first = exact_product(a, d);
  const DoublePack second = exact_product(b, c);
  return (first.high - second.high) + (first.low - second.low);
}

/// Up to this dimension quantities across a direction are computed from 2 × 2 minors, O(n²) but exact for
/// collinear points too; beyond it from projections in twice the precision, O(n), which are as good up to
/// distance 37, and from minors only where a point is farther out.
constexpr std::size_t largest_minor_dim = 8;

/// The part of q orthogonal to p, times a scale; q itself where p is zero.
///   by projection:  q_j − p_j (p·q)/|p|², within ε² of |q|
///   by minors:      Σ_i p_i (p_i q_j − p_j q_i) / |p|², within ε of its own length
/// `far` marks lanes that need the minors in any dimension.
template <class P, class Q>
class Rejection {
 public:
  HWY_INLINE Rejection(const P& p, const Q& q, Pack scale, Mask far, std::size_t n)
      : p_(p), q_(q), scale_(scale), far_(far), n_(n), minors_(n <= largest_minor_dim || any(far)) {
    const DoublePack squared = exact_dot(p, p, n);
    const Pack norm = sqrt(squared.high);
    nowhere_ = norm == all(0);
    inverse_norm_ = select(nowhere_, all(0), all(1) / norm);
    if (n > largest_minor_dim) {
      share_ = exact_dot(p, q, n) / squared;
    }
  }
  HWY_INLINE Pack operator[](std::size_t j) const {
    const Pack projected = (DoublePack{q_[j], all(0)} - share_ * p_[j]).high;
    if (!minors_) {
      return scale_ * projected;
    }
    Pack across = all(0);
    for (std::size_t other = 0; other < n_; ++other) {
      const Pack minor = exact_minor(p_[other], p_[j], q_[other], q_[j]);
      across = across + (p_[other] * inverse_norm_) * (minor * inverse_norm_);
    }
    across = select(nowhere_, q_[j], across);
    return scale_ * (n_ <= largest_minor_dim ? across : select(far_, across, projected));
  }

 private:
  P p_;
  Q q_;
  Pack scale_;
  Mask far_;
  std::size_t n_;
  bool minors_;
  Mask nowhere_ = all(1) == all(0);
  Pack inverse_norm_ = all(0);
  DoublePack share_{all(0), all(0)};
};

/// 1 − |κ| |p|², the gap of a ball point to the boundary, to full relative accuracy.
template <class P>
HWY_INLINE Pack boundary_gap(const P& p, std::size_t n, double curvature) {
  const DoublePack filled = exact_dot(p, p, n) * all(std::abs(curvature));
  return (DoublePack{all(1), all(0)} - filled).high;
}

}  // namespace bentwood::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
