#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string_view>

namespace bentwood {

/// Zachary's karate club: who met whom outside the club, and whom each member followed when it
/// split. W. W. Zachary, "An information flow model for conflict and fission in small groups",
/// Journal of Anthropological Research 33 (1977).
inline constexpr std::size_t n_karate_members = 34;

/// The 78 friendships as pairs of members 0 ... 33, smaller first, sorted.
[[nodiscard]] std::span<const std::array<int, 2>> karate_edges();

/// The faction of each member: 0 follows the instructor ("Mr. Hi"), 1 the president ("Officer").
[[nodiscard]] std::span<const int> karate_factions();

[[nodiscard]] std::string_view karate_faction_name(int faction);

}  // namespace bentwood
