// The coordinates of S^n: from and to canonical points and vectors. Included once for every instruction set.
//
// Radial as on H^n: the point at distance r from the origin in direction p̂ has coordinates f(r) p̂ with
//   stereographic R tan(r/2R),  Klein (gnomonic) R tan(r/R),  tangent r.
#if defined(BENTWOOD_GEOMETRY_KERNELS_SPHERICAL_CHARTS_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef BENTWOOD_GEOMETRY_KERNELS_SPHERICAL_CHARTS_INL_HPP
#undef BENTWOOD_GEOMETRY_KERNELS_SPHERICAL_CHARTS_INL_HPP
#else
#define BENTWOOD_GEOMETRY_KERNELS_SPHERICAL_CHARTS_INL_HPP
#endif

#include "bentwood/geometry/kernels/spherical-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace bentwood::kernels::HWY_NAMESPACE::spherical {

/// The residual is ||x|/R − 1| in ambient coordinates; in others any numbers will do whose norm, in units of R, is one.
template <Coordinates coordinates>
inline void from(const Block& block) {
  const std::size_t n = block.dim;
  for_each_pack(block, [&](std::size_t row) HWY_ATTR {
    const Columns p(block.x, row);
    const Output out(block.out, row);
    const Pack root = root_curvature(block);
    constexpr std::size_t first = coordinates == Coordinates::ambient ? 0 : 1;
    const std::size_t columns = n + 1 - first;
    const Pack length = norm(p, columns);
    Pack residual = all(0);
    Pack scale = root;
    // Where 1 + r² may overflow, points are their direction times this.
    Mask is_far = all(1) == all(0);
    Pack far_scale = all(1);
    if constexpr (coordinates == Coordinates::ambient) {
      scale = all(1) / length;
      residual = select(length == all(0), all(std::numeric_limits<double>::infinity()),
                        abs(root * length - all(1)));
    } else {
      const Pack r = root * length;
      residual = select(r > all(std::numeric_limits<double>::max()),
                        all(std::numeric_limits<double>::infinity()), residual);
      Pack height = all(1);
      if constexpr (coordinates == Coordinates::poincare) {
        const Pack sum = all(1) + square(r);
        is_far = r > all(1e150);
        far_scale = all(2) / r;
        height = select(is_far, all(-1), (all(1) - r) * (all(1) + r) / sum);
        scale = all(2) * root / sum;
      } else if constexpr (coordinates == Coordinates::klein) {
        is_far = r > all(1e150);
        height = select(is_far, all(1) / r, all(1) / sqrt(all(1) + square(r)));
        scale = root * height;
      } else {
        height = cos(r);
        scale = root * select(r == all(0), all(1), sin(r) / r);
      }
      out.set(0, height);
    }
    for (std::size_t j = 0; j < columns; ++j) {
      residual = residual + all(0) * p[j];  // NaN where a coordinate is NaN or infinite
      out.set(first + j, scale * p[j]);
    }
    if (HWY_UNLIKELY(any(is_far))) {
      for (std::size_t j = 0; j < columns; ++j) {
        out.set(first + j, select(is_far, far_scale * (p[j] / length), scale * p[j]));
      }
    }
    Output(block.residual, row).set(0, residual);
  });
}

template <Coordinates coordinates>
inline void to(const Block& block) {
  const std::size_t n = block.dim;
  const Pack nowhere = all(std::numeric_limits<double>::quiet_NaN());
  for_each_pack(block, [&](std::size_t row) HWY_ATTR {
    const Columns u(block.x, row);
    const Columns rest(block.x + block_rows, row);
    const Output out(block.out, row);
    const Pack root = root_curvature(block);
    if constexpr (coordinates == Coordinates::ambient) {
      for (std::size_t j = 0; j <= n; ++j) {
        out.set(j, u[j] / root);
      }
    } else {
      const Pack squared = dot(rest, rest, n);
      const Mask pole = squared == all(0);
      const Mask below = u[0] < all(0);
      const Pack safe = select(pole, all(1), squared);
      Pack scale = all(1);
      Pack at_pole = all(0);  // the first coordinate of the south pole
      if constexpr (coordinates == Coordinates::poincare) {
        scale = select(below, (all(1) - u[0]) / safe, all(1) / (all(1) + u[0]));
        at_pole = nowhere;
      } else if constexpr (coordinates == Coordinates::klein) {
        scale = select(u[0] > all(0), all(1) / u[0], nowhere);
        at_pole = nowhere;
      } else {
        const Pack height = sqrt(safe);
        // Towards the north pole the ratio tends to 1, also where squares vanish.
        scale = select(pole, select(below, all(0), all(1)), atan2(height, u[0]) / height);
        at_pole = all(std::numbers::pi);
      }
      const Mask south = hn::And(pole, below);
      for (std::size_t j = 0; j < n; ++j) {
        const Pack usual = scale * rest[j] / root;
        out.set(j, j == 0 ? select(south, at_pole / root, usual) : usual);
      }
    }
  });
}

