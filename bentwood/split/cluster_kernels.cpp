#include "bentwood/split/cluster_kernels.hpp"

#include <cmath>

// Baseline, AVX2 and AVX-512.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "bentwood/split/cluster_kernels.cpp"
// The first of these includes this file anew for every target, before anything else of Highway's.
// clang-format off
#include <hwy/foreach_target.h>  // IWYU pragma: keep
#include <hwy/highway.h>
#include <hwy/contrib/math/math-inl.h>
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace bentwood::split_kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Tag = hn::ScalableTag<double>;
using Numbers = hn::Vec<Tag>;

/// The two sides of several cuts.
struct Sides {
  Numbers low_count;
  Numbers high_count;
  Numbers low_variance;
  Numbers high_variance;
};

Numbers variance(const ClusterSums& sums, Numbers count, Numbers sum, Numbers square) {
  const Tag d;
  const Numbers mean = hn::Div(sum, count);
  const Numbers bare = hn::Sub(hn::Div(square, count), hn::Mul(mean, mean));
  return hn::Max(hn::Add(bare, hn::Set(d, sums.rounding)), hn::Set(d, sums.floor));
}

Sides sides(const ClusterSums& sums, std::size_t cut) {
  const Tag d;
  const Numbers all = hn::Set(d, static_cast<double>(sums.n));
  const Numbers sum = hn::LoadU(d, sums.sum + cut);
  const Numbers square = hn::LoadU(d, sums.square + cut);
  const Numbers low = hn::Iota(d, static_cast<double>(cut));
  const Numbers high = hn::Sub(all, low);
  return {low, high, variance(sums, low, sum, square),
          variance(sums, high, hn::Sub(hn::Set(d, sums.sum[sums.n]), sum),
                   hn::Sub(hn::Set(d, sums.square[sums.n]), square))};
}

/// What is left of the variance of all values, which is 1.
Numbers shared_variance(const Sides& cut, Numbers n) {
  return hn::Div(
      hn::Add(hn::Mul(cut.low_count, cut.low_variance), hn::Mul(cut.high_count, cut.high_variance)),
      n);
}

/// Writes past `last` what nobody reads.
void fast_bic(const ClusterSums& sums, std::size_t first, std::size_t last, double* scores) {
  const Tag d;
  const auto count = static_cast<double>(sums.n);
  const Numbers n = hn::Set(d, count);
  const Numbers one_more = hn::Set(d, std::log(count));
  const Numbers two_more = hn::Set(d, 2 * std::log(count));
  for (std::size_t cut = first; cut <= last; cut += hn::Lanes(d)) {
    const Sides at = sides(sums, cut);
    const Numbers different = hn::Add(hn::Add(hn::Mul(at.low_count, hn::Log(d, at.low_variance)),
                                              hn::Mul(at.high_count, hn::Log(d, at.high_variance))),
                                      one_more);
    const Numbers equal = hn::Mul(n, hn::Log(d, shared_variance(at, n)));
    const Numbers mixing = hn::Add(hn::LoadU(d, sums.mixing + cut), two_more);
    hn::StoreU(hn::Add(hn::Min(different, equal), mixing), d, scores + cut);
  }
}

void two_means(const ClusterSums& sums, std::size_t first, std::size_t last, double* scores) {
  const Tag d;
  const Numbers n = hn::Set(d, static_cast<double>(sums.n));
  for (std::size_t cut = first; cut <= last; cut += hn::Lanes(d)) {
    hn::StoreU(hn::Mul(n, hn::Log(d, shared_variance(sides(sums, cut), n))), d, scores + cut);
  }
}

ClusterKernels cluster_table() { return {fast_bic, two_means}; }

}  // namespace bentwood::split_kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace bentwood::split_kernels {

HWY_EXPORT(cluster_table);

const ClusterKernels cluster_kernels = HWY_DYNAMIC_DISPATCH(cluster_table)();

}  // namespace bentwood::split_kernels
#endif
