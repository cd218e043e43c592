#include <fmt/format.h>

#include <CLI/App.hpp>
#include <CLI/Option.hpp>
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
#include "bentwood/datasets/mixture.hpp"
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

// A seed whose classes overlap a little: neither trivial nor hopeless to tell apart.
constexpr std::uint64_t demo_seed = 1;
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

std::vector<std::string> class_names(std::size_t n_classes) {
  std::vector<std::string> names;
  for (std::size_t label = 0; label < n_classes; ++label) {
    names.push_back(fmt::format("class {}", label));
  }
  return names;
}

void draw_mixture(const std::string& path, const Matrix& disk,
                  const std::vector<std::int64_t>& labels, std::size_t n_classes) {
  DiskPictureOptions options;
  options.title = "A mixture of four classes on the hyperbolic plane";
  options.class_names = class_names(n_classes);
  write_text(path, poincare_disk_picture(disk, labels, options));
}

/// The regions of the forest, and the points with rings around those that the forests of the other folds
/// take for another class.
void draw_regions(const std::string& path, const Problem& problem, const Forest& forest,
                  const Matrix& out_of_fold) {
  const auto& given = problem.labelled.target.classes;
  const std::vector<std::int64_t> classes(given.begin(), given.end());
  const std::vector<std::int64_t> predicted = winners(out_of_fold);
  std::vector<std::uint8_t> wrong;
  for (std::size_t row = 0; row < predicted.size(); ++row) {
    wrong.push_back(predicted[row] != classes[row] ? 1 : 0);
  }
  RegionPictureOptions options;
  options.title = "What a forest says, and where it errs on points it has not seen";
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
  draw_regions(folder + "regions.svg", hyperbolic, forest, curved.values);

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

  const std::string learned = learn(folder, input, session);
  fmt::print("4. {0}forest.bent: a forest of 100 trees, cross-validated with {1} folds:\n\n{2}\n",
             folder, n_folds, learned);

  draw_mixture(folder + "mixture.svg", disk, result.labels, mixture.n_classes);
  draw_tree(folder + "tree.svg");
  fmt::print("5. {0}mixture.svg, {0}regions.svg and {0}tree.svg: open them in a browser.\n\n",
             folder);

  fmt::print(
      "Do the same by hand:\n"
      "  bentwood generate mixture --classes 4 --noise 1 --weights 1,1,1,1 --seed {0} -o "
      "points.csv\n"
      "  bentwood convert points.csv disk.csv --signature H2 --from ambient --to poincare\n"
      "  bentwood inspect disk.csv --signature H2 --coordinates poincare\n"
      "  bentwood train disk.csv --signature H2 --coordinates poincare --cv-folds {1} -o "
      "forest.bent\n"
      "  bentwood train disk.csv --cv-folds {1} -o flat.bent\n"
      "  bentwood predict forest.bent disk.csv --proba\n"
      "  bentwood inspect forest.bent\n"
      "  bentwood draw forest.bent disk.csv -o regions.svg\n",
      demo_seed, n_folds);
}

}  // namespace

void add_demo(CLI::App& app, Session& session) {
  CLI::App* command =
      app.add_subcommand("demo", "Generate, inspect, learn and draw points in a folder.");
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
