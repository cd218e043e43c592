#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "bentwood/data/io.hpp"
#include "bentwood/data/table.hpp"

namespace bentwood {

/// The table of an NPY file: a matrix, or a list as one column. `n_packed` is the length of the input before it was
/// decompressed: throws FormatError where the numbers take more than most_expanded() of it.
[[nodiscard]] Table parse_npy_table(std::string_view bytes, const std::string& source,
                                    std::size_t n_packed);

/// The same for an NPZ file: see read_table for what becomes of its arrays.
[[nodiscard]] Table parse_npz_table(std::string_view bytes, const std::string& source,
                                    const TableOptions& options, std::size_t n_packed);

}  // namespace bentwood
