// Points and distances of H^n in packs. Included once for every instruction set.
//
// A canonical point is the spatial part x = s p of the hyperboloid { −x_0² + |x|² = −R² }, R = 1/√|κ|.
// Formulas use |κ| itself and never divide coordinates by R, which would round every one of them.
// `c` is the Lorentz factor x_0 / R = √(1 + |κ||x|²) = cosh(r/R).
#if defined(BENTWOOD_GEOMETRY_KERNELS_HYPERBOLIC_DISTANCE_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef BENTWOOD_GEOMETRY_KERNELS_HYPERBOLIC_DISTANCE_INL_HPP
#undef BENTWOOD_GEOMETRY_KERNELS_HYPERBOLIC_DISTANCE_INL_HPP
#else
#define BENTWOOD_GEOMETRY_KERNELS_HYPERBOLIC_DISTANCE_INL_HPP
#endif

#include "bentwood/geometry/kernels/double_pack-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace bentwood::kernels::HWY_NAMESPACE::hyperbolic {

/// |κ|, √|κ| and R in all lanes.
struct Curvature {
  explicit Curvature(double curvature)
      : size(all(std::abs(curvature))),
        root(all(std::sqrt(std::abs(curvature)))),
        radius(all(1 / std::sqrt(std::abs(curvature)))) {}
  Pack size;
  Pack root;
  Pack radius;
};

/// A canonical point x = s p, P being Columns or Broadcast.
template <class P>
struct Point {
  HWY_INLINE Pack operator[](std::size_t j) const { return scale * p[j]; }

  P p;
  Pack scale;
};

HWY_INLINE Point<Columns> point(const double* columns, std::size_t row, std::size_t n) {
  const Columns p(columns, row);
  return {p, p[n]};
}

/// The unit vector along v: zero where v is zero.
template <class V>
class Direction {
 public:
  HWY_INLINE Direction(const V& v, Pack norm)
      : v_(v), inverse_(select(norm == all(0), all(0), all(1) / norm)) {}
  HWY_INLINE Pack operator[](std::size_t j) const { return v_[j] * inverse_; }

 private:
  V v_;
  Pack inverse_;
};

HWY_INLINE Pack lorentz_factor(Pack squared_norm, const Curvature& kappa) {
  return sqrt(all(1) + kappa.size * squared_norm);
}

/// √(a² + b²) without overflow.
HWY_INLINE Pack hypotenuse(Pack a, Pack b) {
  const Pack large = hn::Max(abs(a), abs(b));
  const Pack small = hn::Min(abs(a), abs(b));
  const Pack ratio = small / select(large == all(0), all(1), large);
  return large * sqrt(all(1) + square(ratio));
}

/// Component j of y − x = ½(s_x + s_y)(q − p) + ½(s_y − s_x)(p + q): exact across the rays of nearby points,
/// however far out.
template <class X, class Y>
HWY_INLINE Pack difference(const X& x, const Y& y, std::size_t j) {
  return all(0.5) *
         ((x.scale + y.scale) * (y.p[j] - x.p[j]) + (y.scale - x.scale) * (x.p[j] + y.p[j]));
}

/// Lanes with a point so far out (r > 28) that only exact minors tell rays apart.
HWY_INLINE Mask beyond_projections(Pack squared_norm, const Curvature& kappa) {
  return kappa.size * squared_norm > all(0x1p80);
}

/// (s |p∧q|)², exact minors throughout; s goes in first so that nothing overflows.
template <class P, class Q>
HWY_INLINE Pack squared_wedge_by_minors(const P& p, const Q& q, Pack s, std::size_t n) {
  Pack result = all(0);
  for (std::size_t first = 0; first < n; ++first) {
    for (std::size_t second = first + 1; second < n; ++second) {
      result = result + square(s * exact_minor(p[first], p[second], q[first], q[second]));
    }
  }
  return result;
}

