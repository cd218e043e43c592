#include "bentwood/infer/walk.hpp"

// Compiled for three instruction sets (baseline, AVX2, AVX-512 on x86-64), of which the best is chosen when the
// program runs: highway's foreach_target.h includes this file once for each.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "bentwood/infer/walk.cpp"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
#include <hwy/highway.h>

#include <algorithm>
#include <array>

HWY_BEFORE_NAMESPACE();
namespace bentwood::HWY_NAMESPACE {

#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3

namespace hn = hwy::HWY_NAMESPACE;

using Tag = hn::ScalableTag<std::int32_t>;
using Pack = hn::Vec<Tag>;
using Mask = hn::Mask<Tag>;

constexpr std::size_t pack_size = hn::MaxLanes(Tag());
/// Packs that step in turn: while one waits for memory the others go on.
constexpr std::size_t n_turns = 4;
/// Measured on trees whose leaves lie 23 deep on average: 3 takes a fifth more time, 6 no less.
constexpr int steps_a_look = 5;
constexpr std::size_t buffer_size = most_lanes + n_turns * pack_size;
using Buffer = std::array<std::int32_t, buffer_size>;

/// `near_keys`: one row's keys fit into two registers.
template <unsigned column_bits, bool circles, bool one_row, bool near_keys>
class PackedWalk {
 public:
  explicit PackedWalk(const Lanes& lanes)
      : lanes_(lanes),
        nodes_(lanes.packed.nodes.data() + (one_row ? 0 : lanes.packed.tree_begins[lanes.tree])),
        n_keys_(hn::Set(Tag(), static_cast<std::int32_t>(lanes.packed.n_keys()))),
        n_columns_(hn::Set(Tag(), static_cast<std::int32_t>(lanes.packed.n_columns))),
        low_keys_(hn::Zero(Tag())),
        high_keys_(hn::Zero(Tag())) {
    if constexpr (near_keys) {
      std::array<std::int32_t, 2 * pack_size> keys{};
      std::copy_n(lanes.keys, lanes.packed.n_keys(), keys.begin());
      low_keys_ = hn::LoadU(Tag(), keys.data());
      high_keys_ = hn::LoadU(Tag(), keys.data() + pack_size);
    }
  }

  void run(std::uint32_t* slots) {
    for (std::size_t lane = 0; lane < lanes_.n_lanes; ++lane) {
      active_[lane] = static_cast<std::int32_t>(lane);
      begins_[lane] =
          one_row ? static_cast<std::int32_t>(lanes_.packed.tree_begins[lanes_.tree + lane]) : 0;
      slots_[lane] = begins_[lane];
    }
    std::size_t n_active = lanes_.n_lanes;
    while (n_active > 0) {
      // Whoever fills the last packs does as the first lane does, and is forgotten.
      for (std::size_t index = 0; index < n_turns * pack_size; ++index) {
        active_[n_active + index] = active_[0];
        slots_[n_active + index] = slots_[0];
      }
      std::size_t n_left = 0;
      for (std::size_t first = 0; first < n_active; first += n_turns * pack_size) {
        n_left = advance_up_to<n_turns>(first, n_active, n_left);
      }
      n_active = n_left;
    }
    for (std::size_t index = 0; index < lanes_.n_lanes; ++index) {
      const auto lane = static_cast<std::size_t>(arrived_[index]);
      slots[lane] = static_cast<std::uint32_t>(arrived_slots_[index] - begins_[lane]);
    }
  }

 private:
  /// What a pack of lanes knows: who they are, where they stand, where their keys and their trees begin.
  struct Group {
    Pack lane;
    Pack slot;
    Pack keys;
    Pack begin;
  };

  HWY_INLINE Group load(std::size_t first) const {
    const Tag tag;
    Group group;
    group.lane = hn::LoadU(tag, active_.data() + first);
    group.slot = hn::LoadU(tag, slots_.data() + first);
    group.keys = one_row ? hn::Zero(tag) : hn::Mul(group.lane, n_keys_);
    group.begin = one_row ? hn::GatherIndex(tag, begins_.data(), group.lane) : hn::Zero(tag);
    return group;
  }

  /// As many packs as are needed, n at most.
  template <std::size_t n>
  HWY_INLINE std::size_t advance_up_to(std::size_t first, std::size_t n_active,
                                       std::size_t n_left) {
    if constexpr (n > 1) {
      if (first + (n - 1) * pack_size >= n_active) {
        return advance_up_to<n - 1>(first, n_active, n_left);
      }
    }
    return advance<n>(first, n_active, n_left);
  }

  /// Some steps of n packs from `first` on, in turn; those that have not arrived move up to n_left, which is returned.
  template <std::size_t n>
  HWY_INLINE std::size_t advance(std::size_t first, std::size_t n_active, std::size_t n_left) {
    std::array<Group, n> groups;
    for (std::size_t index = 0; index < n; ++index) {
      groups[index] = load(first + index * pack_size);
    }
    for (int count = 0; count < steps_a_look; ++count) {
      for (Group& group : groups) {
        step(group);
      }
    }
    for (std::size_t index = 0; index < n; ++index) {
      n_left = drop_arrived(groups[index], first + index * pack_size, n_active, n_left);
    }
    return n_left;
  }

