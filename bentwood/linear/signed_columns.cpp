#include "bentwood/linear/signed_columns.hpp"

#include <algorithm>

#include "bentwood/linear/lane_sum.hpp"

// As in geometry/kernels/kernels.cpp: compiled for three instruction sets.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "bentwood/linear/signed_columns.cpp"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
#include <hwy/highway.h>

#include "bentwood/geometry/kernels/pack-inl.hpp"

#ifndef BENTWOOD_LINEAR_SIGNED_COLUMNS_CPP
#define BENTWOOD_LINEAR_SIGNED_COLUMNS_CPP
namespace bentwood::linear_kernels {
using Sums = MarginSums (*)(const SignedColumns& columns, std::size_t begin, std::size_t end,
                            const double* weights);
}  // namespace bentwood::linear_kernels
#endif

HWY_BEFORE_NAMESPACE();
namespace bentwood::linear_kernels::HWY_NAMESPACE {
namespace packs = bentwood::kernels::HWY_NAMESPACE;
namespace hn = hwy::HWY_NAMESPACE;
using packs::all;
using packs::Pack;
constexpr packs::Tag tag;

/// Of the lanes that a pack does not hold the rows are visited again: registers for all of them would not do.
template <std::size_t dim>
MarginSums sums(const SignedColumns& columns, std::size_t begin, std::size_t end,
                const double* weights) {
  constexpr std::size_t n_bends = dim * (dim + 1) / 2;
  constexpr std::size_t n_sums = 1 + dim + n_bends;
  HWY_ALIGN double parts[n_sums][n_sum_lanes];
  for (std::size_t first = 0; first < n_sum_lanes; first += hn::Lanes(tag)) {
    Pack loss = all(0);
    Pack pull[dim];
    Pack bend[n_bends];
    for (Pack& sum : pull) {
      sum = all(0);
    }
    for (Pack& sum : bend) {
      sum = all(0);
    }
    for (std::size_t row = begin + first; row < end; row += n_sum_lanes) {
      Pack g[dim];
      Pack margin = all(0);
      for (std::size_t axis = 0; axis < dim; ++axis) {
        g[axis] = hn::LoadU(tag, columns.column(axis) + row);
        margin = margin + all(weights[axis]) * g[axis];
      }
      const Pack shortfall = hn::Max(all(1) - margin, all(0));
      const Pack cost =
          hn::IfThenElseZero(shortfall > all(0), hn::LoadU(tag, columns.costs() + row));
      const Pack pulled = cost * shortfall;
      loss = loss + pulled * shortfall;
      for (std::size_t down = 0; down < dim; ++down) {
        pull[down] = pull[down] + pulled * g[down];
        const Pack weighted = cost * g[down];
        for (std::size_t across = 0; across <= down; ++across) {
          Pack& sum = bend[down * (down + 1) / 2 + across];
          sum = sum + weighted * g[across];
        }
      }
    }
    hn::StoreU(loss, tag, parts[0] + first);
    for (std::size_t axis = 0; axis < dim; ++axis) {
      hn::StoreU(pull[axis], tag, parts[1 + axis] + first);
    }
    for (std::size_t place = 0; place < n_bends; ++place) {
      hn::StoreU(bend[place], tag, parts[1 + dim + place] + first);
    }
  }
  const auto total = [&](std::size_t sum) {
    double result = 0;
    for (const double part : parts[sum]) {
      result += part;
    }
    return result;
  };
  MarginSums result{.loss = total(0)};
  for (std::size_t axis = 0; axis < dim; ++axis) {
    result.pull[axis] = total(1 + axis);
  }
  for (std::size_t place = 0; place < n_bends; ++place) {
    result.bend[place] = total(1 + dim + place);
  }
  return result;
}

Sums best_sums(std::size_t dim) {
  static_assert(hn::MaxLanes(tag) <= n_sum_lanes && most_few_features == 4);
  constexpr Sums of_dims[] = {sums<1>, sums<2>, sums<3>, sums<4>};
  return of_dims[dim - 1];
}

}  // namespace bentwood::linear_kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <cassert>

namespace bentwood {
namespace linear_kernels {
HWY_EXPORT(best_sums);

// Dispatched where it is exported: with one target alone the name is looked up here.
Sums sums_of(std::size_t dim) { return HWY_DYNAMIC_DISPATCH(best_sums)(dim); }
}  // namespace linear_kernels

SignedColumns::SignedColumns(const LinearRows& rows)
    : n_rows_(rows.signs.size()),
      dim_(rows.features.n_cols()),
      stride_((n_rows_ + n_sum_lanes - 1) / n_sum_lanes * n_sum_lanes),
      values_((dim_ + 1) * stride_) {
  assert(dim_ > 0 && dim_ <= most_few_features);
  const double* feature = rows.features.data();
  for (std::size_t row = 0; row < n_rows_; ++row) {
    for (std::size_t axis = 0; axis < dim_; ++axis) {
      values_[axis * stride_ + row] = rows.signs[row] * *feature++;
    }
  }
  std::ranges::copy(rows.costs, values_.begin() + static_cast<std::ptrdiff_t>(dim_ * stride_));
  for (std::size_t axis = 0; axis <= dim_; ++axis) {
    double* const column = values_.data() + axis * stride_;
    std::fill(column + n_rows_, column + stride_, 0.0);
  }
}

MarginSums margin_sums(const SignedColumns& columns, std::size_t begin, std::size_t end,
                       std::span<const double> weights) {
  assert(begin % n_sum_lanes == 0 && end % n_sum_lanes == 0 && end <= columns.stride());
  return linear_kernels::sums_of(columns.dim())(columns, begin, end, weights.data());
}

}  // namespace bentwood
#endif
