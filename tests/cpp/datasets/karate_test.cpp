#include "bentwood/datasets/karate.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace bentwood {
namespace {

TEST(Karate, has_34_members_78_friendships_and_two_factions_of_17) {
  EXPECT_EQ(karate_edges().size(), 78U);
  EXPECT_EQ(karate_factions().size(), n_karate_members);
  EXPECT_EQ(std::ranges::count(karate_factions(), 0), 17);
  EXPECT_EQ(std::ranges::count(karate_factions(), 1), 17);
}

TEST(Karate, lists_each_friendship_once_in_order) {
  for (const auto& [first, second] : karate_edges()) {
    EXPECT_LE(0, first);
    EXPECT_LT(first, second);
    EXPECT_LT(second, static_cast<int>(n_karate_members));
  }
  const auto edges = karate_edges();
  EXPECT_TRUE(std::ranges::is_sorted(edges));
  EXPECT_EQ(std::ranges::adjacent_find(edges), edges.end());
}

// The degrees of the five best connected members, as printed in every analysis of the network.
TEST(Karate, gives_instructor_and_president_the_most_friends) {
  std::vector<int> degrees(n_karate_members);
  for (const auto& [first, second] : karate_edges()) {
    ++degrees[static_cast<std::size_t>(first)];
    ++degrees[static_cast<std::size_t>(second)];
  }
  EXPECT_EQ(degrees[33], 17);
  EXPECT_EQ(degrees[0], 16);
  EXPECT_EQ(degrees[32], 12);
  EXPECT_EQ(degrees[2], 10);
  EXPECT_EQ(degrees[1], 9);
  EXPECT_EQ(karate_faction_name(karate_factions()[0]), "Mr. Hi");
  EXPECT_EQ(karate_faction_name(karate_factions()[33]), "Officer");
}

}  // namespace
}  // namespace bentwood