/// The same from the part of q − p orthogonal to p + q, in twice the precision. Swapping p and q negates that
/// part to the bit, which keeps d(x, y) = d(y, x).
template <class P, class Q>
HWY_INLINE Pack squared_wedge_by_projection(const P& p, const Q& q, Pack s, std::size_t n) {
  DoublePack sum_dot_difference{all(0), all(0)};
  DoublePack squared_sum{all(0), all(0)};
  for (std::size_t j = 0; j < n; ++j) {
    const DoublePack pp = exact_product(p[j], p[j]);
    const DoublePack qq = exact_product(q[j], q[j]);
    const DoublePack pq = exact_product(p[j], q[j]);
    sum_dot_difference = sum_dot_difference + (qq - pp);
    squared_sum = squared_sum + ((pp + qq) + (pq + pq));
  }
  const DoublePack share = sum_dot_difference / squared_sum;
  const DoublePack one{all(1), all(0)};
  const DoublePack q_share = one - share;
  const DoublePack p_share = one + share;
  Pack squared_rejection = all(0);
  for (std::size_t j = 0; j < n; ++j) {
    squared_rejection = squared_rejection + square((q_share * q[j] - p_share * p[j]).high);
  }
  return square(all(0.5) * (s * sqrt(squared_sum.high)) * sqrt(squared_rejection));
}

/// cosh(d/R) − 1 for points with |κ|(|x|² + |y|²) > 2²⁰ in any lane: the formula of `versed` with the wedge
/// p∧q beyond double precision, and no square that could overflow.
template <class X, class Y>
HWY_NOINLINE Pack far_versed(const X& x, const Y& y, std::size_t n, const Curvature& kappa) {
  Pack squared_difference = all(0);
  for (std::size_t j = 0; j < n; ++j) {
    squared_difference = squared_difference + square(difference(x, y, j));
  }
  const Pack product = dot(x, y, n);
  const Pack xx = dot(x, x, n);
  const Pack yy = dot(y, y, n);
  const Pack factors = lorentz_factor(xx, kappa) * lorentz_factor(yy, kappa);
  const Pack denominator = (factors + kappa.size * product) + all(1);
  const Mask acute = product > all(0);
  const Pack safe = select(acute, denominator, all(1));
  const Pack scales = sqrt(x.scale) * sqrt(y.scale);
  const Pack share = kappa.size * scales * (scales / sqrt(safe));
  Pack wedge = all(0);
  if (n <= largest_minor_dim) {
    wedge = squared_wedge_by_minors(x.p, y.p, share, n);
  } else {
    wedge = squared_wedge_by_projection(x.p, y.p, share, n);
    const Mask beyond = beyond_projections(hn::Max(xx, yy), kappa);
    if (any(beyond)) {
      wedge = select(beyond, squared_wedge_by_minors(x.p, y.p, share, n), wedge);
    }
  }
  const Pack near = wedge + kappa.size * squared_difference / safe;
  const Pack apart = (factors - all(1)) - kappa.size * product;
  return select(acute, near, apart);
}

/// What a distance needs of each of its points besides the coordinates: |κ||x|² and √(1 + |κ||x|²).
struct Norm {
  Pack squared;
  Pack factor;
};

template <class X>
HWY_INLINE Norm norm_of(const X& x, std::size_t n, const Curvature& kappa) {
  const Pack squared = kappa.size * square(x.scale) * dot(x.p, x.p, n);
  return {squared, sqrt(all(1) + squared)};
}

