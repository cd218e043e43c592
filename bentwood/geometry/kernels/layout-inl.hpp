// Moving rows into columns and back, by transposing registers. Included once for every instruction set.
#if defined(BENTWOOD_GEOMETRY_KERNELS_LAYOUT_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef BENTWOOD_GEOMETRY_KERNELS_LAYOUT_INL_HPP
#undef BENTWOOD_GEOMETRY_KERNELS_LAYOUT_INL_HPP
#else
#define BENTWOOD_GEOMETRY_KERNELS_LAYOUT_INL_HPP
#endif

#include <cstdint>

#include "bentwood/geometry/kernels/pack-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace bentwood::kernels::HWY_NAMESPACE::layout {

constexpr std::size_t n_lanes = hn::MaxLanes(Tag());

/// As many packs as a pack has lanes: a square of numbers.
struct Square {
  Pack rows[n_lanes];
};

inline bool is_aligned(const double* place) {
  return reinterpret_cast<std::uintptr_t>(place) % (n_lanes * sizeof(double)) == 0;
}

/// Swaps rows and columns: within pairs of lanes, then of 128-bit blocks, then of halves.
HWY_INLINE void transpose([[maybe_unused]] Square& square) {
#if HWY_TARGET != HWY_SCALAR
  Pack* rows = square.rows;
  for (std::size_t row = 0; row < n_lanes; row += 2) {
    const Pack even = rows[row];
    rows[row] = hn::InterleaveLower(Tag(), even, rows[row + 1]);
    rows[row + 1] = hn::InterleaveUpper(Tag(), even, rows[row + 1]);
  }
  for (std::size_t first = 0; n_lanes == 8 && first < n_lanes; first += 4) {
    for (std::size_t row = first; row < first + 2; ++row) {
      const Pack even = rows[row];
      const Pack odd = rows[row + 2];
      rows[row] = hn::OddEvenBlocks(hn::SwapAdjacentBlocks(odd), even);
      rows[row + 2] = hn::OddEvenBlocks(odd, hn::SwapAdjacentBlocks(even));
    }
  }
  constexpr std::size_t half = n_lanes / 2;
  for (std::size_t row = 0; n_lanes > 2 && row < half; ++row) {
    const Pack lower = rows[row];
    rows[row] = hn::ConcatLowerLower(Tag(), rows[row + half], lower);
    rows[row + half] = hn::ConcatUpperUpper(Tag(), rows[row + half], lower);
  }
#endif
}

/// One pack of rows that are `stride` apart into columns, `stride` ≥ n_columns.
HWY_INLINE void gather_pack(const double* rows, std::size_t stride, std::size_t n_columns,
                            double* columns) {
  std::size_t column = 0;
  for (; column + n_lanes <= n_columns; column += n_lanes) {
    Square square;
    for (std::size_t lane = 0; lane < n_lanes; ++lane) {
      square.rows[lane] = hn::LoadU(Tag(), rows + lane * stride + column);
    }
    transpose(square);
    for (std::size_t lane = 0; lane < n_lanes; ++lane) {
      hn::Store(square.rows[lane], Tag(), columns + (column + lane) * block_rows);
    }
  }
  for (; column < n_columns; ++column) {
    for (std::size_t lane = 0; lane < n_lanes; ++lane) {
      columns[column * block_rows + lane] = rows[lane * stride + column];
    }
  }
}

/// The same for rows without gaps of `n` numbers, where Highway knows a shorter way.
template <std::size_t n>
HWY_INLINE void gather_narrow_pack(const double* rows, double* columns) {
  Pack a;
  Pack b;
  Pack c = all(0);
  Pack d = all(0);
  if constexpr (n == 2) {
    hn::LoadInterleaved2(Tag(), rows, a, b);
  } else if constexpr (n == 3) {
    hn::LoadInterleaved3(Tag(), rows, a, b, c);
  } else {
    hn::LoadInterleaved4(Tag(), rows, a, b, c, d);
  }
  const Pack packs[] = {a, b, c, d};
  for (std::size_t column = 0; column < n; ++column) {
    hn::Store(packs[column], Tag(), columns + column * block_rows);
  }
}

