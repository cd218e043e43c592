// The coordinates of H^n: from and to canonical points and vectors. Included once for every instruction set.
//
// All coordinates of H^n are radial: a point at distance r in direction x̂ has coordinates f(r) x̂ with
//   ambient (spatial part) R sinh(r/R),  Poincaré R tanh(r/2R),  Klein R tanh(r/R),  tangent r.
// Hence a canonical vector a x̂ + b (b across x̂) has components f'(r) a x̂ + (f(r) / R sinh(r/R)) b.
#if defined(BENTWOOD_GEOMETRY_KERNELS_HYPERBOLIC_CHARTS_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef BENTWOOD_GEOMETRY_KERNELS_HYPERBOLIC_CHARTS_INL_HPP
#undef BENTWOOD_GEOMETRY_KERNELS_HYPERBOLIC_CHARTS_INL_HPP
#else
#define BENTWOOD_GEOMETRY_KERNELS_HYPERBOLIC_CHARTS_INL_HPP
#endif

#include "bentwood/geometry/kernels/hyperbolic-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace bentwood::kernels::HWY_NAMESPACE::hyperbolic {

/// √|κ| r above which cosh² r overflows; points beyond are refused.
constexpr double largest_radius = 350;
/// Points of a ball with norm ≥ R are scaled to this share of R: distance 33 (Poincaré), 16.5 (Klein).
constexpr double just_inside = 1 - 1e-14;

/// The residual is |⟨x,x⟩_L + R²| / 2(R² + |x|²) in ambient coordinates, to first order the relative error of
/// x_0; in a ball |p|/R − 1 where that is not negative.
template <Coordinates coordinates>
inline void from(const Block& block) {
  const Curvature kappa(block.curvature);
  const std::size_t n = block.dim;
  const Pack infinite = all(std::numeric_limits<double>::infinity());
  const Pack largest_square = all(std::pow(std::cosh(largest_radius), 2));
  const Pack allowed = all(0.99 * block.allowed);  // what passes here passes the division, too
  for_each_pack(block, [&](std::size_t row) HWY_ATTR {
    constexpr std::size_t first = coordinates == Coordinates::ambient ? 1 : 0;
    const Columns p(block.x + first * block_rows, row);
    Pack scale = all(1);
    Pack residual = all(0);
    Mask on = all(0) < all(1);  // implies that all coordinates are finite
    if constexpr (coordinates == Coordinates::ambient) {
      const Pack x0 = Columns(block.x, row)[0];
      const Pack expected = all(1) + kappa.size * dot(p, p, n);
      const Pack off = abs(kappa.size * square(x0) - expected);
      const Pack unit = all(2) * expected;
      const Mask possible = hn::And(x0 > all(0), expected <= largest_square);
      on = hn::And(possible, off <= allowed * unit);
      if (HWY_UNLIKELY(!hn::AllTrue(Tag(), on))) {
        residual = select(on, all(0), select(possible, off / unit, infinite)) + all(0) * x0;
      }
    } else if constexpr (coordinates == Coordinates::tangent) {
      const Pack norm = kappa.root * sqrt(dot(p, p, n));
      on = norm <= all(largest_radius);
      residual = select(on, all(0), infinite);
      scale = sinhc(hn::Min(norm, all(largest_radius)));
    } else {
      const Pack gap = boundary_gap(p, n, block.curvature);
      on = gap > all(0);
      if (HWY_UNLIKELY(!hn::AllTrue(Tag(), on))) {
        const Pack excess = kappa.root * sqrt(dot(p, p, n)) - all(1);
        residual = select(on, all(0), hn::Max(excess, all(0x1p-53)));
      }
      scale = coordinates == Coordinates::poincare ? all(2) / gap : all(1) / sqrt(gap);
    }
    for (std::size_t j = 0; j < n; ++j) {
      Output(block.out, row).set(j, p[j]);
    }
    if (HWY_UNLIKELY(!hn::AllTrue(Tag(), on))) {
      for (std::size_t j = 0; j < n; ++j) {
        residual = residual + all(0) * p[j];  // NaN where a coordinate is NaN or infinite
      }
    }
    Output(block.out, row).set(n, scale);
    Output(block.residual, row).set(0, residual);
  });
}

template <Coordinates coordinates>
inline void to(const Block& block) {
  const Curvature kappa(block.curvature);
  const std::size_t n = block.dim;
  for_each_pack(block, [&](std::size_t row) HWY_ATTR {
    const auto x = point(block.x, row, n);
    const Output out(block.out, row);
    const Pack squared_norm = dot(x, x, n);
    const Pack factor = lorentz_factor(squared_norm, kappa);
    constexpr std::size_t first = coordinates == Coordinates::ambient ? 1 : 0;
    Pack scale = all(1);
    if constexpr (coordinates == Coordinates::ambient) {
      out.set(0, factor / kappa.root);
    } else if constexpr (coordinates == Coordinates::poincare) {
      scale = all(1) / (all(1) + factor);
    } else if constexpr (coordinates == Coordinates::klein) {
      scale = all(1) / factor;
    } else {
      scale = asinhc(kappa.root * sqrt(squared_norm));
    }
    const Pack whole = scale * x.scale;
    for (std::size_t j = 0; j < n; ++j) {
      out.set(first + j, whole * x.p[j]);
    }
    if constexpr (coordinates == Coordinates::poincare || coordinates == Coordinates::klein) {
      // Far out the ball has no number left between the point and the boundary: 1 − |p|/R is about
      // 1/c (Poincaré) or 1/2c² (Klein), and what is below ε would come back as another radius.
      constexpr double last = coordinates == Coordinates::poincare ? 0x1p52 : 0x1p26;
      if (any(factor > all(1e6))) {
        const Columns p(block.out, row);
        const Mask saturated =
            hn::Or(factor > all(last), boundary_gap(p, n, block.curvature) <= all(0));
        for (std::size_t j = 0; j < n; ++j) {
          out.set(j, select(saturated, all(std::numeric_limits<double>::quiet_NaN()), p[j]));
        }
      }
    }
  });
}

