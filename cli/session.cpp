#include "cli/session.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/Option.hpp>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>

#include "bentwood/base/parallel.hpp"
#include "bentwood/data/text.hpp"

namespace bentwood::cli {
namespace {

/// Accepts what asked_thread_limit takes.
CLI::Validator thread_number() {
  return {[](std::string& text) -> std::string {
            constexpr std::int64_t most = 4096;
            const std::optional<std::int64_t> asked = parse_integer(text);
            if (asked && *asked != 0 && *asked >= -most && *asked <= most) {
              text = fmt::format("{}", *asked);
              return "";
            }
            return fmt::format(
                "expected a number of threads from 1 to {}, or -1 for all cores, found {}", most,
                shown(text));
          },
          ""};
}

}  // namespace

void add_shared_options(CLI::App& app, Session& session) {
  app.add_option_function<int>(
         "-j,--threads", [&session](int asked) { session.n_threads = asked_thread_limit(asked); },
         "Threads to use; -1 means all cores, -2 all but one. Default: all cores. Results never "
         "depend on it.")
      ->transform(thread_number());
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

CLI::Validator positive_number() {
  return {[](const std::string& text) -> std::string {
            double value = 0;
            return parse_number(text, value) == NumberKind::number && std::isfinite(value) &&
                           value > 0
                       ? ""
                       : fmt::format("expected a finite number above 0, found {}", shown(text));
          },
          "NUMBER > 0"};
}

CLI::Validator non_negative_number() {
  return {
      [](const std::string& text) -> std::string {
        double value = 0;
        return parse_number(text, value) == NumberKind::number && std::isfinite(value) && value >= 0
                   ? ""
                   : fmt::format("expected a finite number of at least 0, found {}", shown(text));
      },
      "NUMBER >= 0"};
}

CLI::Validator share_number(double most) {
  return {[most](const std::string& text) -> std::string {
            double value = 0;
            return parse_number(text, value) == NumberKind::number && value >= 0 && value <= most
                       ? ""
                       : fmt::format("expected a number from 0 to {}, found {}", most, shown(text));
          },
          fmt::format("0 to {}", most)};
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
