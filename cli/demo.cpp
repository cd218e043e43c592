#include <fmt/format.h>

#include <CLI/App.hpp>
#include <CLI/Option.hpp>
#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include "bentwood/base/error.hpp"
#include "bentwood/base/parallel.hpp"
#include "bentwood/data/file.hpp"
#include "bentwood/data/io.hpp"
#include "bentwood/datasets/tree.hpp"
#include "bentwood/draw/poincare_disk.hpp"
#include "bentwood/draw/regions.hpp"
#include "bentwood/geometry/manifold.hpp"
#include "bentwood/metrics/paired_test.hpp"
#include "bentwood/model/file.hpp"
#include "cli/points_file.hpp"
#include "cli/problem.hpp"
#include "cli/report.hpp"
#include "cli/scores.hpp"
#include "cli/session.hpp"
#include "cli/training_options.hpp"

namespace bentwood::cli {
namespace {

// A tree whose edges are longer than 2 arcosh(1/sin 60°) = 1.0986 has no two that cross. In this one
// neighbouring branches mingle at the rim, so that they are neither trivial nor hopeless to tell apart.
constexpr std::size_t branching = 2;
constexpr std::size_t depth = 9;
constexpr double edge_length = 0.95;
constexpr std::size_t label_depth = 3;
constexpr std::size_t n_folds = 10;

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

std::size_t n_classes(const PlacedTree& tree) {
  return static_cast<std::size_t>(*std::ranges::max_element(tree.labels)) + 1;
}

/// The nodes above the label depth, and what begins at each node of that depth.
std::vector<std::string> class_names(std::size_t n_classes) {
  std::vector<std::string> names{"trunk"};
  for (std::size_t branch = 1; branch < n_classes; ++branch) {
    names.push_back(fmt::format("branch {}", branch));
  }
  return names;
}

void draw_tree(const std::string& path, const Matrix& disk, const PlacedTree& tree) {
  DiskPictureOptions options;
  options.title = fmt::format("A tree of {} nodes, every edge equally long", disk.n_rows());
  options.edges = tree.edges;
  options.class_names = class_names(n_classes(tree));
  write_text(path, poincare_disk_picture(disk, tree.labels, options));
}

/// The regions of the forest, and the nodes with rings around those that the forests of the other folds
/// take for another class.
void draw_regions(const std::string& path, const Problem& problem, const Forest& forest,
                  std::span<const std::int64_t> out_of_fold) {
  const auto& given = problem.labelled.target.classes;
  const std::vector<std::int64_t> classes(given.begin(), given.end());
  std::vector<std::uint8_t> wrong;
  for (std::size_t row = 0; row < classes.size(); ++row) {
    wrong.push_back(out_of_fold[row] != classes[row] ? 1 : 0);
  }
  RegionPictureOptions options;
  options.title = "What a forest says, and where it errs on nodes it has not seen";
  options.class_names = class_names(forest.width());
  options.ring_name = "wrong when not seen";
  write_text(path, region_picture(
                       forest, {.rows = problem.file.points(), .classes = classes, .ringed = wrong},
                       options));
}

/// A forest on the file's points, which lie on `signature`, or on a plane where there is none.
Problem forest_problem(const PointsFileOptions& input, std::optional<std::string> signature,
                       const Session& session) {
  TrainingOptions training;
  training.coordinates = signature ? Coordinates::poincare : Coordinates::ambient;
  training.signature = std::move(signature);
  return make_problem(read_points(input, session), input, training, Task::classification, session);
}

/// Trains and compares; returns the lines to print.
std::string learn(const std::string& folder, const PointsFileOptions& input,
                  const Session& session) {
  const Problem hyperbolic = forest_problem(input, "H2", session);
  const CrossValidation curved = cross_validate(hyperbolic, n_folds, session);
  const CrossValidation flat =
      cross_validate(forest_problem(input, std::nullopt, session), n_folds, session);
  const Forest forest = train_on_all(hyperbolic, session);
  save(forest, folder + "forest.bent");
  draw_regions(folder + "regions.svg", hyperbolic, forest, curved.winners);

  std::string out = fmt::format("   {:<34}", "");
  for (const FoldScores& score : curved.scores) {
    out += fmt::format(" {:<15}", score.name);
  }
  for (const auto& [name, scores] : {std::pair("geodesic cuts, H2", &curved.scores),
                                     std::pair("straight cuts of the disk, E2", &flat.scores)}) {
    out += fmt::format("\n   {:<34}", name);
    for (const FoldScores& score : *scores) {
      out += fmt::format(" {:.3f} ± {:.3f}  ", score.mean(), score.deviation());
    }
  }
  const PairedTTest test = paired_t_test(curved.scores[0].folds, flat.scores[0].folds);
  constexpr double significance = 0.05;
  out += fmt::format(
      "\n   accuracy differs by {:+.3f}, p = {:.2g} in a paired t-test: {}\n", test.mean_difference,
      test.p, test.p < significance ? "more than by chance" : "no more than chance explains");
  return out;
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

  const PlacedTree tree = sarkar_tree(balanced_tree(branching, depth),
                                      {.edge_length = edge_length, .label_depth = label_depth});
  write_table(folder + "points.csv",
              labelled_table(tree.points, Coordinates::ambient, tree.labels));
  fmt::print(
      "1. {}points.csv: a tree in the hyperbolic plane, of {} nodes: a trunk and {} branches.\n",
      folder, tree.points.n_rows(), n_classes(tree) - 1);

  const Manifold plane("H2");
  const Matrix disk = plane.convert(tree.points, Coordinates::ambient, Coordinates::poincare);
  write_table(folder + "disk.csv", labelled_table(disk, Coordinates::poincare, tree.labels));
  fmt::print("2. {}disk.csv: the same nodes in the Poincaré disk.\n", folder);

  PointsFileOptions input;
  input.path = folder + "disk.csv";
  const PointsFile file = read_points(input, session);
  fmt::print("3. What bentwood inspect says about it:\n\n{}\n",
             report_text(make_report(file, plane.signature(), Coordinates::poincare)));

  const std::string learned = learn(folder, input, session);
  fmt::print(
      "4. {0}forest.bent: a forest of 100 trees that tells the branch of a node, cross-validated\n"
      "   with {1} folds:\n\n{2}\n",
      folder, n_folds, learned);

  draw_tree(folder + "tree.svg", disk, tree);
  fmt::print("5. {0}tree.svg and {0}regions.svg: open them in a browser.\n\n", folder);

  fmt::print(
      "Do the same by hand:\n"
      "  bentwood generate tree --branching {0} --depth {1} --edge-length {2} --label-depth {3} -o "
      "points.csv\n"
      "  bentwood convert points.csv disk.csv --signature H2 --from ambient --to poincare\n"
      "  bentwood inspect disk.csv --signature H2 --coordinates poincare\n"
      "  bentwood train disk.csv --signature H2 --coordinates poincare --cv-folds {4} -o "
      "forest.bent\n"
      "  bentwood train disk.csv --cv-folds {4} -o flat.bent\n"
      "  bentwood predict forest.bent disk.csv --proba\n"
      "  bentwood inspect forest.bent\n"
      "  bentwood draw forest.bent disk.csv -o regions.svg\n",
      branching, depth, edge_length, label_depth, n_folds);
}

}  // namespace

void add_demo(CLI::App& app, Session& session) {
  CLI::App* command =
      app.add_subcommand("demo", "Generate, inspect, learn and draw a tree in a folder.");
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
