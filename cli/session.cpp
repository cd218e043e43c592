#include "cli/session.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/Option.hpp>
#include <charconv>
#include <cstdio>
#include <string>

#include "bentwood/data/text.hpp"

namespace bentwood::cli {

void add_shared_options(CLI::App& app, Session& session) {
  app.add_option("-j,--threads", session.n_threads,
                 "Threads to use; 0 means all cores. Results never depend on it.")
      ->transform(whole_number(0, 4096));
  app.add_flag("-q,--quiet", session.quiet, "No progress and no warnings on stderr.");
}

CLI::Validator whole_number(std::uint64_t least, std::uint64_t most) {
  return {[least, most](std::string& text) -> std::string {
            std::uint64_t value = 0;
            const char* const begin = text.data() + (text.starts_with('+') ? 1 : 0);
            const char* const end = text.data() + text.size();
            const auto [stop, error] = std::from_chars(begin, end, value);
            if (error == std::errc{} && stop == end && value >= least && value <= most) {
              text = fmt::format("{}", value);
              return "";
            }
            return fmt::format("expected a whole number from {} to {}, found {}", least, most,
                               shown(text));
          },
          fmt::format("{} to {}", least, most)};
}

CLI::Validator decimal_number() {
  return {[](const std::string& text) -> std::string {
            double value = 0;
            return parse_number(text, value) == NumberKind::number
                       ? ""
                       : fmt::format("expected a number, found {}", shown(text));
          },
          ""};
}

void progress(const Session& session, std::string_view line) {
  if (!session.quiet && isatty(STDERR_FILENO) == 1) {
    fmt::print(stderr, "{}\n", line);
  }
}

void warn(const Session& session, std::string_view line) {
  if (!session.quiet) {
    fmt::print(stderr, "bentwood: warning: {}\n", line);
  }
}

}  // namespace bentwood::cli
