#pragma once

#include <initializer_list>
#include <string>

namespace bentwood::cli {

/// Finds out before the work begins, not after, whether an output can be written, and that it is none of the inputs.
/// "-" always can. Throws IoError, InvalidInput.
void check_output(const std::string& output, std::initializer_list<std::string> inputs);

}  // namespace bentwood::cli
