// The geometry of H^n on packs of canonical points. Included once for every instruction set.
//
// A canonical point is the spatial part x of the hyperboloid { −x_0² + |x|² = −R² }, R = 1/√|κ|. Formulas
// use |κ| itself and never divide coordinates by R: rounding every coordinate would move a point at
// distance 20 by 10⁻⁸. `c` is the Lorentz factor x_0 / R = √(1 + |κ||x|²) = cosh(r/R).
#if defined(BENTWOOD_GEOMETRY_KERNELS_HYPERBOLIC_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef BENTWOOD_GEOMETRY_KERNELS_HYPERBOLIC_INL_HPP
#undef BENTWOOD_GEOMETRY_KERNELS_HYPERBOLIC_INL_HPP
#else
#define BENTWOOD_GEOMETRY_KERNELS_HYPERBOLIC_INL_HPP
#endif

#include "bentwood/geometry/kernels/double_pack-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace bentwood::kernels::HWY_NAMESPACE::hyperbolic {

/// |κ| and √|κ| in all lanes.
struct Curvature {
  explicit Curvature(double curvature)
      : size(all(std::abs(curvature))), root(all(std::sqrt(std::abs(curvature)))) {}
  Pack size;
  Pack root;
};

/// The unit vector along x: zero where x is zero.
template <class X>
class Direction {
 public:
  HWY_INLINE Direction(const X& x, Pack norm)
      : x_(x), inverse_(select(norm == all(0), all(0), all(1) / norm)) {}
  HWY_INLINE Pack operator[](std::size_t j) const { return x_[j] * inverse_; }

