#include "bentwood/model/json_values.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace bentwood {
namespace {

TEST(JsonLists, keep_no_more_items_than_they_may_and_count_all) {
  const auto texts = json_texts(R"(["a", "b\n", "ü"])", 2);
  ASSERT_TRUE(texts);
  EXPECT_EQ(texts->items, (std::vector<std::string>{"a", "b\n"}));
  EXPECT_EQ(texts->size, 3U);
  const auto integers = json_integers("[-9223372036854775808,0,9223372036854775807]", 9);
  ASSERT_TRUE(integers);
  EXPECT_EQ(integers->items, (std::vector<std::int64_t>{INT64_MIN, 0, INT64_MAX}));
  EXPECT_EQ(json_texts("[]", 9)->size, 0U);
}

TEST(JsonLists, are_nothing_where_they_are_something_else) {
  for (const char* const json : {"", "null", "\"a\"", "1", "{}", "[\"a\"", "[\"a\"]]", "[[\"a\"]]",
                                 "[1]", "[null]", "[\"a\",1]", "[\"\xff\"]", "[{}]", "[true]"}) {
    EXPECT_FALSE(json_texts(json, 9)) << json;
  }
  for (const char* const json : {"1", "[1.0]", "[1e3]", "[\"1\"]", "[9223372036854775808]", "[[1]]",
                                 "[-9223372036854775809]", "[1,]"}) {
    EXPECT_FALSE(json_integers(json, 9)) << json;
  }
}

// A tree of values, which takes more memory, says the same.
TEST(JsonMembers, are_written_as_a_parser_of_everything_has_them) {
  const std::string json =
      R"({"a": [1, -2, 3.5, 1e5, [], {}, [[]], {"b": {"c": [null, true, false]}, "d": "x\"[{:,"}], "": "", "z": 1e-7, "ü": 18446744073709551615})";
  const auto members = json_members(json);
  ASSERT_TRUE(members);
  const nlohmann::json whole = nlohmann::json::parse(json);
  ASSERT_EQ(members->size(), whole.size());
  for (const auto& [name, text] : *members) {
    EXPECT_EQ(text, whole.at(name).dump());
  }
}

TEST(JsonMembers, are_nothing_where_the_json_is_no_object_of_a_person) {
  for (const char* const json : {"", "[]", "1", "\"a\"", "null", "{", "{\"a\":}", "{\"a\":1}x",
                                 "{\"a\":1,\"a\":2}", "[{\"a\":1}]"}) {
    EXPECT_FALSE(json_members(json)) << json;
  }
  EXPECT_TRUE(json_members("{\"a\":" + std::string(15, '[') + std::string(15, ']') + "}"));
  EXPECT_FALSE(json_members("{\"a\":" + std::string(20, '[') + std::string(20, ']') + "}"));
  EXPECT_FALSE(json_members("{\"a\":" + std::string(100'000, '[')));
}

}  // namespace
}  // namespace bentwood