template <Coordinates coordinates>
inline void project(const Block& block) {
  const Curvature kappa(block.curvature);
  const std::size_t n = block.dim;
  for_each_pack(block, [&](std::size_t row) HWY_ATTR {
    const Columns p(block.x, row);
    const Output out(block.out, row);
    if constexpr (coordinates == Coordinates::ambient) {
      const Columns x(block.x + block_rows, row);
      out.set(0, lorentz_factor(dot(x, x, n), kappa) / kappa.root);
      for (std::size_t j = 0; j < n; ++j) {
        out.set(j + 1, x[j]);
      }
    } else {
      Pack scale = all(1);
      if constexpr (coordinates != Coordinates::tangent) {
        const Mask inside = boundary_gap(p, n, block.curvature) > all(0);
        const Pack norm = kappa.root * sqrt(dot(p, p, n));
        scale = select(inside, all(1), all(just_inside) / norm);
      }
      for (std::size_t j = 0; j < n; ++j) {
        out.set(j, scale * p[j]);
      }
    }
  });
}

/// f'(r) and f(r) / R sinh(r/R) of the radial coordinates f at a point with Lorentz factor c.
struct Scales {
  Pack along;
  Pack across;
};

template <Coordinates coordinates>
HWY_INLINE Scales scales(Pack norm, const Curvature& kappa) {
  const Pack factor = lorentz_factor(square(norm), kappa);
  if constexpr (coordinates == Coordinates::ambient) {
    return {factor, all(1)};
  } else if constexpr (coordinates == Coordinates::poincare) {
    const Pack conformal = all(1) / (all(1) + factor);
    return {conformal, conformal};
  } else if constexpr (coordinates == Coordinates::klein) {
    return {all(1) / square(factor), all(1) / factor};
  } else {
    return {all(1), asinhc(kappa.root * norm)};
  }
}

template <Coordinates coordinates>
inline void vector_from(const Block& block) {
  const Curvature kappa(block.curvature);
  const std::size_t n = block.dim;
  constexpr std::size_t first = coordinates == Coordinates::ambient ? 1 : 0;
  for_each_pack(block, [&](std::size_t row) HWY_ATTR {
    const auto x = point(block.x, row, n);
    const Columns v(block.v + first * block_rows, row);
    const Pack norm = sqrt(dot(x, x, n));
    const Scales scale = scales<coordinates>(norm, kappa);
    const Direction along(x, norm);
    const Rejection across(x.p, v, all(1), beyond_projections(square(norm), kappa), n);
    const Pack advance = dot(v, along, n) / scale.along;
    for (std::size_t j = 0; j < n; ++j) {
      Output(block.out, row).set(j, across[j] / scale.across + advance * along[j]);
    }
  });
}

template <Coordinates coordinates>
inline void vector_to(const Block& block) {
  const Curvature kappa(block.curvature);
  const std::size_t n = block.dim;
  constexpr std::size_t first = coordinates == Coordinates::ambient ? 1 : 0;
  for_each_pack(block, [&](std::size_t row) HWY_ATTR {
    const auto x = point(block.x, row, n);
    const Columns e(block.v, row);
    const Output out(block.out, row);
    const Pack norm = sqrt(dot(x, x, n));
    const Scales scale = scales<coordinates>(norm, kappa);
    const Direction along(x, norm);
    const Pack a = dot(e, along, n);
    for (std::size_t j = 0; j < n; ++j) {
      out.set(first + j, scale.across * (e[j] - a * along[j]) + scale.along * a * along[j]);
    }
    if constexpr (coordinates == Coordinates::ambient) {
      out.set(0, kappa.root * norm * a);  // orthogonal to the point: x_0 v_0 = x·v
    }
  });
}

inline void vector_residual(const Block& block) {
  const Curvature kappa(block.curvature);
  const std::size_t n = block.dim;
  for_each_pack(block, [&](std::size_t row) HWY_ATTR {
    const auto x = point(block.x, row, n);
    const Pack v0 = Columns(block.v, row)[0];
    const Columns v(block.v + block_rows, row);
    const Pack x0 = lorentz_factor(dot(x, x, n), kappa) / kappa.root;
    const Pack size = x0 * (abs(v0) + sqrt(dot(v, v, n)));
    const Pack off = abs(x0 * v0 - dot(x, v, n));
    Output(block.out, row).set(0, off / select(size == all(0), all(1), size));
  });
}

}  // namespace bentwood::kernels::HWY_NAMESPACE::hyperbolic
HWY_AFTER_NAMESPACE();

#endif
