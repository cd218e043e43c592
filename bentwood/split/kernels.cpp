#include "bentwood/split/kernels.hpp"

#include <bit>
#include <cmath>
#include <limits>

// Baseline, AVX2, AVX-512 and AVX-512 with VBMI2 (which compresses 16-bit numbers).
#define HWY_WANT_AVX3_DL
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "bentwood/split/kernels.cpp"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace bentwood::split_kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// A score as numerator/denominator. Whether it may beat another is asked by multiplication, and divided only where
// the answer is yes: rarely, once a good cut is known. The margin keeps rounding from hiding a better one, so
// the result is the first of the highest quotients, whatever the number of lanes.
constexpr double margin = 1 - 1e-14;

struct Ratio {
  double numerator;
  double denominator;
};

void improve(Best& best, Ratio ratio, std::size_t index) {
  if (ratio.denominator > 0 && ratio.numerator > best.score * margin * ratio.denominator) {
    const double score = ratio.numerator / ratio.denominator;
    if (score > best.score) {
      best = {score, index};
    }
  }
}

// left/weight + right/(total - weight).
Ratio ratio(double left, double right, double weight, double total) {
  const double other = total - weight;
  return {left * other + right * weight, weight * other};
}

template <class V>
struct Ratios {
  V numerator;
  V denominator;
};

template <class V>
Ratios<V> ratios(V left, V right, V weight, V total) {
  const auto other = hn::Sub(total, weight);
  return {hn::Add(hn::Mul(left, other), hn::Mul(right, weight)), hn::Mul(weight, other)};
}

// The best of n ratios that is better than `floor`: those of `many(d, cut)` a vector at a time, those of `one(cut)`
// for the rest.
template <class Many, class One>
Best best_of(std::size_t n, double floor, Many many, One one) {
  const hn::ScalableTag<double> d;
  const std::size_t lanes = hn::Lanes(d);
  Best best{floor, n};
  std::size_t cut = 0;
  for (; cut + lanes <= n; cut += lanes) {
    const auto found = many(d, cut);
    const auto valid = hn::Gt(found.denominator, hn::Zero(d));
    const auto better = hn::And(
        valid,
        hn::Gt(found.numerator, hn::Mul(hn::Set(d, best.score * margin), found.denominator)));
    if (HWY_UNLIKELY(!hn::AllFalse(d, better))) {
      const auto scores = hn::IfThenElse(valid, hn::Div(found.numerator, found.denominator),
                                         hn::Set(d, -std::numeric_limits<double>::infinity()));
      const auto highest = hn::MaxOfLanes(d, scores);
      const double score = hn::GetLane(highest);
      if (score > best.score) {
        best = {score,
                cut + static_cast<std::size_t>(hn::FindFirstTrue(d, hn::Eq(scores, highest)))};
      }
    }
  }
  for (; cut < n; ++cut) {
    improve(best, one(cut), cut);
  }
  return best;
}

Best best_ratio(const double* left, const double* right, const double* weight, double total,
                std::size_t n, double floor) {
  return best_of(
      n, floor,
      [&](auto d, std::size_t cut) {
        return ratios(hn::LoadU(d, left + cut), hn::LoadU(d, right + cut),
                      hn::LoadU(d, weight + cut), hn::Set(d, total));
      },
      [&](std::size_t cut) { return ratio(left[cut], right[cut], weight[cut], total); });
}

Best best_count_ratio(const std::int32_t* left, const std::int32_t* cross,
                      const std::int32_t* weight, std::int32_t right_base, std::int32_t total,
                      std::size_t n, double floor) {
  return best_of(
      n, floor,
      [&](auto d, std::size_t cut) {
        const hn::Rebind<std::int32_t, decltype(d)> d32;
        const auto lefts = hn::LoadU(d32, left + cut);
        const auto crosses = hn::LoadU(d32, cross + cut);
        const auto rights =
            hn::Sub(hn::Add(hn::Set(d32, right_base), lefts), hn::Add(crosses, crosses));
        return ratios(hn::PromoteTo(d, lefts), hn::PromoteTo(d, rights),
                      hn::PromoteTo(d, hn::LoadU(d32, weight + cut)),
                      hn::Set(d, static_cast<double>(total)));
      },
      [&](std::size_t cut) {
        return ratio(left[cut], right_base + left[cut] - 2 * cross[cut], weight[cut], total);
      });
}