/// |p∧q|² = ¼ |(p+q)∧(q−p)|², the squared area between p and q. Up to four dimensions by its components;
/// beyond, from the part of q − p orthogonal to p + q. Swapping p and q changes no bit.
template <class P, class Q, class N>
HWY_INLINE Pack squared_wedge(const P& p, const Q& q, N n) {
  Pack result = all(0);
  if constexpr (!std::is_same_v<N, std::size_t>) {
    for (std::size_t first = 0; first < n; ++first) {
      for (std::size_t second = first + 1; second < n; ++second) {
        result = result + square((p[first] + q[first]) * (q[second] - p[second]) -
                                 (p[second] + q[second]) * (q[first] - p[first]));
      }
    }
    return all(0.25) * result;
  } else {
    Pack squared_sum = all(0);
    Pack sum_dot_difference = all(0);
    for (std::size_t j = 0; j < n; ++j) {
      const Pack sum = p[j] + q[j];
      squared_sum = squared_sum + square(sum);
      sum_dot_difference = sum_dot_difference + sum * (q[j] - p[j]);
    }
    const Pack share = sum_dot_difference / select(squared_sum == all(0), all(1), squared_sum);
    for (std::size_t j = 0; j < n; ++j) {
      result = result + square((q[j] - p[j]) - share * (p[j] + q[j]));
    }
    return all(0.25) * squared_sum * result;
  }
}

/// `versed` of points that are close for how far out they are, where c_x c_y − |κ| x·y − 1 would cancel:
///   x·y > 0:  (|κ|²|x∧y|² + |κ||y−x|²) / (c_x c_y + |κ| x·y + 1)
///   else:     (a + b + ab) / (c_x c_y + 1) − |κ| x·y   with a = |κ||x|², b = |κ||y|²
/// Neither subtracts nearly equal numbers.
template <class X, class Y, class N>
HWY_NOINLINE Pack close_versed(const X& x, const Norm& x_norm, const Y& y, const Norm& y_norm, N n,
                               const Curvature& kappa) {
  Pack squared_difference = all(0);
  for (std::size_t j = 0; j < n; ++j) {
    squared_difference = squared_difference + square(difference(x, y, j));
  }
  const Pack a = x_norm.squared;
  const Pack b = y_norm.squared;
  const Pack factors = x_norm.factor * y_norm.factor;
  const Pack scales = x.scale * y.scale;
  const Pack product = kappa.size * scales * dot(x.p, y.p, n);
  const Mask acute = product > all(0);
  const Pack wedge = square(kappa.size * scales) * squared_wedge(x.p, y.p, n);
  const Pack numerator = select(acute, wedge + kappa.size * squared_difference, (a + b) + a * b);
  const Pack denominator = factors + all(1) + select(acute, product, all(0));
  const Pack result = numerator / denominator - select(acute, all(0), product);
  // Up to here the plain wedge is good to 2^-52 · 2^10; lanes beyond are computed with care.
  const Mask far = a + b > all(0x1p20);
  if (HWY_LIKELY(!any(far))) {
    return result;
  }
  return select(far, far_versed(x, y, n, kappa), result);
}

/// c_x c_y − |κ| x·y − 1, and the lanes where that cancels too much: elsewhere six bits at most are lost.
struct DirectVersed {
  Pack value;
  Mask close;
};

template <class X, class Y, class N>
HWY_INLINE DirectVersed direct_versed(const X& x, const Norm& x_norm, const Y& y,
                                      const Norm& y_norm, N n, const Curvature& kappa) {
  const Pack factors = x_norm.factor * y_norm.factor;
  const Pack product = kappa.size * (x.scale * y.scale) * dot(x.p, y.p, n);
  const Pack value = (factors - all(1)) - product;
  return {value, value < all(0x1p-6) * factors};
}

/// cosh(d/R) − 1 of two points, to full relative accuracy at any distance from the origin. Exactly symmetric;
/// exactly 0 where x = y. `n` may be a constant, so that loops unroll.
template <class X, class Y, class N>
HWY_INLINE Pack versed(const X& x, const Norm& x_norm, const Y& y, const Norm& y_norm, N n,
                       const Curvature& kappa) {
  const DirectVersed direct = direct_versed(x, x_norm, y, y_norm, n, kappa);
  if (HWY_LIKELY(!any(direct.close))) {
    return direct.value;
  }
  return select(direct.close, close_versed(x, x_norm, y, y_norm, n, kappa), direct.value);
}

