// The geometry of S^n on packs of canonical points. Included once for every instruction set.
//
// A canonical point is a unit vector u of n + 1 coordinates; the origin is u_0 = 1. A canonical vector is an
// ambient one, orthogonal to u, in units of length.
#if defined(BENTWOOD_GEOMETRY_KERNELS_SPHERICAL_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef BENTWOOD_GEOMETRY_KERNELS_SPHERICAL_INL_HPP
#undef BENTWOOD_GEOMETRY_KERNELS_SPHERICAL_INL_HPP
#else
#define BENTWOOD_GEOMETRY_KERNELS_SPHERICAL_INL_HPP
#endif

#include "bentwood/geometry/kernels/pack-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace bentwood::kernels::HWY_NAMESPACE::spherical {

HWY_INLINE Pack root_curvature(const Block& block) { return all(std::sqrt(block.curvature)); }

HWY_INLINE Pack radius_of(const Block& block) { return all(1 / std::sqrt(block.curvature)); }

/// |x − y| and |x + y|, which hold the angle to full accuracy near 0 and near π.
struct Chords {
  Pack difference;
  Pack sum;
};

template <class X, class Y>
HWY_INLINE Chords chords(const X& x, const Y& y, std::size_t columns) {
  Pack difference = all(0);
  Pack sum = all(0);
  for (std::size_t j = 0; j < columns; ++j) {
    difference = difference + square(x[j] - y[j]);
    sum = sum + square(x[j] + y[j]);
  }
  return {sqrt(difference), sqrt(sum)};
}

/// The angle between unit vectors: 2 atan2(|x − y|, |x + y|).
HWY_INLINE Pack angle(const Chords& chord) { return all(2) * atan2(chord.difference, chord.sum); }

/// The unit vector at x towards y; for antipodal points, towards the axis that x is least along; zero
/// where x = y. Before normalising it is the shorter of the chords y − x and x + y less its part along x,
/// which is orthogonal to x to the last bits however short the chord is.
template <class X, class Y>
class Heading {
 public:
  HWY_INLINE Heading(const X& x, const Y& y, const Chords& chord, std::size_t columns)
      : x_(x), y_(y), acute_(chord.difference < chord.sum) {
    Pack along = all(0);
    for (std::size_t j = 0; j < columns; ++j) {
      along = along + x[j] * shorter_chord(j);
    }
    along_ = along / dot(x, x, columns);
    Pack squared = all(0);
    for (std::size_t j = 0; j < columns; ++j) {
      squared = squared + square(towards(j));
    }
    antipodal_ = hn::AndNot(acute_, squared == all(0));
    if (any(antipodal_)) {
      find_least_axis(columns);
    }
    const Pack norm = sqrt(squared);
    inverse_ = select(norm == all(0), all(0), all(1) / norm);
  }
  HWY_INLINE Pack operator[](std::size_t j) const {
    const Pack usual = towards(j) * inverse_;
    if (!any(antipodal_)) {
      return usual;
    }
    const Pack axis = select(least_axis_ == all(static_cast<double>(j)), all(1), all(0));
    const Pack aside = (axis - least_ * x_[j]) / sqrt(all(1) - square(least_));
    return select(antipodal_, aside, usual);
  }

 private:
  HWY_INLINE Pack shorter_chord(std::size_t j) const {
    return select(acute_, y_[j] - x_[j], y_[j] + x_[j]);
  }
  HWY_INLINE Pack towards(std::size_t j) const { return shorter_chord(j) - along_ * x_[j]; }
  HWY_INLINE void find_least_axis(std::size_t columns) {
    least_ = x_[0];
    least_axis_ = all(0);
    for (std::size_t j = 1; j < columns; ++j) {
      const Mask smaller = abs(x_[j]) < abs(least_);
      least_ = select(smaller, x_[j], least_);
      least_axis_ = select(smaller, all(static_cast<double>(j)), least_axis_);
    }
  }

