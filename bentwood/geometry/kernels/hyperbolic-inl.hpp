// The geometry of H^n on packs of canonical points, beyond distances. Included once for every
// instruction set.
#if defined(BENTWOOD_GEOMETRY_KERNELS_HYPERBOLIC_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef BENTWOOD_GEOMETRY_KERNELS_HYPERBOLIC_INL_HPP
#undef BENTWOOD_GEOMETRY_KERNELS_HYPERBOLIC_INL_HPP
#else
#define BENTWOOD_GEOMETRY_KERNELS_HYPERBOLIC_INL_HPP
#endif

#include "bentwood/geometry/kernels/hyperbolic_distance-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace bentwood::kernels::HWY_NAMESPACE::hyperbolic {

inline void radius(const Block& block) {
  const Curvature kappa(block.curvature);
  for_each_pack(block, [&](std::size_t row) HWY_ATTR {
    const auto x = point(block.x, row, block.dim);
    Output(block.out, row).set(0, asinh(kappa.root * norm(x, block.dim)) / kappa.root);
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
    const auto x = point(block.x, row, block.dim);
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
    const Pack rapidity = asinh(kappa.root * norm) + asinh(kappa.root * growth * a / across_factor);
    const Pack advance = across_factor * sinh(rapidity) / kappa.root;
    for (std::size_t j = 0; j < n; ++j) {
      y.set(j, growth * (e[j] - a * along[j]) + advance * along[j]);
    }
    y.set(n, all(1));
  });
}

