#include "cli/output_file.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>

#include "bentwood/base/error.hpp"
#include "bentwood/data/file.hpp"
#include "bentwood/data/text.hpp"

namespace bentwood::cli {

void check_output(const std::string& output, std::initializer_list<std::string> inputs) {
  if (output == "-") {
    return;
  }
  for (const std::string& input : inputs) {
    std::error_code ignored;  // a file that is not there is no input's twin
    if (std::filesystem::equivalent(output, input, ignored)) {
      throw InvalidInput(
          fmt::format("{}: is an input; name another file for the output", printable(output)));
    }
  }
  check_writable(output);
}

}  // namespace bentwood::cli