HWY_INLINE void scatter_pack(const double* columns, std::size_t stride, std::size_t n_columns,
                             double* rows) {
  std::size_t column = 0;
  for (; column + n_lanes <= n_columns; column += n_lanes) {
    Square square;
    for (std::size_t lane = 0; lane < n_lanes; ++lane) {
      square.rows[lane] = hn::Load(Tag(), columns + (column + lane) * block_rows);
    }
    transpose(square);
    for (std::size_t lane = 0; lane < n_lanes; ++lane) {
      hn::StoreU(square.rows[lane], Tag(), rows + lane * stride + column);
    }
  }
  for (; column < n_columns; ++column) {
    for (std::size_t lane = 0; lane < n_lanes; ++lane) {
      rows[lane * stride + column] = columns[column * block_rows + lane];
    }
  }
}

template <std::size_t n>
HWY_INLINE void scatter_narrow_pack(const double* columns, double* rows) {
  const Columns x(columns, 0);
  if constexpr (n == 2) {
    hn::StoreInterleaved2(x[0], x[1], Tag(), rows);
  } else if constexpr (n == 3) {
    hn::StoreInterleaved3(x[0], x[1], x[2], Tag(), rows);
  } else {
    hn::StoreInterleaved4(x[0], x[1], x[2], x[3], Tag(), rows);
  }
}

/// Calls body(row) for the first row of every pack.
template <class Body>
HWY_INLINE void for_each_row_pack(Body body) {
  for (std::size_t row = 0; row < block_rows; row += n_lanes) {
    body(row);
  }
}

HWY_INLINE void copy_block(const double* source, double* target) {
  for_each_row_pack([&](std::size_t row) HWY_ATTR {
    hn::StoreU(hn::LoadU(Tag(), source + row), Tag(), target + row);
  });
}

inline void gather(const double* rows, std::size_t stride, std::size_t n_columns, double* block) {
  switch (n_columns == stride ? n_columns : 0) {
    case 1:
      return copy_block(rows, block);
    case 2:
      return for_each_row_pack(
          [&](std::size_t row) HWY_ATTR { gather_narrow_pack<2>(rows + 2 * row, block + row); });
    case 3:
      return for_each_row_pack(
          [&](std::size_t row) HWY_ATTR { gather_narrow_pack<3>(rows + 3 * row, block + row); });
    case 4:
      return for_each_row_pack(
          [&](std::size_t row) HWY_ATTR { gather_narrow_pack<4>(rows + 4 * row, block + row); });
    default:
      return for_each_row_pack([&](std::size_t row) HWY_ATTR {
        gather_pack(rows + row * stride, stride, n_columns, block + row);
      });
  }
}

inline void scatter(const double* block, std::size_t stride, std::size_t n_columns, double* rows) {
  switch (n_columns == stride ? n_columns : 0) {
    case 1:
      return copy_block(block, rows);
    case 2:
      return for_each_row_pack(
          [&](std::size_t row) HWY_ATTR { scatter_narrow_pack<2>(block + row, rows + 2 * row); });
    case 3:
      return for_each_row_pack(
          [&](std::size_t row) HWY_ATTR { scatter_narrow_pack<3>(block + row, rows + 3 * row); });
    case 4:
      return for_each_row_pack(
          [&](std::size_t row) HWY_ATTR { scatter_narrow_pack<4>(block + row, rows + 4 * row); });
    default:
      return for_each_row_pack([&](std::size_t row) HWY_ATTR {
        scatter_pack(block + row, stride, n_columns, rows + row * stride);
      });
  }
}

inline void stream(const double* source, std::size_t size, double* target) {
  std::size_t position = 0;
  while (position < size && !is_aligned(target + position)) {
    target[position] = source[position];
    ++position;
  }
  for (; position + n_lanes <= size; position += n_lanes) {
    hn::Stream(hn::LoadU(Tag(), source + position), Tag(), target + position);
  }
  for (; position < size; ++position) {
    target[position] = source[position];
  }
}

inline bool all_at_most(const double* values, std::size_t size, double limit) {
  Mask within = all(0) < all(1);
  for (std::size_t position = 0; position < size; position += n_lanes) {
    within = hn::And(within, hn::Load(Tag(), values + position) <= all(limit));  // not for NaN
  }
  return hn::AllTrue(Tag(), within);
}

inline bool all_finite(const double* values, std::size_t size) {
  Pack zero = all(0);
  for (std::size_t position = 0; position < size; position += n_lanes) {
    zero = zero + all(0) * hn::Load(Tag(), values + position);
  }
  return hn::AllTrue(Tag(), zero == all(0));
}

}  // namespace bentwood::kernels::HWY_NAMESPACE::layout
HWY_AFTER_NAMESPACE();

#endif