void rank_few(const std::uint16_t* keys, std::size_t n, std::uint8_t* ranks) {
  const hn::ScalableTag<std::uint16_t> d;
  const std::size_t lanes = hn::Lanes(d);
  for (std::size_t item = 0; item < n; ++item) {
    const auto key = hn::Set(d, keys[item]);
    std::size_t n_lower = 0;
    for (std::size_t other = 0; other < n; other += lanes) {
      n_lower += hn::CountTrue(d, hn::Lt(hn::LoadU(d, keys + other), key));
    }
    ranks[item] = static_cast<std::uint8_t>(n_lower);
  }
}

// Whether a vector's chosen lanes can be moved together in one step.
template <class Row>
constexpr bool has_compress =
    HWY_TARGET == HWY_AVX3_DL || (HWY_TARGET == HWY_AVX3 && sizeof(Row) == 4);

template <class Row>
std::size_t rows_at_bits(std::uint64_t* words, std::size_t begin, std::size_t end,
                         const Row* row_at, Row* rows) {
  Row* next = rows;
  for (std::size_t word = begin; word < end; ++word) {
    std::uint64_t bits = words[word];
    words[word] = 0;
    if constexpr (has_compress<Row>) {
      const hn::ScalableTag<Row> d;
      const std::size_t lanes = hn::Lanes(d);
      for (std::size_t first = 0; first < 64; first += lanes) {
        const auto mask = hn::LoadMaskBits(d, reinterpret_cast<const std::uint8_t*>(&bits));
        hn::StoreU(hn::Compress(hn::LoadU(d, row_at + 64 * word + first), mask), d, next);
        next += hn::CountTrue(d, mask);
        bits >>= lanes;
      }
    } else {
      for (; bits != 0; bits &= bits - 1) {
        *next++ = row_at[64 * word + static_cast<std::size_t>(std::countr_zero(bits))];
      }
    }
  }
  return static_cast<std::size_t>(next - rows);
}

std::size_t rows_among(const std::uint32_t* rows, std::size_t n, const std::uint32_t* words,
                       std::uint32_t* among) {
  std::uint32_t* next = among;
  std::size_t item = 0;
  if constexpr (has_compress<std::uint32_t>) {
    const hn::ScalableTag<std::uint32_t> d;
    const hn::RebindToSigned<decltype(d)> d_index;
    const auto one = hn::Set(d, 1);
    for (; item + hn::Lanes(d) <= n; item += hn::Lanes(d)) {
      const auto row = hn::LoadU(d, rows + item);
      const auto word = hn::GatherIndex(d, words, hn::BitCast(d_index, hn::ShiftRight<5>(row)));
      const auto bit = hn::Shl(one, hn::And(row, hn::Set(d, 31)));
      const auto mask = hn::TestBit(word, bit);
      hn::StoreU(hn::Compress(row, mask), d, next);
      next += hn::CountTrue(d, mask);
    }
  }
  // Every row is written, and overwritten by the next where it is not wanted: no branch to mispredict.
  for (; item < n; ++item) {
    const std::uint32_t row = rows[item];
    *next = row;
    next += (words[row / 32] >> (row % 32)) & 1U;
  }
  return static_cast<std::size_t>(next - among);
}

Kernels table() {
  return {best_ratio,
          best_count_ratio,
          rank_few,
          rows_at_bits<std::uint16_t>,
          rows_at_bits<std::uint32_t>,
          rows_among};
}

}  // namespace bentwood::split_kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace bentwood::split_kernels {

HWY_EXPORT(table);

const Kernels kernels = HWY_DYNAMIC_DISPATCH(table)();

}  // namespace bentwood::split_kernels
#endif