 private:
  const X& x_;
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

/// cosh(d/R) − 1 for points with |κ|(|x|² + |y|²) > 2²⁰ in any lane: the formula of `versed` with the wedge
/// x∧y = ½ (x+y)∧(y−x) in twice the precision, and no square that could overflow.
template <class X, class Y>
HWY_NOINLINE Pack far_versed(const X& x, const Y& y, std::size_t n, const Curvature& kappa) {
  DoublePack sum_dot_difference{all(0), all(0)};
  DoublePack squared_sum{all(0), all(0)};
  for (std::size_t j = 0; j < n; ++j) {
    const DoublePack xx = exact_product(x[j], x[j]);
    const DoublePack yy = exact_product(y[j], y[j]);
    const DoublePack xy = exact_product(x[j], y[j]);
    sum_dot_difference = sum_dot_difference + (yy - xx);
    squared_sum = squared_sum + ((xx + yy) + (xy + xy));
  }
  // The part of y − x orthogonal to x + y is y(1 − share) − x(1 + share); swapping x and y negates it
  // to the bit, which keeps d(x, y) = d(y, x).
  const DoublePack share = sum_dot_difference / squared_sum;
  const DoublePack one{all(1), all(0)};
  const DoublePack y_share = one - share;
  const DoublePack x_share = one + share;
  Pack squared_rejection = all(0);
  Pack squared_difference = all(0);
  for (std::size_t j = 0; j < n; ++j) {
    squared_rejection = squared_rejection + square((y_share * y[j] - x_share * x[j]).high);
    squared_difference = squared_difference + square(y[j] - x[j]);
  }
  const Pack product = dot(x, y, n);
  const Pack factors = lorentz_factor(dot(x, x, n), kappa) * lorentz_factor(dot(y, y, n), kappa);
  const Pack denominator = (factors + kappa.size * product) + all(1);
  const Mask acute = product > all(0);
  const Pack safe = select(acute, denominator, all(1));
  const Pack wedge = all(0.5) * kappa.size * (sqrt(squared_sum.high) / sqrt(safe)) *
                     sqrt(squared_rejection);
  const Pack near = square(wedge) + kappa.size * squared_difference / safe;
  const Pack apart = (factors - all(1)) - kappa.size * product;
  return select(acute, near, apart);
}

/// cosh(d/R) − 1 of two points, to full relative accuracy at any distance from the origin:
///   x·y > 0:  (|κ|²|x∧y|² + |κ||y−x|²) / (c_x c_y + |κ| x·y + 1)
///   else:     (a + b + ab) / (c_x c_y + 1) − |κ| x·y   with a = |κ||x|², b = |κ||y|²
/// Both follow from cosh d = c_x c_y − |κ| x·y; neither subtracts nearly equal numbers.
/// Exactly symmetric; exactly 0 where x = y.
template <class X, class Y>
HWY_INLINE Pack versed(const X& x, const Y& y, std::size_t n, const Curvature& kappa) {
  Pack xx = all(0);
  Pack yy = all(0);
  Pack xy = all(0);
  Pack squared_sum = all(0);
  Pack sum_dot_difference = all(0);
  Pack squared_difference = all(0);
  for (std::size_t j = 0; j < n; ++j) {
    const Pack sum = x[j] + y[j];
    const Pack difference = y[j] - x[j];
    xx = xx + square(x[j]);
    yy = yy + square(y[j]);
    xy = xy + x[j] * y[j];
    squared_sum = squared_sum + square(sum);
    sum_dot_difference = sum_dot_difference + sum * difference;
    squared_difference = squared_difference + square(difference);
  }
  const Pack a = kappa.size * xx;
  const Pack b = kappa.size * yy;
  // Below this the plain wedge is good to 2^-52 · 2^10; lanes beyond it are recomputed with care.
  const Mask far = a + b > all(0x1p20);
  const Pack share = sum_dot_difference / select(squared_sum == all(0), all(1), squared_sum);
  Pack squared_rejection = all(0);
  for (std::size_t j = 0; j < n; ++j) {
    squared_rejection =
        squared_rejection + square((y[j] - x[j]) - share * (x[j] + y[j]));
  }
  const Pack factors = sqrt(all(1) + a) * sqrt(all(1) + b);
  const Pack product = kappa.size * xy;
  const Mask acute = product > all(0);
  const Pack wedge = all(0.25) * square(kappa.size) * squared_sum * squared_rejection;
  const Pack numerator =
      select(acute, wedge + kappa.size * squared_difference, (a + b) + a * b);
  const Pack denominator = select(acute, (factors + product) + all(1), factors + all(1));
  const Pack result = numerator / denominator - select(acute, all(0), product);
  if (!any(far)) {
    return result;
  }
  return select(far, far_versed(x, y, n, kappa), result);
}

/// arcosh(1 + v) = log1p(v + √(v(v + 2))).
HWY_INLINE Pack arcosh1p(Pack versed) {
  const Pack root = sqrt(versed * (versed + all(2)));
  return log1p(versed + select(versed > all(1e150), versed, root));
}

inline void distance(const Block& block) {
  const Curvature kappa(block.curvature);
  for_each_pack(block, [&](std::size_t row) HWY_ATTR {
    const Columns x(block.x, row);
    const Columns y(block.y, row);
    Output(block.out, row).set(0, arcosh1p(versed(x, y, block.dim, kappa)) / kappa.root);
  });
}

inline void distance_from(const Block& block) {
  const Curvature kappa(block.curvature);
  const Broadcast x(block.x);
  for_each_pack(block, [&](std::size_t row) HWY_ATTR {
    const Columns y(block.y, row);
    Output(block.out, row).set(0, arcosh1p(versed(x, y, block.dim, kappa)) / kappa.root);
  });
}

inline void radius(const Block& block) {
  const Curvature kappa(block.curvature);
  for_each_pack(block, [&](std::size_t row) HWY_ATTR {
    const Columns x(block.x, row);
    const Pack norm = sqrt(dot(x, x, block.dim));
    Output(block.out, row).set(0, asinh(kappa.root * norm) / kappa.root);
  });
}

/// exp: with x̂ the direction of x, split the canonical vector e = a x̂ + b. exp_0(e) has coordinates p along
/// x̂ and q across; carrying the origin to x is a boost along x̂, which adds rapidities:
///   y = q + R √(1 + |κ||q|²) sinh(r_x + ρ) x̂,  ρ = asinh(√|κ| p / √(1 + |κ||q|²)).
/// No cosh r · p + sinh r · … that would cancel on the way back to the origin.
inline void exp_map(const Block& block) {
  const Curvature kappa(block.curvature);
  const std::size_t n = block.dim;
  for_each_pack(block, [&](std::size_t row) HWY_ATTR {
    const Columns x(block.x, row);
    const Columns e(block.v, row);
    const Output y(block.out, row);
    const Pack norm = sqrt(dot(x, x, n));
    const Direction along(x, norm);
    const Pack a = dot(e, along, n);
    const Pack growth = sinhc(kappa.root * sqrt(dot(e, e, n)));
    Pack qq = all(0);
    for (std::size_t j = 0; j < n; ++j) {
      qq = qq + square(growth * (e[j] - a * along[j]));
    }
    const Pack across_factor = lorentz_factor(qq, kappa);
    const Pack rapidity =
        asinh(kappa.root * norm) + asinh(kappa.root * growth * a / across_factor);
    const Pack advance = across_factor * sinh(rapidity) / kappa.root;
    for (std::size_t j = 0; j < n; ++j) {
      y.set(j, growth * (e[j] - a * along[j]) + advance * along[j]);
    }
  });
}

/// log: the inverse of `exp_map`. Seen from x after the boost along x̂, y has coordinates q = y⊥x across and
///   p = ((y∥ − |x|)(y∥ + |x|) − |κ||x|²|q|²) / (y∥ c_x + c_y |x|)      for y∥ = y·x̂ > 0
///   p = y∥ c_x − c_y |x|                                               else
/// along; the vector is asinh(s)/s · (p x̂ + q), s = √|κ| |(p, q)|.
inline void log_map(const Block& block) {
  const Curvature kappa(block.curvature);
  const std::size_t n = block.dim;
  for_each_pack(block, [&](std::size_t row) HWY_ATTR {
    const Columns x(block.x, row);
    const Columns y(block.y, row);
    const Output e(block.out, row);
    const Pack norm = sqrt(dot(x, x, n));
    const Direction along(x, norm);
    const Rejection across(x, y, n);
    Pack qq = all(0);
    Pack difference_along = all(0);
    for (std::size_t j = 0; j < n; ++j) {
      qq = qq + square(across[j]);
      difference_along = difference_along + (y[j] - x[j]) * along[j];
    }
    const Pack y_along = dot(y, along, n);
    const Pack x_factor = lorentz_factor(square(norm), kappa);
    const Pack y_factor = lorentz_factor(dot(y, y, n), kappa);
    const Pack sum = y_along * x_factor + y_factor * norm;
    const Mask ahead = y_along > all(0);
    const Pack safe = select(ahead, sum, all(1));
    const Pack bend = kappa.root * norm * sqrt(qq);
    const Pack p_ahead = difference_along * ((y_along + norm) / safe) - bend * (bend / safe);
    const Pack p = select(ahead, p_ahead, y_along * x_factor - y_factor * norm);
    const Pack shrink = asinhc(kappa.root * hypotenuse(p, sqrt(qq)));
    for (std::size_t j = 0; j < n; ++j) {
      e.set(j, shrink * (p * along[j] + across[j]));
    }
  });
}

/// Parallel transport from x to y. Canonical vectors are already carried to the origin, so what is left is
/// the holonomy of the triangle (0, x, y): a rotation in the plane of x and y by the triangle's area δ|κ|,
///   tan(δ/2) = |κ||x∧y| / (1 + c_x + c_y + cosh d).
inline void transport(const Block& block) {
  const Curvature kappa(block.curvature);
  const std::size_t n = block.dim;
  for_each_pack(block, [&](std::size_t row) HWY_ATTR {
    const Columns x(block.x, row);
    const Columns y(block.y, row);
    const Columns e(block.v, row);
    const Output out(block.out, row);
    const Pack norm = sqrt(dot(x, x, n));
    const Direction first(x, norm);
    const Rejection across(x, y, n);
    const Pack across_norm = sqrt(dot(across, across, n));
    const Direction second(across, across_norm);
    const Pack sides = lorentz_factor(square(norm), kappa) + lorentz_factor(dot(y, y, n), kappa);
    const Pack denominator = (all(2) + sides) + versed(x, y, n, kappa);
    const Pack tangent = (kappa.root * norm / denominator) * (kappa.root * across_norm);
    const Pack sine = all(2) * tangent / (all(1) + square(tangent));
    const Pack cosine_minus_one = hn::Neg(tangent * sine);
    const Pack a = dot(e, first, n);
    const Pack b = dot(e, second, n);
    const Pack along_first = a * cosine_minus_one + b * sine;
    const Pack along_second = b * cosine_minus_one - a * sine;
    for (std::size_t j = 0; j < n; ++j) {
      out.set(j, e[j] + along_first * first[j] + along_second * second[j]);
    }
  });
}

/// γ(t) = (sinh((1−t)D) x + sinh(tD) y) / sinh D with D = d(x, y)/R.
inline void geodesic(const Block& block) {
  const Curvature kappa(block.curvature);
  for_each_pack(block, [&](std::size_t row) HWY_ATTR {
    const Columns x(block.x, row);
    const Columns y(block.y, row);
    const Pack time = Columns(block.v, row)[0];
    const Pack length = arcosh1p(versed(x, y, block.dim, kappa));
    const Mask still = length == all(0);
    const Pack whole = select(still, all(1), sinh(length));
    const Pack x_share = select(still, all(1) - time, sinh((all(1) - time) * length) / whole);
    const Pack y_share = select(still, time, sinh(time * length) / whole);
    for (std::size_t j = 0; j < block.dim; ++j) {
      Output(block.out, row).set(j, x_share * x[j] + y_share * y[j]);
    }
  });
}

/// (x + y) / (2 cosh(D/2)), the normalised sum.
inline void midpoint(const Block& block) {
  const Curvature kappa(block.curvature);
  for_each_pack(block, [&](std::size_t row) HWY_ATTR {
    const Columns x(block.x, row);
    const Columns y(block.y, row);
    const Pack half_cosh =
        sqrt(all(1) + all(0.5) * versed(x, y, block.dim, kappa));
    for (std::size_t j = 0; j < block.dim; ++j) {
      Output(block.out, row).set(j, (x[j] + y[j]) / (all(2) * half_cosh));
    }
  });
}

/// x_0 along the geodesic is least at s with cosh(D − s) c_x = cosh(s) c_y, that is
///   s = ½ log((e^D − c_y/c_x) / (c_y/c_x − e^−D)), cut to the segment [0, D].
inline void ancestor(const Block& block) {
  const Curvature kappa(block.curvature);
  const std::size_t n = block.dim;
  for_each_pack(block, [&](std::size_t row) HWY_ATTR {
    const Columns x(block.x, row);
    const Columns y(block.y, row);
    const Pack versed_distance = versed(x, y, n, kappa);
    const Pack cosh_distance = all(1) + versed_distance;
    const Pack length = arcosh1p(versed_distance);
    const Pack ratio = lorentz_factor(dot(y, y, n), kappa) / lorentz_factor(dot(x, x, n), kappa);
    const Mask at_x = ratio >= cosh_distance;
    const Mask at_y = all(1) / ratio >= cosh_distance;
    const Pack growth = select(versed_distance > all(1e150), all(2) * cosh_distance,
                               cosh_distance + sqrt(versed_distance * (versed_distance + all(2))));
    const Mask outside = hn::Or(at_x, at_y);
    const Pack quotient = (growth - ratio) / (ratio - all(1) / growth);
    const Pack foot = all(0.5) * log(select(outside, all(1), quotient));
    const Pack time = hn::Min(hn::Max(foot / select(length == all(0), all(1), length), all(0)), all(1));
    Output(block.out, row).set(0, select(at_x, all(0), select(at_y, all(1), time)));
  });
}

/// B_w = R log(c − √|κ| w·x) for the unit direction w, which cancels towards w; there it is
/// R log((1 + |κ||x⊥w|²) / (c + √|κ| w·x)).
inline void busemann(const Block& block) {
  const Curvature kappa(block.curvature);
  const std::size_t n = block.dim;
  for_each_pack(block, [&](std::size_t row) HWY_ATTR {
    const Columns x(block.x, row);
    const Columns w(block.v, row);
    const Pack along = kappa.root * dot(w, x, n) / sqrt(dot(w, w, n));
    const Rejection across(w, x, n);
    const Pack factor = lorentz_factor(dot(x, x, n), kappa);
    const Mask towards = along > all(0);
    const Pack numerator =
        select(towards, all(1) + kappa.size * dot(across, across, n), factor - along);
    const Pack denominator = select(towards, factor + along, all(1));
    const Pack level = log(numerator / denominator);
    Output(block.out, row).set(0, level / kappa.root);
  });
}

/// The rapidities ρ_j = asinh(√|κ| x_j / √b), b = 1 + |κ| Σ_{i≠j} x_i²: equal to artanh(x_j / x_0), which
/// loses all digits near infinity. With a = √|κ||x_j| and √(a² + b) = c, asinh's own square root is free:
///   |ρ_j| = log1p((a/√b)(1 + a/(√b + c))).
inline void natural(const Block& block) {
  const Curvature kappa(block.curvature);
  const std::size_t n = block.dim;
  for_each_pack(block, [&](std::size_t row) HWY_ATTR {
    const Columns x(block.x, row);
    const Columns later(block.out, row);
    const Output out(block.out, row);
    Pack sum = all(0);
    for (std::size_t j = n; j-- > 0;) {  // sums of later squares wait in the output columns
      out.set(j, sum);
      sum = sum + square(x[j]);
    }
    const Pack factor = lorentz_factor(sum, kappa);
    Pack earlier = all(0);
    for (std::size_t j = 0; j < n; ++j) {
      const Pack a = kappa.root * abs(x[j]);
      const Pack root_b = sqrt(all(1) + kappa.size * (earlier + later[j]));
      const Pack argument = (a / root_b) * (all(1) + a / (root_b + factor));
      earlier = earlier + square(x[j]);
      out.set(j, hn::CopySign(log1p(argument), x[j]));
    }
  });
}

inline void inner(const Block& block) { dot_product(block, block.dim); }

}  // namespace bentwood::kernels::HWY_NAMESPACE::hyperbolic
HWY_AFTER_NAMESPACE();

#endif
