// Which nodes with made columns a row turns right at. Included once for every instruction set.
#if defined(BENTWOOD_INFER_MADE_TURNS_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef BENTWOOD_INFER_MADE_TURNS_INL_HPP
#undef BENTWOOD_INFER_MADE_TURNS_INL_HPP
#else
#define BENTWOOD_INFER_MADE_TURNS_INL_HPP
#endif

#include <hwy/highway.h>

#include "bentwood/infer/made_turns.hpp"

HWY_BEFORE_NAMESPACE();
namespace bentwood::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// horosphere_level of eight ideal points at once, against eight thresholds: a bit for each that is exceeded.
HWY_INLINE std::uint32_t horosphere_turns(const double* thresholds, std::size_t dim,
                                          const double* polar) {
  const hn::CappedTag<double, MadeGroups::n_lanes> tag;
  const std::size_t pack_size = hn::Lanes(tag);
  const double* const ideals = thresholds + MadeGroups::n_lanes;
  std::uint32_t right = 0;
  for (std::size_t first = 0; first < MadeGroups::n_lanes; first += pack_size) {
    auto squared = hn::Zero(tag);
    for (std::size_t axis = 0; axis < dim; ++axis) {
      const auto ideal = hn::LoadU(tag, ideals + axis * MadeGroups::n_lanes + first);
      const auto apart = hn::Sub(ideal, hn::Set(tag, polar[axis]));
      squared = hn::Add(squared, hn::Mul(apart, apart));
    }
    const auto level =
        hn::Add(hn::Set(tag, polar[dim + 1]), hn::Mul(hn::Set(tag, polar[dim]), squared));
    std::uint8_t bits[8] = {};
    hn::StoreMaskBits(tag, hn::Gt(level, hn::LoadU(tag, thresholds + first)), bits);
    right |= std::uint32_t{bits[0]} << first;
  }
  return right;
}

HWY_INLINE std::uint32_t sum_turns(const double* group, std::size_t n_terms, const double* row) {
  const double* const coefficients = group + 2;
  const double* const places = coefficients + n_terms;
  double sum = 0;
  for (std::size_t term = 0; term < n_terms; ++term) {
    sum += coefficients[term] * row[std::bit_cast<std::uint64_t>(places[term])];
  }
  return static_cast<std::uint32_t>(sum > group[1]) << std::bit_cast<std::uint64_t>(group[0]);
}

/// The nodes at which a row turns right, a bit per node, among those that begin at `made`.
HWY_INLINE std::uint32_t made_turns(const double* made, const double* row) {
  std::uint32_t right = 0;
  const auto n_groups = std::bit_cast<std::uint64_t>(*made++);
  for (std::uint64_t group = 0; group < n_groups; ++group) {
    const auto head = std::bit_cast<MadeGroups::Head>(*made++);
    if (head.kind == OwnColumnKind::horosphere) {
      const double* const polar = row + std::bit_cast<std::uint64_t>(*made);
      right |= head.n_terms == 2 ? horosphere_turns(made + 1, 2, polar)
                                 : horosphere_turns(made + 1, head.n_terms, polar);
    } else {
      right |= sum_turns(made, head.n_terms, row);
    }
    made += MadeGroups::size(head);
  }
  return right;
}

}  // namespace bentwood::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