template <class X, class Y>
HWY_INLINE Pack versed(const X& x, const Y& y, std::size_t n, const Curvature& kappa) {
  return versed(x, norm_of(x, n, kappa), y, norm_of(y, n, kappa), n, kappa);
}

/// arcosh(1 + v) = log1p(v + √(v(v + 2))).
HWY_INLINE Pack arcosh1p(Pack versed_distance) {
  const Pack root = sqrt(versed_distance * (versed_distance + all(2)));
  const Mask huge = versed_distance > all(1e150);
  return log1p(versed_distance + select(huge, versed_distance, root));
}

/// y − x of canonical points as columns.
template <class X, class Y>
struct PointDifference {
  HWY_INLINE Pack operator[](std::size_t j) const { return difference(x, y, j); }
  X x;
  Y y;
};

/// `distance_of` where some lanes are close.
template <class X, class Y, class N>
HWY_NOINLINE Pack close_distance(const X& x, const Norm& x_norm, const Y& y, const Norm& y_norm,
                                 N n, const Curvature& kappa, const DirectVersed& direct) {
  const Pack near = close_versed(x, x_norm, y, y_norm, n, kappa);
  const Pack curved = arcosh1p(select(direct.close, near, direct.value)) * kappa.radius;
  const Mask tiny = x_norm.squared + y_norm.squared < all(1e-250);
  if (HWY_LIKELY(!any(tiny))) {
    return curved;
  }
  return select(tiny, norm(PointDifference<X, Y>{x, y}, n), curved);
}

/// The distance of two points: R arcosh(1 + versed), or plainly |y − x| so near the origin that its square
/// vanishes.
template <class X, class Y, class N>
HWY_INLINE Pack distance_of(const X& x, const Norm& x_norm, const Y& y, const Norm& y_norm, N n,
                            const Curvature& kappa) {
  const DirectVersed direct = direct_versed(x, x_norm, y, y_norm, n, kappa);
  if (HWY_LIKELY(!any(direct.close))) {
    return arcosh1p(direct.value) * kappa.radius;
  }
  return close_distance(x, x_norm, y, y_norm, n, kappa, direct);
}

inline void distance(const Block& block) {
  const Curvature kappa(block.curvature);
  with_small_dim(block.dim, [&](auto n) HWY_ATTR {
    for_each_pack(block, [&](std::size_t row) HWY_ATTR {
      const auto x = point(block.x, row, n);
      const auto y = point(block.y, row, n);
      Output(block.out, row)
          .set(0, distance_of(x, norm_of(x, n, kappa), y, norm_of(y, n, kappa), n, kappa));
    });
  });
}

inline void prepare(const Block& block) {
  const Curvature kappa(block.curvature);
  for_each_pack(block, [&](std::size_t row) HWY_ATTR {
    const auto x = point(block.x, row, block.dim);
    const Output out(block.out, row);
    for (std::size_t j = 0; j <= block.dim; ++j) {
      out.set(j, x.p[j]);
    }
    const Norm own = norm_of(x, block.dim, kappa);
    out.set(block.dim + 1, own.squared);
    out.set(block.dim + 2, own.factor);
  });
}

inline void distance_from(const Block& block) {
  const Curvature kappa(block.curvature);
  const Broadcast prepared(block.x);
  const Point<Broadcast> x{prepared, prepared[block.dim]};
  const Norm x_norm{prepared[block.dim + 1], prepared[block.dim + 2]};
  with_small_dim(block.dim, [&](auto n) HWY_ATTR {
    for_each_pack(block, [&](std::size_t row) HWY_ATTR {
      const auto y = point(block.y, row, n);
      const Norm y_norm{y.p[n + 1], y.p[n + 2]};
      Output(block.out, row).set(0, distance_of(x, x_norm, y, y_norm, n, kappa));
    });
  });
}

}  // namespace bentwood::kernels::HWY_NAMESPACE::hyperbolic
HWY_AFTER_NAMESPACE();

#endif
