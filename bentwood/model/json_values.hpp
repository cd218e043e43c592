#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// JSON of a file that nobody vouches for. Nothing is built but what is asked for, so that memory stays in proportion to the text: an empty
/// list takes two characters, and as a tree of values twenty times as much.
namespace bentwood {

/// A list of which at most as many items are kept as there should be.
template <class Item>
struct JsonList {
  std::vector<Item> items;
  /// All items, those that were not kept included.
  std::size_t size = 0;
};

/// The texts, or the whole numbers, of a list, `most` of them kept; nothing where the JSON is anything else.
[[nodiscard]] std::optional<JsonList<std::string>> json_texts(std::string_view json,
                                                              std::size_t most);
[[nodiscard]] std::optional<JsonList<std::int64_t>> json_integers(std::string_view json,
                                                                  std::size_t most);

/// The members of an object, each as JSON without spaces; nothing where the JSON is anything else, is nested deeper than a person would
/// write it, or has a name twice.
[[nodiscard]] std::optional<std::map<std::string, std::string>> json_members(std::string_view json);

}  // namespace bentwood