template <Coordinates coordinates>
inline void project(const Block& block) {
  const std::size_t columns = block.dim + (coordinates == Coordinates::ambient ? 1 : 0);
  for_each_pack(block, [&](std::size_t row) HWY_ATTR {
    const Columns p(block.x, row);
    Pack scale = all(1);
    Pack lift = all(1);
    if constexpr (coordinates == Coordinates::ambient) {
      const Pack length = norm(p, columns);
      // The inverse of the smallest lengths is no number.
      lift = select(length < all(1e-290), all(0x1p900), lift);
      scale = all(1) / (root_curvature(block) * (lift * length));
    }
    for (std::size_t j = 0; j < columns; ++j) {
      Output(block.out, row).set(j, scale * (lift * p[j]));
    }
  });
}

/// f'(r) and f(r) / R sin(r/R) of the radial coordinates f.
struct Scales {
  Pack along;
  Pack across;
};

template <Coordinates coordinates>
HWY_INLINE Scales scales(Pack u0, Pack height) {
  if constexpr (coordinates == Coordinates::poincare) {
    const Pack conformal = all(1) / (all(1) + u0);
    return {conformal, conformal};
  } else if constexpr (coordinates == Coordinates::klein) {
    return {all(1) / square(u0), all(1) / u0};
  } else {
    const Pack safe = select(height == all(0), all(1), height);
    return {all(1), select(height == all(0), all(1), atan2(height, u0) / safe)};
  }
}

/// At u the vector along the meridian away from the origin is (−sin r, cos r p̂).
template <Coordinates coordinates>
inline void vector_from(const Block& block) {
  const std::size_t n = block.dim;
  for_each_pack(block, [&](std::size_t row) HWY_ATTR {
    const Columns v(block.v, row);
    const Output out(block.out, row);
    if constexpr (coordinates == Coordinates::ambient) {
      for (std::size_t j = 0; j <= n; ++j) {
        out.set(j, v[j]);
      }
    } else {
      const Pack u0 = Columns(block.x, row)[0];
      const Columns rest(block.x + block_rows, row);
      const Pack height = sqrt(dot(rest, rest, n));
      const Pack inverse = select(height == all(0), all(0), all(1) / height);
      const Scales scale = scales<coordinates>(u0, height);
      const Pack component = dot(v, rest, n) * inverse;
      const Pack along = component / scale.along;
      out.set(0, hn::Neg(height * along));
      for (std::size_t j = 0; j < n; ++j) {
        const Pack meridian = rest[j] * inverse;
        out.set(j + 1, (v[j] - component * meridian) / scale.across + u0 * along * meridian);
      }
    }
  });
}

template <Coordinates coordinates>
inline void vector_to(const Block& block) {
  const std::size_t n = block.dim;
  for_each_pack(block, [&](std::size_t row) HWY_ATTR {
    const Columns v(block.v, row);
    const Output out(block.out, row);
    if constexpr (coordinates == Coordinates::ambient) {
      for (std::size_t j = 0; j <= n; ++j) {
        out.set(j, v[j]);
      }
    } else {
      const Pack u0 = Columns(block.x, row)[0];
      const Columns rest(block.x + block_rows, row);
      const Columns v_rest(block.v + block_rows, row);
      const Pack height = sqrt(dot(rest, rest, n));
      const Pack inverse = select(height == all(0), all(0), all(1) / height);
      const Scales scale = scales<coordinates>(u0, height);
      const Pack component = dot(v_rest, rest, n) * inverse;
      const Pack along = scale.along * (u0 * component - height * v[0]);
      for (std::size_t j = 0; j < n; ++j) {
        const Pack meridian = rest[j] * inverse;
        out.set(j, scale.across * (v_rest[j] - component * meridian) + along * meridian);
      }
    }
  });
}

inline void vector_residual(const Block& block) {
  const std::size_t columns = block.dim + 1;
  for_each_pack(block, [&](std::size_t row) HWY_ATTR {
    const Columns x(block.x, row);
    const Columns v(block.v, row);
    const Pack size = sqrt(dot(v, v, columns));
    Output(block.out, row).set(0, abs(dot(x, v, columns)) / select(size == all(0), all(1), size));
  });
}

}  // namespace bentwood::kernels::HWY_NAMESPACE::spherical
HWY_AFTER_NAMESPACE();

#endif
