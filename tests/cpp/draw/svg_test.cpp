#include "bentwood/draw/svg.hpp"

#include <gtest/gtest.h>

#include <string>

namespace bentwood {
namespace {

TEST(EscapedXml, leaves_no_markup) {
  EXPECT_EQ(escaped_xml("<script>alert(\"1\" & '2')</script>"),
            "&lt;script&gt;alert(&quot;1&quot; &amp; '2')&lt;/script&gt;");
}

TEST(EscapedXml, writes_out_what_xml_cannot_hold) {
  EXPECT_EQ(escaped_xml(std::string("a\0b\x07\n", 5)), "a\\x00b\\x07\\x0a");
  EXPECT_EQ(escaped_xml("broken \xff"), "broken \\xff");
  EXPECT_EQ(escaped_xml("\xEF\xBF\xBF"), "\xEF\xBF\xBD");
  EXPECT_EQ(escaped_xml("Poincaré ρ"), "Poincaré ρ");
}

TEST(Pixels, have_at_most_two_decimals_and_no_negative_zero) {
  EXPECT_EQ(pixels(12), "12");
  EXPECT_EQ(pixels(0.5), "0.5");
  EXPECT_EQ(pixels(3.14159), "3.14");
  EXPECT_EQ(pixels(-0.0001), "0");
}

TEST(SvgCanvas, describes_itself_for_those_who_cannot_see_it) {
  const SvgCanvas canvas(100, 50, "A <title>", "What is on it");
  const std::string document = canvas.document();
  EXPECT_NE(document.find("<title id=\"title\">A &lt;title&gt;</title>"), std::string::npos);
  EXPECT_NE(document.find("<desc id=\"description\">What is on it</desc>"), std::string::npos);
  EXPECT_NE(document.find("viewBox=\"0 0 100 50\""), std::string::npos);
}

}  // namespace
}  // namespace bentwood
