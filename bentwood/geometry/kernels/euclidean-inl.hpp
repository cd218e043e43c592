// The geometry of E^n on packs of points; all coordinates are the same. Included once for every
// instruction set.
#if defined(BENTWOOD_GEOMETRY_KERNELS_EUCLIDEAN_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef BENTWOOD_GEOMETRY_KERNELS_EUCLIDEAN_INL_HPP
#undef BENTWOOD_GEOMETRY_KERNELS_EUCLIDEAN_INL_HPP
#else
#define BENTWOOD_GEOMETRY_KERNELS_EUCLIDEAN_INL_HPP
#endif

#include "bentwood/geometry/kernels/pack-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace bentwood::kernels::HWY_NAMESPACE::euclidean {

/// Writes column(j) for every column of every pack.
template <class Column>
HWY_INLINE void write_columns(const Block& block, Column column) {
  for_each_pack(block, [&](std::size_t row) HWY_ATTR {
    for (std::size_t j = 0; j < block.dim; ++j) {
      Output(block.out, row).set(j, column(row, j));
    }
  });
}

inline void copy_points(const Block& block) {
  write_columns(block,
                [&](std::size_t row, std::size_t j) HWY_ATTR { return Columns(block.x, row)[j]; });
}

inline void copy_vectors(const Block& block) {
  write_columns(block,
                [&](std::size_t row, std::size_t j) HWY_ATTR { return Columns(block.v, row)[j]; });
}

inline void from(const Block& block) {
  for_each_pack(block, [&](std::size_t row) HWY_ATTR {
    const Columns x(block.x, row);
    Pack residual = all(0);
    for (std::size_t j = 0; j < block.dim; ++j) {
      residual = residual + all(0) * x[j];  // NaN where a coordinate is NaN or infinite
      Output(block.out, row).set(j, x[j]);
    }
    Output(block.residual, row).set(0, residual);
  });
}

inline void vector_residual(const Block& block) {
  for_each_pack(block, [&](std::size_t row) HWY_ATTR { Output(block.out, row).set(0, all(0)); });
}

template <class X>
HWY_INLINE Pack norm_of_difference(const X& x, const Columns& y, std::size_t n) {
  return norm(Difference<X, Columns>{x, y}, n);
}

inline void distance(const Block& block) {
  for_each_pack(block, [&](std::size_t row) HWY_ATTR {
    Output(block.out, row)
        .set(0, norm_of_difference(Columns(block.x, row), Columns(block.y, row), block.dim));
  });
}

inline void distance_from(const Block& block) {
  const Broadcast x(block.x);
  for_each_pack(block, [&](std::size_t row) HWY_ATTR {
    Output(block.out, row).set(0, norm_of_difference(x, Columns(block.y, row), block.dim));
  });
}

inline void radius(const Block& block) {
  for_each_pack(block, [&](std::size_t row) HWY_ATTR {
    const Columns x(block.x, row);
    Output(block.out, row).set(0, norm(x, block.dim));
  });
}

inline void exp_map(const Block& block) {
  write_columns(block, [&](std::size_t row, std::size_t j) HWY_ATTR {
    return Columns(block.x, row)[j] + Columns(block.v, row)[j];
  });
}

inline void log_map(const Block& block) {
  write_columns(block, [&](std::size_t row, std::size_t j) HWY_ATTR {
    return Columns(block.y, row)[j] - Columns(block.x, row)[j];
  });
}

inline void geodesic(const Block& block) {
  write_columns(block, [&](std::size_t row, std::size_t j) HWY_ATTR {
    const Pack time = Columns(block.v, row)[0];
    return (all(1) - time) * Columns(block.x, row)[j] + time * Columns(block.y, row)[j];
  });
}

inline void midpoint(const Block& block) {
  write_columns(block, [&](std::size_t row, std::size_t j) HWY_ATTR {
    return all(0.5) * Columns(block.x, row)[j] + all(0.5) * Columns(block.y, row)[j];
  });
}

/// The foot of the perpendicular from the origin, cut to the segment.
inline void ancestor(const Block& block) {
  for_each_pack(block, [&](std::size_t row) HWY_ATTR {
    const Columns x(block.x, row);
    const Columns y(block.y, row);
    Pack along = all(0);
    Pack squared = all(0);
    for (std::size_t j = 0; j < block.dim; ++j) {
      along = along + x[j] * (x[j] - y[j]);
      squared = squared + square(y[j] - x[j]);
    }
    const Pack time = along / select(squared == all(0), all(1), squared);
    Output(block.out, row).set(0, hn::Min(hn::Max(time, all(0)), all(1)));
  });
}

/// B_w(x) = −w·x for the unit direction w.
inline void busemann(const Block& block) {
  for_each_pack(block, [&](std::size_t row) HWY_ATTR {
    const Columns x(block.x, row);
    const Columns w(block.v, row);
    Output(block.out, row).set(0, hn::Neg(dot(w, x, block.dim) / sqrt(dot(w, w, block.dim))));
  });
}

inline void inner(const Block& block) { dot_product(block, block.dim); }

}  // namespace bentwood::kernels::HWY_NAMESPACE::euclidean
HWY_AFTER_NAMESPACE();

#endif
