#pragma once

#include <CLI/App.hpp>
#include <string>
#include <vector>

namespace bentwood::cli {

/// The words of a command line, without the program's name, with the values of each list in one word:
/// `--columns x y` becomes `--columns x,y`, so that both can be written. The lists are the options that
/// have a delimiter.
///
/// A list ends before the next option, "-" or "--", and leaves its last words to the arguments that are
/// missing: the input of `--columns x y points.csv --label z` is points.csv.
[[nodiscard]] std::vector<std::string> with_lists_joined(const CLI::App& app,
                                                         const std::vector<std::string>& words);

}  // namespace bentwood::cli
