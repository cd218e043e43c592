#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "bentwood/data/csv.hpp"
#include "bentwood/data/table.hpp"

namespace bentwood {

class Input;

/// Reads a large CSV file of nothing but numbers, a segment at a time; nothing where the file turns
/// out to be anything else: text, quotes, a mistake, compressed, no ordinary file. The input then still has all its
/// bytes, and read_file and parse_csv say what there is to say. Throws nothing about the contents.
///
/// The table is the one that parse_csv makes. The gain is memory that is used again while it is
/// still in the cache: the pages for the bytes of the whole file cost more time than half of the
/// parsing. Small files gain nothing and are left alone.
[[nodiscard]] std::optional<Table> read_numeric_csv(const Input& input, const CsvOptions& options,
                                                    std::size_t segment_size);

/// Bytes of a segment: a few for each thread, within its cache.
[[nodiscard]] std::size_t default_segment_size();

}  // namespace bentwood
