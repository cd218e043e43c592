#include <fmt/format.h>

#include <CLI/App.hpp>
#include <CLI/Option.hpp>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>

#include "bentwood/base/error.hpp"
#include "bentwood/base/parallel.hpp"
#include "bentwood/data/file.hpp"
#include "bentwood/data/io.hpp"
#include "bentwood/datasets/mixture.hpp"
#include "bentwood/datasets/tree.hpp"
#include "bentwood/draw/poincare_disk.hpp"
#include "bentwood/geometry/manifold.hpp"
#include "cli/points_file.hpp"
#include "cli/report.hpp"
#include "cli/session.hpp"

namespace bentwood::cli {
namespace {

// A seed whose classes overlap a little: neither trivial nor hopeless to tell apart.
constexpr std::uint64_t demo_seed = 1;

struct DemoOptions {
  std::string folder = "bentwood-demo";
};

Table labelled_table(const Matrix& points, Coordinates coordinates,
                     const std::vector<std::int64_t>& labels) {
  Table table = points_table(points, coordinate_names(Signature("H2"), coordinates));
  table.add({"label", std::vector<double>(labels.begin(), labels.end()), {}});
  return table;
}

void write_text(const std::string& path, const std::string& text) {
  write_file(path, std::span(&text, 1));
}

void draw_mixture(const std::string& path, const Matrix& disk,
                  const std::vector<std::int64_t>& labels, std::size_t n_classes) {
  DiskPictureOptions options;
  options.title = "A mixture of four classes on the hyperbolic plane";
  for (std::size_t label = 0; label < n_classes; ++label) {
    options.class_names.push_back(fmt::format("class {}", label));
  }
  write_text(path, poincare_disk_picture(disk, labels, options));
}

void draw_tree(const std::string& path) {
  // Three neighbours a node, the root too. Above an edge length of 2 arcosh(1/sin 60°) = 1.0986 no
  // two edges cross, however deep the tree.
  std::vector<std::size_t> parents{0, 0, 0, 0};
  for (std::size_t parent = 1; parents.size() < 190; ++parent) {
    parents.insert(parents.end(), 2, parent);
  }
  const PlacedTree tree =
      sarkar_tree(parents, {.edge_length = 1.15, .coordinates = Coordinates::poincare});
  DiskPictureOptions options;
  options.title = "A tree of 190 nodes, every edge equally long";
  options.edges = tree.edges;
  options.class_names = {"root", "first branch", "second branch", "third branch"};
  write_text(path, poincare_disk_picture(tree.points, tree.labels, options));
}

void demo(const DemoOptions& options, const Session& session) {
  const ThreadLimit limit(session.n_threads);
  std::error_code problem;
  std::filesystem::create_directories(options.folder, problem);
  if (problem) {
    throw IoError(fmt::format("{}: cannot make the folder: {}", options.folder, problem.message()),
                  problem.value());
  }
  const std::string folder = options.folder + (options.folder.ends_with('/') ? "" : "/");

  MixtureOptions mixture;
  mixture.n_classes = 4;
  mixture.noise = 1;
  mixture.class_weights = {1, 1, 1, 1};
  mixture.seed = demo_seed;
  const LabelledPoints result = wrapped_normal_mixture(mixture);
  write_table(folder + "points.csv",
              labelled_table(result.points, Coordinates::ambient, result.labels));
  fmt::print("1. {0}points.csv: {1} points of {2} classes on the hyperbolic plane.\n", folder,
             mixture.n_rows, mixture.n_classes);

  const Manifold manifold(mixture.signature);
  const Matrix disk = manifold.convert(result.points, Coordinates::ambient, Coordinates::poincare);
  write_table(folder + "disk.csv", labelled_table(disk, Coordinates::poincare, result.labels));
  fmt::print("2. {}disk.csv: the same points in the Poincaré disk.\n", folder);

  PointsFileOptions input;
  input.path = folder + "disk.csv";
  const PointsFile file = read_points(input, session);
  fmt::print("3. What bentwood inspect says about it:\n\n{}\n",
             report_text(make_report(file, mixture.signature, Coordinates::poincare)));

  draw_mixture(folder + "mixture.svg", disk, result.labels, mixture.n_classes);
  draw_tree(folder + "tree.svg");
  fmt::print("4. {0}mixture.svg and {0}tree.svg: open them in a browser.\n\n", folder);

  fmt::print(
      "Do the same by hand:\n"
      "  bentwood generate mixture --classes 4 --noise 1 --weights 1,1,1,1 --seed {0} -o "
      "points.csv\n"
      "  bentwood convert points.csv disk.csv --signature H2 --from ambient --to poincare\n"
      "  bentwood inspect disk.csv --signature H2 --coordinates poincare\n",
      demo_seed);
}

}  // namespace

void add_demo(CLI::App& app, Session& session) {
  CLI::App* command =
      app.add_subcommand("demo", "Generate, convert, inspect and draw points in a folder.");
  command->fallthrough();
  auto options = std::make_shared<DemoOptions>();
  command->add_option("-o,--output", options->folder,
                      "The folder to write into. Default: bentwood-demo.");
  command->footer(
      "Examples:\n"
      "  bentwood demo\n"
      "  bentwood demo --output /tmp/demo");
  command->callback([options, &session] { demo(*options, session); });
}

}  // namespace bentwood::cli
