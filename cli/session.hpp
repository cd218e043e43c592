#pragma once

#include <CLI/App.hpp>
#include <CLI/Validators.hpp>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace bentwood::cli {

/// What all commands share.
struct Session {
  /// 0: all cores.
  std::size_t n_threads = 0;
  bool quiet = false;
};

/// Adds --threads and --quiet, which may stand before or after the name of a command.
void add_shared_options(CLI::App& app, Session& session);

/// Accepts decimal whole numbers from `least` to `most` and nothing else: no sign that wraps around, no
/// fraction that is cut off. As a transform: without the zeros in front, which would make it octal.
[[nodiscard]] CLI::Validator whole_number(std::uint64_t least, std::uint64_t most);

/// Accepts what files have as numbers: decimal ones.
[[nodiscard]] CLI::Validator decimal_number();

/// Accepts finite decimal numbers above 0.
[[nodiscard]] CLI::Validator positive_number();

/// Accepts finite decimal numbers of at least 0.
[[nodiscard]] CLI::Validator non_negative_number();

/// Accepts decimal numbers from 0 to `most`.
[[nodiscard]] CLI::Validator share_number(double most = 1);

/// Tells a person at a terminal what is going on; says nothing into files and pipes.
void progress(const Session& session, std::string_view line);

/// Something the user should know although the work went on: "bentwood: warning: ..." on stderr.
void warn(const Session& session, std::string_view line);

// One function a command, each in the source file of its name: declares the command and what runs
// it.
void add_convert(CLI::App& app, Session& session);
void add_demo(CLI::App& app, Session& session);
void add_draw(CLI::App& app, Session& session);
void add_evaluate(CLI::App& app, Session& session);
void add_generate(CLI::App& app, Session& session);
void add_inspect(CLI::App& app, Session& session);
void add_neighbors(CLI::App& app, Session& session);
void add_predict(CLI::App& app, Session& session);
void add_train(CLI::App& app, Session& session);

}  // namespace bentwood::cli