  const X& x_;
  const Y& y_;
  Mask acute_;
  Mask antipodal_ = all(1) == all(0);
  Pack along_ = all(0);
  Pack inverse_ = all(0);
  Pack least_ = all(0);
  Pack least_axis_ = all(0);
};

/// The distance in units of R, from squared chords without a division: 2 asin(|x − y|/2), or beyond a right
/// angle π − 2 asin(|x + y|/2). Chords whose squares vanish are measured again.
template <class X, class Y>
HWY_INLINE Pack angle_between(const X& x, const Y& y, std::size_t columns) {
  Pack difference = all(0);
  Pack sum = all(0);
  for (std::size_t j = 0; j < columns; ++j) {
    difference = difference + square(x[j] - y[j]);
    sum = sum + square(x[j] + y[j]);
  }
  const Mask obtuse = difference > sum;
  const Pack turn = all(2) * asin_root(all(0.25) * hn::Min(difference, sum));
  const Pack result = select(obtuse, all(std::numbers::pi) - turn, turn);
  const Mask tiny = difference < all(1e-280);
  if (HWY_LIKELY(!any(tiny))) {
    return result;
  }
  return select(tiny, norm(Difference<X, Y>{x, y}, columns), result);
}

inline void distance(const Block& block) {
  with_small_dim(block.dim, [&](auto n) HWY_ATTR {
    for_each_pack(block, [&](std::size_t row) HWY_ATTR {
      const Pack turn = angle_between(Columns(block.x, row), Columns(block.y, row), n + 1);
      Output(block.out, row).set(0, turn * radius_of(block));
    });
  });
}

inline void distance_from(const Block& block) {
  const Broadcast x(block.x);
  with_small_dim(block.dim, [&](auto n) HWY_ATTR {
    for_each_pack(block, [&](std::size_t row) HWY_ATTR {
      const Pack turn = angle_between(x, Columns(block.y, row), n + 1);
      Output(block.out, row).set(0, turn * radius_of(block));
    });
  });
}

inline void radius(const Block& block) {
  for_each_pack(block, [&](std::size_t row) HWY_ATTR {
    const Columns rest(block.x + block_rows, row);
    const Pack height = norm(rest, block.dim);
    const Pack polar = atan2(height, Columns(block.x, row)[0]);
    Output(block.out, row).set(0, polar / root_curvature(block));
  });
}

/// y = cos t · x + sin t · v/|v|, t = |v|/R.
inline void exp_map(const Block& block) {
  const std::size_t columns = block.dim + 1;
  for_each_pack(block, [&](std::size_t row) HWY_ATTR {
    const Columns x(block.x, row);
    const Columns v(block.v, row);
    const Pack speed = sqrt(dot(v, v, columns));
    const Pack turn = root_curvature(block) * speed;
    const Pack share = select(speed == all(0), all(0), sin(turn) / speed);
    const Pack rest = cos(turn);
    for (std::size_t j = 0; j < columns; ++j) {
      Output(block.out, row).set(j, rest * x[j] + share * v[j]);
    }
  });
}

inline void log_map(const Block& block) {
  const std::size_t columns = block.dim + 1;
  for_each_pack(block, [&](std::size_t row) HWY_ATTR {
    const Columns x(block.x, row);
    const Columns y(block.y, row);
    const Chords chord = chords(x, y, columns);
    const Heading heading(x, y, chord, columns);
    const Pack length = angle(chord) / root_curvature(block);
    for (std::size_t j = 0; j < columns; ++j) {
      Output(block.out, row).set(j, length * heading[j]);
    }
  });
}

