#include <fmt/format.h>

#include <CLI/App.hpp>
#include <CLI/Option.hpp>
#include <memory>
#include <optional>
#include <string>

#include "bentwood/base/error.hpp"
#include "bentwood/base/parallel.hpp"
#include "bentwood/data/file.hpp"
#include "cli/points_file.hpp"
#include "cli/report.hpp"
#include "cli/session.hpp"

namespace bentwood::cli {
namespace {

struct InspectOptions {
  PointsFileOptions input;
  std::optional<std::string> signature;
  Coordinates coordinates = Coordinates::ambient;
  bool json = false;
};

void inspect(const InspectOptions& options, const Session& session) {
  const ThreadLimit limit(session.n_threads);
  std::optional<Signature> signature;
  if (options.signature) {
    signature.emplace(*options.signature);
  }
  const Report report =
      make_report(read_points(options.input, session), signature, options.coordinates);
  constexpr int indent = 2;
  const std::string text =
      options.json
          ? report_json(report).dump(indent, ' ', false, nlohmann::json::error_handler_t::replace) +
                "\n"
          : report_text(report);
  write_file("-", std::span(&text, 1));
}

}  // namespace

void add_inspect(CLI::App& app, Session& session) {
  CLI::App* command = app.add_subcommand(
      "inspect", "Say what is in a file, and whether its rows lie on a manifold.");
  command->fallthrough();
  auto options = std::make_shared<InspectOptions>();
  add_points_file_options(*command, options->input);
  CLI::Option* const signature = add_signature_option(*command, options->signature);
  add_coordinates_option(*command, "-c,--coordinates", options->coordinates,
                         "The coordinates of the file. Default: ambient.")
      ->needs(signature);
  command->add_flag("--json", options->json, "The report as JSON.");
  command->footer(
      "Without --signature the report says which manifold would fit, if one does.\n"
      "Examples:\n"
      "  bentwood inspect points.csv\n"
      "  bentwood inspect points.csv --signature H2 --coordinates poincare --label species\n"
      "  bentwood inspect latents.npy -s \"S2 x E2 x H2\" --json | jq .manifold.factors");
  command->callback([options, &session] { inspect(*options, session); });
}

}  // namespace bentwood::cli