  HWY_INLINE void step(Group& group) const {
    const Tag tag;
    const hn::RebindToUnsigned<Tag> bits;
    const hn::Repartition<std::int64_t, Tag> wide;
    const hn::Half<Tag> half;
    // A node is one gather of 8 bytes.
    const auto* const words = reinterpret_cast<const std::int64_t*>(nodes_);
    const auto low = hn::BitCast(
        tag, hn::GatherIndex(wide, words, hn::PromoteTo(wide, hn::LowerHalf(half, group.slot))));
    const auto high = hn::BitCast(
        tag, hn::GatherIndex(wide, words, hn::PromoteTo(wide, hn::UpperHalf(half, group.slot))));
    const Pack threshold = hn::ConcatEven(tag, high, low);
    const Pack link = hn::ConcatOdd(tag, high, low);
    const Pack column = hn::And(link, hn::Set(tag, (1 << column_bits) - 1));
    const Pack key = key_of(group, column);
    const Pack pair =
        hn::BitCast(tag, hn::ShiftLeft<1>(hn::ShiftRight<column_bits>(hn::BitCast(bits, link))));
    const Pack child = hn::Add(group.begin, pair);
    const Pack one = hn::Set(tag, 1);
    Pack right = hn::And(hn::VecFromMask(tag, hn::Gt(key, threshold)), one);
    Mask undecided = hn::Eq(key, threshold);
    if constexpr (circles) {
      right = hn::Xor(right, hn::And(key, one));
      undecided = hn::Eq(hn::AndNot(one, hn::Xor(key, threshold)), hn::Zero(tag));
    }
    if (HWY_UNLIKELY(!hn::AllFalse(tag, undecided))) {
      right = decided(group, undecided, right);
    }
    group.slot = hn::Add(child, right);
  }

  HWY_INLINE Pack key_of(const Group& group, Pack column) const {
    const Tag tag;
    if constexpr (near_keys) {
      const auto index =
          hn::IndicesFromVec(tag, hn::And(column, hn::Set(tag, static_cast<int>(pack_size) - 1)));
      return hn::IfThenElse(hn::Lt(column, hn::Set(tag, static_cast<int>(pack_size))),
                            hn::TableLookupLanes(low_keys_, index),
                            hn::TableLookupLanes(high_keys_, index));
    } else {
      return hn::GatherIndex(tag, lanes_.keys, hn::Add(group.keys, column));
    }
  }

  /// The turns, those that the keys left open by float64.
  HWY_NOINLINE Pack decided(const Group& group, Mask undecided, Pack right) const {
    const Tag tag;
    std::array<std::int32_t, pack_size> lane;
    std::array<std::int32_t, pack_size> slot;
    std::array<std::int32_t, pack_size> open;
    std::array<std::int32_t, pack_size> turn;
    hn::StoreU(group.lane, tag, lane.data());
    hn::StoreU(hn::Sub(group.slot, group.begin), tag, slot.data());
    hn::StoreU(hn::VecFromMask(tag, undecided), tag, open.data());
    hn::StoreU(right, tag, turn.data());
    for (std::size_t index = 0; index < pack_size; ++index) {
      if (open[index] != 0) {
        turn[index] = turns_right(lanes_, static_cast<std::size_t>(lane[index]),
                                  static_cast<std::uint32_t>(slot[index]))
                          ? 1
                          : 0;
      }
    }
    return hn::LoadU(tag, turn.data());
  }

  HWY_INLINE std::size_t drop_arrived(const Group& group, std::size_t first, std::size_t n_active,
                                      std::size_t n_left) {
    const Tag tag;
    const auto* const halves = reinterpret_cast<const std::int32_t*>(nodes_);
    const Pack link =
        hn::GatherIndex(tag, halves, hn::Add(hn::ShiftLeft<1>(group.slot), hn::Set(tag, 1)));
    const Pack column = hn::And(link, hn::Set(tag, (1 << column_bits) - 1));
    const Mask real = hn::FirstN(tag, n_active - std::min(first, n_active));
    const Mask walking = hn::And(real, hn::Lt(column, n_columns_));
    const Mask arrived = hn::AndNot(walking, real);
    hn::CompressStore(group.lane, arrived, tag, arrived_.data() + n_arrived_);
    n_arrived_ += hn::CompressStore(group.slot, arrived, tag, arrived_slots_.data() + n_arrived_);
    hn::CompressStore(group.lane, walking, tag, active_.data() + n_left);
    return n_left + hn::CompressStore(group.slot, walking, tag, slots_.data() + n_left);
  }

  const Lanes& lanes_;
  const PackedNode* nodes_;
  Pack n_keys_;
  Pack n_columns_;
  Pack low_keys_;
  Pack high_keys_;
  std::size_t n_arrived_ = 0;
  Buffer active_;
  Buffer slots_;
  Buffer begins_;
  Buffer arrived_;
  Buffer arrived_slots_;
};

template <unsigned column_bits, bool circles>
void walk_packs(const Lanes& lanes, std::uint32_t* slots) {
  if (!lanes.one_row) {
    PackedWalk<column_bits, circles, false, false>(lanes).run(slots);
  } else if (lanes.packed.n_keys() <= 2 * pack_size) {
    PackedWalk<column_bits, circles, true, true>(lanes).run(slots);
  } else {
    PackedWalk<column_bits, circles, true, false>(lanes).run(slots);
  }
}

void walk_best(const Lanes& lanes, std::uint32_t* slots) {
  if (lanes.packed.column_bits == 8) {
    lanes.packed.circles ? walk_packs<8, true>(lanes, slots) : walk_packs<8, false>(lanes, slots);
  } else {
    lanes.packed.circles ? walk_packs<12, true>(lanes, slots) : walk_packs<12, false>(lanes, slots);
  }
}

#else

void walk_best(const Lanes& lanes, std::uint32_t* slots) { walk_plain(lanes, slots); }

#endif

}  // namespace bentwood::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace bentwood {

HWY_EXPORT(walk_best);

void walk(const Lanes& lanes, std::uint32_t* slots) {
  HWY_DYNAMIC_DISPATCH(walk_best)(lanes, slots);
}

}  // namespace bentwood
#endif
