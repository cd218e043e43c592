#include "bentwood/infer/walk.hpp"

// Compiled for three instruction sets (baseline, AVX2, AVX-512 on x86-64), of which the best is chosen when the
// program runs: highway's foreach_target.h includes this file once for each.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "bentwood/infer/walk.cpp"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
#include <hwy/highway.h>

#include "bentwood/infer/walk_lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace bentwood::HWY_NAMESPACE {

#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3

/// Compares the nodes of a block at once. The keys of a row are n_packs registers, in which those of the nodes' columns are looked up: gathers are
/// slower than that on some machines by far.
template <bool circles, std::size_t n_packs>
class PackTurns {
 public:
  explicit PackTurns(const Lanes& /*lanes*/) {}

  HWY_INLINE Turns operator()(const PackedBlock& block, const std::int32_t* keys) const {
    const Tag tag;
    const hn::Rebind<std::uint16_t, Tag> narrow;
    const auto column = hn::PromoteTo(tag, hn::LoadU(narrow, block.columns.data()));
    const auto threshold = hn::LoadU(tag, block.keys.data());
    const auto key = look_up(column, keys);
    if constexpr (circles) {
      const auto one = hn::Set(tag, 1);
      const auto right =
          hn::Xor(hn::VecFromMask(tag, hn::Gt(key, threshold)), hn::Neg(hn::And(key, one)));
      const auto open = hn::Eq(hn::AndNot(one, hn::Xor(key, threshold)), hn::Zero(tag));
      return {bits(hn::MaskFromVec(right)), bits(open)};
    } else {
      return {bits(hn::Gt(key, threshold)), bits(hn::Eq(key, threshold))};
    }
  }

 private:
  using Tag = hn::FixedTag<std::int32_t, 8>;
  using Pack = hn::Vec<Tag>;

  static HWY_INLINE std::uint32_t bits(hn::Mask<Tag> mask) {
    std::uint8_t result[8] = {};
    hn::StoreMaskBits(Tag(), mask, result);
    return result[0];
  }

  static HWY_INLINE Pack look_up(Pack column, const std::int32_t* keys) {
    const Tag tag;
    const auto index =
        hn::IndicesFromVec(tag, n_packs == 1 ? column : hn::And(column, hn::Set(tag, 7)));
    Pack result = hn::TableLookupLanes(hn::LoadU(tag, keys), index);
    for (std::size_t pack = 1; pack < n_packs; ++pack) {
      const auto is_here = hn::Gt(column, hn::Set(tag, static_cast<std::int32_t>(8 * pack - 1)));
      result = hn::IfThenElse(is_here, hn::TableLookupLanes(hn::LoadU(tag, keys + 8 * pack), index),
                              result);
    }
    return result;
  }
};

template <bool circles, bool has_made>
void walk_by_packs(const Lanes& lanes, std::uint32_t* leaves) {
  switch (lanes.packed.n_keys() / 8) {
    case 0:
    case 1:
      walk_lanes<PackTurns<circles, 1>, has_made>(lanes, leaves);
      return;
    case 2:
      walk_lanes<PackTurns<circles, 2>, has_made>(lanes, leaves);
      return;
    case 3:
      walk_lanes<PackTurns<circles, 3>, has_made>(lanes, leaves);
      return;
    case 4:
      walk_lanes<PackTurns<circles, 4>, has_made>(lanes, leaves);
      return;
    case 5:
    case 6:
      walk_lanes<PackTurns<circles, 6>, has_made>(lanes, leaves);
      return;
    case 7:
    case 8:
      walk_lanes<PackTurns<circles, 8>, has_made>(lanes, leaves);
      return;
    default:
      walk_lanes<PlainTurns<circles>, has_made>(lanes, leaves);
  }
}

void walk_best(const Lanes& lanes, std::uint32_t* leaves) {
  const bool has_made = !lanes.packed.made.empty();
  if (lanes.packed.circles) {
    has_made ? walk_by_packs<true, true>(lanes, leaves) : walk_by_packs<true, false>(lanes, leaves);
  } else {
    has_made ? walk_by_packs<false, true>(lanes, leaves)
             : walk_by_packs<false, false>(lanes, leaves);
  }
}

#else

void walk_best(const Lanes& lanes, std::uint32_t* leaves) { walk_plain(lanes, leaves); }

#endif

}  // namespace bentwood::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace bentwood {

HWY_EXPORT(walk_best);

void walk(const Lanes& lanes, std::uint32_t* leaves) {
  HWY_DYNAMIC_DISPATCH(walk_best)(lanes, leaves);
}

}  // namespace bentwood
#endif
