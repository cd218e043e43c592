#include "bentwood/geometry/signature.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "bentwood/base/error.hpp"

namespace bentwood {
namespace {

TEST(Signature, reads_factors_with_their_default_curvatures) {
  const Signature signature("H2 x S3 x E4");
  const std::vector<Factor> expected{
      {Geometry::hyperbolic, 2, -1}, {Geometry::spherical, 3, 1}, {Geometry::euclidean, 4, 0}};
  EXPECT_EQ(signature.factors(), expected);
  EXPECT_EQ(signature.dim(), 9U);
  EXPECT_EQ(signature.ambient_dim(), 11U);
}

TEST(Signature, prints_a_canonical_text_that_reads_back_the_same) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"H2", "H2"},
      {"H2xS2xE3", "H2 x S2 x E3"},
      {" H2 ( -0.5 )*S2(1) ", "H2(-0.5) x S2"},
      {"(S2)^4", "(S2)^4"},
      {"S2^2 x S2 x E1", "(S2)^3 x E1"},
      {"(H2 x E1)^2", "H2 x E1 x H2 x E1"},
      {"((H2))", "H2"},
      {"H2(-1e-3)", "H2(-0.001)"},
      {"H2(-0.1)", "H2(-0.1)"},
  };
  for (const auto& [text, canonical] : cases) {
    const Signature signature(text);
    EXPECT_EQ(signature.text(), canonical) << text;
    EXPECT_EQ(Signature(signature.text()), signature) << text;
  }
}

TEST(Signature, has_a_letter_for_every_geometry_and_a_prefix_for_every_factor) {
  const Signature signature("S2 x H2(-4) x E1");
  std::string letters;
  for (const Factor& factor : signature.factors()) {
    letters += letter(factor.geometry);
  }
  EXPECT_EQ(letters, "SHE");
  EXPECT_EQ(signature.prefix(0), "s1");
  EXPECT_EQ(signature.prefix(1), "h2");
  EXPECT_EQ(signature.prefix(2), "e3");
}

TEST(Signature, points_at_the_character_that_is_wrong) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"", R"text(bad signature "" at character 1: expected H, S or E, found the end)text"},
      {"Q2", R"text(bad signature "Q2" at character 1: expected H, S or E, found 'Q')text"},
      {"H",
       R"text(bad signature "H" at character 2: expected a dimension (1, 2, ...), found the end)text"},
      {"H0",
       R"text(bad signature "H0" at character 2: a dimension must be at least 1, found 0)text"},
      {"H-1",
       R"text(bad signature "H-1" at character 2: expected a dimension (1, 2, ...), found '-')text"},
      {"H2 x", R"text(bad signature "H2 x" at character 5: expected H, S or E, found the end)text"},
      {"H2 S2",
       R"text(bad signature "H2 S2" at character 4: expected 'x' between factors or the end, found 'S')text"},
      {"H2(1.0)",
       R"text(bad signature "H2(1.0)" at character 4: a hyperbolic factor needs a negative curvature, found 1)text"},
      {"S2(-1)",
       R"text(bad signature "S2(-1)" at character 4: a spherical factor needs a positive curvature, found -1)text"},
      {"E2(1)",
       R"text(bad signature "E2(1)" at character 4: a Euclidean factor has curvature 0, found 1)text"},
      {"H2(nan)",
       R"text(bad signature "H2(nan)" at character 4: curvature nan is not a finite number)text"},
      {"H2(-1",
       R"text(bad signature "H2(-1" at character 6: expected ')' after the curvature, found the end)text"},
      {"(H2", R"text(bad signature "(H2" at character 4: expected ')', found the end)text"},
      {"(S2)^0",
       R"text(bad signature "(S2)^0" at character 6: a power must be at least 1, found 0)text"},
      {"H99999999999999999999",
       R"text(bad signature "H99999999999999999999" at character 2: a dimension may be at most 1000000)text"},
      {"(H1000)^999999",
       R"text(bad signature "(H1000)^999999" at character 1: the dimensions add up to more than 1000000)text"},
      {"H2\n",
       R"text(bad signature "H2\x0a" at character 3: expected 'x' between factors or the end, found '\x0a')text"},
  };
  for (const auto& [text, message] : cases) {
    try {
      const Signature signature(text);
      FAIL() << "accepted " << text;
    } catch (const InvalidInput& error) {
      EXPECT_EQ(error.what(), message);
    }
  }
}

// Quadratic time would make this take minutes.
TEST(Signature, reads_back_a_product_of_many_factors) {
  const Signature signature("(H2 x E1)^200000");
  EXPECT_EQ(signature.dim(), 600'000U);
  EXPECT_EQ(Signature(signature.text()), signature);
}

TEST(Signature, has_no_more_factors_than_it_may) {
  EXPECT_EQ(Signature("(H2 x E1)^3", 6).factors().size(), 6U);
  for (const auto& [text, place] : {std::pair("(H2 x E1)^3", 1), std::pair("E1 x (E1)^5", 5),
                                    std::pair("((E1)^3)^2", 1), std::pair("(E1)^1000000", 1)}) {
    try {
      const Signature signature(text, 5);
      FAIL() << "accepted " << text;
    } catch (const InvalidInput& error) {
      EXPECT_EQ(error.what(), "bad signature \"" + std::string(text) + "\" at character " +
                                  std::to_string(place) + ": there are more than 5 factors");
    }
  }
}

TEST(Signature, refuses_parentheses_nested_without_end) {
  EXPECT_THROW(Signature(std::string(100'000, '(')), InvalidInput);
}

}  // namespace
}  // namespace bentwood
