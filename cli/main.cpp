#include <fmt/format.h>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <cstdio>
#include <exception>
#include <iostream>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "bentwood/base/error.hpp"
#include "bentwood/base/parallel.hpp"
#include "bentwood/data/text.hpp"
#include "cli/interrupt.hpp"
#include "cli/list_options.hpp"
#include "cli/session.hpp"

namespace bentwood::cli {
namespace {

constexpr int bad_input_exit_code = 1;
constexpr int usage_exit_code = 2;

int complain(const char* message, int exit_code) {
  fmt::print(stderr, "bentwood: {}\n", message);
  return exit_code;
}

/// The command the user was in the middle of, for "see bentwood generate mixture --help".
std::string command_so_far(const CLI::App& app) {
  std::string words = app.get_name();
  for (const CLI::App* command = &app; !command->get_subcommands().empty();) {
    command = command->get_subcommands().front();
    words += " " + command->get_name();
  }
  return words;
}

/// The word that stands where a command should, in quotes; empty where something else is wrong.
std::string first_unknown_word(const CLI::App& app) {
  const CLI::App* command = &app;
  while (!command->get_subcommands().empty()) {
    command = command->get_subcommands().front();
  }
  const std::vector<std::string> words = app.remaining(true);
  const bool expects_command = command->get_require_subcommand_min() > 0;
  return expects_command && !words.empty() && !words.front().starts_with('-') ? shown(words.front())
                                                                              : "";
}

int parse(CLI::App& app, int argc, char** argv) {
  if (argc < 2) {
    std::cerr << app.help();
    return usage_exit_code;
  }
  try {
    std::vector<std::string> words = with_lists_joined(app, {argv + 1, argv + argc});
    std::ranges::reverse(words);  // the parser takes them from the back
    app.parse(std::move(words));
  } catch (const CLI::Success& success) {
    return app.exit(success);
  } catch (const CLI::ParseError& error) {
    const std::string problem = first_unknown_word(app).empty()
                                    ? error.what()
                                    : fmt::format("no command {}", first_unknown_word(app));
    // The help of a command lists its own options only.
    const bool is_shared = problem.starts_with("--threads");
    fmt::print(stderr, "bentwood: {}; see {} --help\n", problem,
               is_shared ? app.get_name() : command_so_far(app));
    return usage_exit_code;
  }
  return 0;
}

int run(int argc, char** argv) {
  CLI::App app("Learning from points on curved spaces: hyperbolic, spherical, Euclidean.",
               "bentwood");
  Session session;
  app.set_version_flag("--version", "bentwood " BENTWOOD_VERSION);
  app.require_subcommand(1);
  app.footer(
      "Start with:\n"
      "  bentwood demo\n"
      "Each command has examples: bentwood convert --help\n"
      "Exit codes: 0 fine, 1 bad input, 2 wrong usage, 130 interrupted.");
  add_shared_options(app, session);
  add_generate(app, session);
  add_convert(app, session);
  add_inspect(app, session);
  add_train(app, session);
  add_predict(app, session);
  add_evaluate(app, session);
  add_neighbors(app, session);
  add_draw(app, session);
  add_demo(app, session);

  catch_interrupts();
  const InterruptCheck check(interrupted);
  try {
    // The commands run as callbacks at the end of parsing.
    return parse(app, argc, argv);
  } catch (const Interrupted&) {
    return interrupted_exit_code;
  } catch (const Error& error) {
    return complain(error.what(), bad_input_exit_code);
  } catch (const std::bad_alloc&) {
    return complain("not enough memory", bad_input_exit_code);
  } catch (const std::length_error&) {
    return complain("not enough memory", bad_input_exit_code);
  }
}

}  // namespace
}  // namespace bentwood::cli

int main(int argc, char** argv) {
  try {
    return bentwood::cli::run(argc, argv);
  } catch (const std::exception& error) {
    std::fputs("bentwood: ", stderr);
    std::fputs(error.what(), stderr);
    std::fputs("\n", stderr);
    return 1;
  }
}
