#include "cli/session.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/Option.hpp>
#include <cstdio>
#include <optional>
#include <string>

#include "bentwood/data/text.hpp"

namespace bentwood::cli {

void add_shared_options(CLI::App& app, Session& session) {
  app.add_option("--threads", session.n_threads,
                 "Threads to use; 0 means all cores. Results never depend on it.")
      ->check(whole_number(0, 4096));
  app.add_flag("-q,--quiet", session.quiet, "No progress and no warnings on stderr.");
}

CLI::Validator whole_number(std::int64_t least, std::int64_t most) {
  return {[least, most](const std::string& text) -> std::string {
            const std::optional<std::int64_t> value = parse_integer(text);
            if (value && *value >= least && *value <= most) {
              return "";
            }
            return fmt::format("expected a whole number from {} to {}, found {}", least, most,
                               shown(text));
          },
          fmt::format("{} to {}", least, most)};
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