/// Where y is in the frame of x, coordinates p along x̂ and q across; the inverse of `exp_map`. After the boost along x̂
///   p = ((y∥ − |x|)(y∥ + |x|) − |κ||x|²|q|²) / (y∥ c_x + c_y |x|)      for y∥ = y·x̂ > 0
///   p = y∥ c_x − c_y |x|                                               else
/// with q = y⊥x and y∥ = y·x̂. Calls use(row, p x̂ + q as columns, √|κ| |(p, q)|).
template <class Use>
HWY_INLINE void for_each_frame(const Block& block, Use use) {
  const Curvature kappa(block.curvature);
  const std::size_t n = block.dim;
  for_each_pack(block, [&](std::size_t row) HWY_ATTR {
    const auto x = point(block.x, row, block.dim);
    const auto y = point(block.y, row, block.dim);
    const Pack norm = sqrt(dot(x, x, n));
    const Direction along(x, norm);
    const Mask far = beyond_projections(hn::Max(dot(x, x, n), dot(y, y, n)), kappa);
    const Rejection across(x.p, y.p, y.scale, far, n);
    Pack qq = all(0);
    Pack difference_along = all(0);
    for (std::size_t j = 0; j < n; ++j) {
      qq = qq + square(across[j]);
      difference_along = difference_along + difference(x, y, j) * along[j];
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
    use(
        row, [&](std::size_t j) HWY_ATTR { return p * along[j] + across[j]; },
        kappa.root * hypotenuse(p, sqrt(qq)));
  });
}

/// log: the vector asinh(s)/s · (p x̂ + q), s = √|κ| |(p, q)|.
inline void log_map(const Block& block) {
  for_each_frame(block, [&](std::size_t row, const auto& seen, Pack size) HWY_ATTR {
    const Output e(block.out, row);
    const Pack shrink = asinhc(size);
    for (std::size_t j = 0; j < block.dim; ++j) {
      e.set(j, shrink * seen(j));
    }
  });
}

/// p x̂ + q itself, and cosh d − 1 = s²/(1 + √(1 + s²)).
inline void frame(const Block& block) {
  for_each_frame(block, [&](std::size_t row, const auto& seen, Pack size) HWY_ATTR {
    const Output e(block.out, row);
    for (std::size_t j = 0; j < block.dim; ++j) {
      e.set(j, seen(j));
    }
    e.set(block.dim, size * (size / (all(1) + hypotenuse(all(1), size))));
  });
}

/// Parallel transport from x to y. Canonical vectors are already carried to the origin, so what is left is
/// the holonomy of the triangle (0, x, y): a rotation in the plane of x and y by the triangle's area δ|κ|,
///   tan(δ/2) = |κ||x∧y| / (1 + c_x + c_y + cosh d).
inline void transport(const Block& block) {
  const Curvature kappa(block.curvature);
  const std::size_t n = block.dim;
  for_each_pack(block, [&](std::size_t row) HWY_ATTR {
    const auto x = point(block.x, row, block.dim);
    const auto y = point(block.y, row, block.dim);
    const Columns e(block.v, row);
    const Output out(block.out, row);
    const Pack norm = sqrt(dot(x, x, n));
    const Direction first(x, norm);
    const Mask far = beyond_projections(hn::Max(dot(x, x, n), dot(y, y, n)), kappa);
    const Rejection across(x.p, y.p, y.scale, far, n);
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
    const auto x = point(block.x, row, block.dim);
    const auto y = point(block.y, row, block.dim);
    const Pack time = Columns(block.v, row)[0];
    const Pack length = arcosh1p(versed(x, y, block.dim, kappa));
    const Mask still = length == all(0);
    const Pack whole = select(still, all(1), sinh(length));
    const Pack x_share = select(still, all(1) - time, sinh((all(1) - time) * length) / whole);
    const Pack y_share = select(still, time, sinh(time * length) / whole);
    for (std::size_t j = 0; j < block.dim; ++j) {
      Output(block.out, row).set(j, x_share * x[j] + y_share * y[j]);
    }
    Output(block.out, row).set(block.dim, all(1));
  });
}

/// (x + y) / (2 cosh(D/2)), the normalised sum.
inline void midpoint(const Block& block) {
  const Curvature kappa(block.curvature);
  for_each_pack(block, [&](std::size_t row) HWY_ATTR {
    const auto x = point(block.x, row, block.dim);
    const auto y = point(block.y, row, block.dim);
    const Pack half_cosh = sqrt(all(1) + all(0.5) * versed(x, y, block.dim, kappa));
    for (std::size_t j = 0; j < block.dim; ++j) {
      Output(block.out, row).set(j, (x[j] + y[j]) / (all(2) * half_cosh));
    }
    Output(block.out, row).set(block.dim, all(1));
  });
}

/// x_0 along the geodesic is least at s with cosh(D − s) c_x = cosh(s) c_y, that is
///   s = ½ log((e^D − c_y/c_x) / (c_y/c_x − e^−D)), cut to the segment [0, D].
inline void ancestor(const Block& block) {
  const Curvature kappa(block.curvature);
  const std::size_t n = block.dim;
  for_each_pack(block, [&](std::size_t row) HWY_ATTR {
    const auto x = point(block.x, row, block.dim);
    const auto y = point(block.y, row, block.dim);
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
    const Pack time =
        hn::Min(hn::Max(foot / select(length == all(0), all(1), length), all(0)), all(1));
    Output(block.out, row).set(0, select(at_x, all(0), select(at_y, all(1), time)));
  });
}

/// B_w = R log(c − √|κ| w·x) for the unit direction w, which cancels towards w; there it is
/// R log((1 + |κ||x⊥w|²) / (c + √|κ| w·x)). Near the origin, where the logarithm's argument is near 1, it is
/// R log1p(|κ||x|²/(1 + c) − √|κ| w·x).
inline void busemann(const Block& block) {
  const Curvature kappa(block.curvature);
  const std::size_t n = block.dim;
  for_each_pack(block, [&](std::size_t row) HWY_ATTR {
    const auto x = point(block.x, row, block.dim);
    const Columns w(block.v, row);
    const Pack along = kappa.root * dot(w, x, n) / sqrt(dot(w, w, n));
    const Rejection across(w, x.p, x.scale, beyond_projections(dot(x, x, n), kappa), n);
    const Pack squared = kappa.size * dot(x, x, n);
    const Pack factor = sqrt(all(1) + squared);
    const Mask towards = along > all(0);
    const Pack numerator =
        select(towards, all(1) + kappa.size * dot(across, across, n), factor - along);
    const Pack denominator = select(towards, factor + along, all(1));
    const Pack excess = squared / (all(1) + factor) - along;
    const Mask near = abs(excess) < all(0.25);
    const Pack level =
        select(near, hn::Log1p(Tag(), select(near, excess, all(0))), log(numerator / denominator));
    Output(block.out, row).set(0, level / kappa.root);
  });
}

/// The rapidities ρ_j = artanh(x_j / x_0), which as written loses all digits near infinity. With
/// u = √|κ| x, a = |u_j|, b = 1 + Σ_{i≠j} u_i² and c = √(a² + b):  |ρ_j| = ½ log1p(2a(a + c) / b).
inline void natural(const Block& block) {
  const Curvature kappa(block.curvature);
  with_small_dim(block.dim, [&](auto n) HWY_ATTR {
    for_each_pack(block, [&](std::size_t row) HWY_ATTR {
      const Columns p(block.x, row);
      const Point<Columns> u{p, kappa.root * p[n]};
      const Columns later(block.out, row);
      const Output out(block.out, row);
      Pack sum = all(1);
      for (std::size_t j = n; j-- > 0;) {  // 1 + sums of later squares wait in the output columns
        out.set(j, sum);
        sum = sum + square(u[j]);
      }
      const Pack factor = sqrt(sum);
      Pack earlier = all(0);
      for (std::size_t j = 0; j < n; ++j) {
        const Pack a = abs(u[j]);
        const Pack b = j == 0 ? later[0] : earlier + later[j];
        const Pack rapidity = half_log1p_quotient(a * (a + factor), b);
        earlier = j == 0 ? square(a) : earlier + square(a);
        out.set(j, hn::CopySign(rapidity, u[j]));
      }
    });
  });
}

inline void inner(const Block& block) { dot_product(block, block.dim); }

}  // namespace bentwood::kernels::HWY_NAMESPACE::hyperbolic
HWY_AFTER_NAMESPACE();

#endif
