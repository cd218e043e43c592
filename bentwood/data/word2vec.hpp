#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "bentwood/data/table.hpp"

namespace bentwood {

/// Reads embeddings in the text format of word2vec: a line "n d", then n lines of a word and d numbers,
/// apart by spaces. The table has a text column "word" and the columns c1 ... cd.
///
/// Throws FormatError with the line: no such first line, another number of words or numbers than
/// announced, a field that is not a number or out of range, a word twice or not in UTF-8.
[[nodiscard]] Table parse_word2vec(std::string_view bytes, const std::string& source);

/// The pieces of such a file: the words of column `word`, the numbers of all other columns. Throws
/// InvalidInput for words that are empty or hold spaces, FormatError for another text column.
[[nodiscard]] std::vector<std::string> format_word2vec(const Table& table,
                                                       std::string_view word = "word");

}  // namespace bentwood