/// v − 2 (s·v) s, s the unit vector along x + y: the reflection that swaps x and −y. The sum of antipodal
/// points vanishes along their heading, which takes its place.
inline void transport(const Block& block) {
  const std::size_t columns = block.dim + 1;
  for_each_pack(block, [&](std::size_t row) HWY_ATTR {
    const Columns x(block.x, row);
    const Columns y(block.y, row);
    const Columns v(block.v, row);
    const Chords chord = chords(x, y, columns);
    const Heading heading(x, y, chord, columns);
    const Mask antipodal = chord.sum == all(0);
    const Pack inverse = all(1) / select(antipodal, all(1), chord.sum);
    const auto mirror = [&](std::size_t j) HWY_ATTR {
      return select(antipodal, heading[j], (x[j] + y[j]) * inverse);
    };
    Pack share = all(0);
    for (std::size_t j = 0; j < columns; ++j) {
      share = share + mirror(j) * v[j];
    }
    for (std::size_t j = 0; j < columns; ++j) {
      Output(block.out, row).set(j, v[j] - all(2) * share * mirror(j));
    }
  });
}

inline void geodesic(const Block& block) {
  const std::size_t columns = block.dim + 1;
  for_each_pack(block, [&](std::size_t row) HWY_ATTR {
    const Columns x(block.x, row);
    const Columns y(block.y, row);
    const Chords chord = chords(x, y, columns);
    const Heading heading(x, y, chord, columns);
    const Pack turn = Columns(block.v, row)[0] * angle(chord);
    const Pack stay = cos(turn);
    const Pack move = sin(turn);
    for (std::size_t j = 0; j < columns; ++j) {
      Output(block.out, row).set(j, stay * x[j] + move * heading[j]);
    }
  });
}

/// (x + y) / |x + y|; the heading of antipodal points is a quarter turn away from both.
inline void midpoint(const Block& block) {
  const std::size_t columns = block.dim + 1;
  for_each_pack(block, [&](std::size_t row) HWY_ATTR {
    const Columns x(block.x, row);
    const Columns y(block.y, row);
    const Chords chord = chords(x, y, columns);
    const Mask antipodal = chord.sum == all(0);
    const Pack inverse = all(1) / select(antipodal, all(1), chord.sum);
    const Heading heading(x, y, chord, columns);
    for (std::size_t j = 0; j < columns; ++j) {
      Output(block.out, row).set(j, select(antipodal, heading[j], (x[j] + y[j]) * inverse));
    }
  });
}

/// u_0 along the arc is cos s · x_0 + sin s · h_0, greatest at s = atan2(h_0, x_0); where that is off the
/// segment [0, θ], the higher end wins.
inline void ancestor(const Block& block) {
  const std::size_t columns = block.dim + 1;
  for_each_pack(block, [&](std::size_t row) HWY_ATTR {
    const Columns x(block.x, row);
    const Columns y(block.y, row);
    const Chords chord = chords(x, y, columns);
    const Heading heading(x, y, chord, columns);
    const Pack theta = angle(chord);
    const Pack foot = atan2(heading[0], x[0]);
    const Mask inside = hn::And(foot >= all(0), foot <= theta);
    const Pack end = select(y[0] > x[0], all(1), all(0));
    const Pack time = foot / select(theta == all(0), all(1), theta);
    Output(block.out, row).set(0, select(theta == all(0), all(0), select(inside, time, end)));
  });
}

/// The angles α_j = atan2(u_j, u_0).
inline void natural(const Block& block) {
  for_each_pack(block, [&](std::size_t row) HWY_ATTR {
    const Columns u(block.x, row);
    const Pack u0 = u[0];
    for (std::size_t j = 0; j < block.dim; ++j) {
      Output(block.out, row).set(j, atan2(u[j + 1], u0));
    }
  });
}

inline void copy_canonical(const Block& block) {
  for_each_pack(block, [&](std::size_t row) HWY_ATTR {
    for (std::size_t j = 0; j <= block.dim; ++j) {
      Output(block.out, row).set(j, Columns(block.x, row)[j]);
    }
  });
}

inline void inner(const Block& block) { dot_product(block, block.dim + 1); }

}  // namespace bentwood::kernels::HWY_NAMESPACE::spherical
HWY_AFTER_NAMESPACE();

#endif
