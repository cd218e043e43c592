#include <fmt/format.h>

#include <CLI/App.hpp>
#include <CLI/Error.hpp>
#include <CLI/Option.hpp>
#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "bentwood/base/parallel.hpp"
#include "bentwood/datasets/karate.hpp"
#include "bentwood/datasets/latent_manifolds.hpp"
#include "bentwood/datasets/mixture.hpp"
#include "bentwood/datasets/separable.hpp"
#include "bentwood/datasets/tree.hpp"
#include "bentwood/datasets/uniform.hpp"
#include "cli/points_file.hpp"
#include "cli/session.hpp"

namespace bentwood::cli {
namespace {

constexpr std::uint64_t most_rows = 1'000'000'000;
constexpr std::uint64_t largest = std::numeric_limits<std::uint64_t>::max();

/// The options of all generators; each reads those it declared.
struct GenerateOptions {
  std::string output = "-";
  std::string format;
  std::string signature = "H2";
  Coordinates coordinates = Coordinates::ambient;
  std::size_t n_rows = 1000;
  std::uint64_t seed = 0;

  MixtureOptions mixture;
  double radius = 1;
  SeparableOptions separable;
  std::size_t n_noise = 0;
  double noise_variance = LatentOptions().noise_variance;
  std::size_t branching = 3;
  std::size_t depth = 4;
  SarkarOptions sarkar;
  std::optional<std::string> edges_output;
  bool nodes = false;

  [[nodiscard]] LatentOptions latent() const { return {n_rows, n_noise, noise_variance, seed}; }
};

template <class Number>
TableColumn number_column(std::string name, const std::vector<Number>& numbers) {
  return {std::move(name), std::vector<double>(numbers.begin(), numbers.end()), {}};
}

/// x1, x2, x3, then noise1, noise2, ...
std::vector<std::string> latent_names(const Matrix& points) {
  std::vector<std::string> names{"x1", "x2", "x3"};
  for (std::size_t noise = 1; names.size() < points.n_cols(); ++noise) {
    names.push_back(fmt::format("noise{}", noise));
  }
  return names;
}

Table mixture(const GenerateOptions& options) {
  MixtureOptions mixture = options.mixture;
  mixture.signature = Signature(options.signature);
  mixture.n_rows = options.n_rows;
  mixture.coordinates = options.coordinates;
  mixture.seed = options.seed;
  const LabelledPoints result = wrapped_normal_mixture(mixture);
  Table table =
      points_table(result.points, coordinate_names(mixture.signature, options.coordinates));
  table.add(number_column("label", result.labels));
  return table;
}

Table edges_table(const std::vector<std::array<std::size_t, 2>>& edges) {
  std::vector<double> sources;
  std::vector<double> targets;
  for (const auto& [from, to] : edges) {
    sources.push_back(static_cast<double>(from));
    targets.push_back(static_cast<double>(to));
  }
  return Table({{"source", std::move(sources), {}}, {"target", std::move(targets), {}}});
}

bool same_file(const std::string& one, const std::string& other) {
  namespace fs = std::filesystem;
  const auto whole = [](const std::string& path) {
    std::error_code ignored;
    return fs::weakly_canonical(fs::absolute(path, ignored), ignored);
  };
  return one == other || whole(one) == whole(other);
}

void write_tree(const GenerateOptions& options, const Session& session) {
  if (options.edges_output && same_file(*options.edges_output, options.output)) {
    throw CLI::ValidationError("--edges and --output name the same file, expected two");
  }
  SarkarOptions sarkar = options.sarkar;
  sarkar.coordinates = options.coordinates;
  const PlacedTree tree = sarkar_tree(balanced_tree(options.branching, options.depth), sarkar);
  Table table = points_table(tree.points, coordinate_names(Signature("H2"), options.coordinates));
  table.add(number_column("label", tree.labels));
  write_points({options.output, options.format}, table, session);
  if (options.edges_output) {
    write_points({*options.edges_output, ""}, edges_table(tree.edges), session);
  }
}

Table uniform(const GenerateOptions& options) {
  const Signature signature(options.signature);
  return points_table(uniform_points({.signature = signature,
                                      .n_rows = options.n_rows,
                                      .radius = options.radius,
                                      .coordinates = options.coordinates,
                                      .seed = options.seed}),
                      coordinate_names(signature, options.coordinates));
}

Table separable(const GenerateOptions& options) {
  SeparableOptions separable = options.separable;
  separable.signature = Signature(options.signature);
  separable.n_rows = options.n_rows;
  separable.coordinates = options.coordinates;
  separable.seed = options.seed;
  const SeparablePoints result = separable_points(separable);
  Table table =
      points_table(result.points, coordinate_names(separable.signature, options.coordinates));
  table.add(number_column("label", result.labels));
  return table;
}

Table curve(const CurvePoints& curve) {
  Table table = points_table(curve.points, latent_names(curve.points));
  table.add(number_column("arc_length", curve.arc_lengths));
  return table;
}

Table sphere(const GenerateOptions& options) {
  const Matrix points = sphere_manifold(options.latent());
  return points_table(points, latent_names(points));
}

Table gaussians(const GenerateOptions& options) {
  const LabelledPoints clouds = three_gaussians(options.latent());
  Table table = points_table(clouds.points, latent_names(clouds.points));
  table.add(number_column("label", clouds.labels));
  return table;
}

Table karate(const GenerateOptions& options) {
  if (!options.nodes) {
    std::vector<std::array<std::size_t, 2>> edges;
    for (const auto& [from, to] : karate_edges()) {
      edges.push_back({static_cast<std::size_t>(from), static_cast<std::size_t>(to)});
    }
    return edges_table(edges);
  }
  std::vector<double> members;
  std::vector<std::string> factions;
  for (const int faction : karate_factions()) {
    members.push_back(static_cast<double>(members.size()));
    factions.emplace_back(karate_faction_name(faction));
  }
  return Table({{"node", std::move(members), {}}, {"label", std::move(factions), {}}});
}

using Generator = std::function<Table(const GenerateOptions&)>;

/// Declares one kind of data and what writes it.
CLI::App& declare_kind(CLI::App& generate, const std::shared_ptr<GenerateOptions>& options,
                       const std::string& name, const std::string& description,
                       std::function<void()> write) {
  CLI::App* kind = generate.add_subcommand(name, description);
  kind->fallthrough();
  kind->add_option("-o,--output", options->output,
                   "The file to write (.csv, .tsv, .npy, .npz). Default: CSV on stdout.");
  add_output_format_option(*kind, "--format", options->format);
  kind->callback(std::move(write));
  return *kind;
}

/// Declares one kind of data that is a single table.
CLI::App& add_kind(CLI::App& generate, Session& session,
                   const std::shared_ptr<GenerateOptions>& options, const std::string& name,
                   const std::string& description, Generator generator) {
  return declare_kind(
      generate, options, name, description, [options, &session, generator = std::move(generator)] {
        const ThreadLimit limit(session.n_threads);
        write_points({options->output, options->format}, generator(*options), session);
      });
}

void add_random_options(CLI::App& kind, GenerateOptions& options) {
  kind.add_option("-n,--rows", options.n_rows, "The number of rows. Default: 1000.")
      ->transform(whole_number(1, most_rows));
  kind.add_option("--seed", options.seed, "The same seed gives the same data. Default: 0.")
      ->transform(whole_number(0, largest));
}

void add_manifold_options(CLI::App& kind, GenerateOptions& options) {
  add_signature_option(kind, options.signature);
  add_coordinates_option(kind, "-c,--coordinates", options.coordinates,
                         "The coordinates to write. Default: ambient.");
}

void add_mixture(CLI::App& generate, Session& session,
                 const std::shared_ptr<GenerateOptions>& options) {
  CLI::App& kind = add_kind(generate, session, options, "mixture",
                            "Wrapped normal mixtures, one component a class.", mixture);
  add_manifold_options(kind, *options);
  add_random_options(kind, *options);
  kind.add_option("--classes", options->mixture.n_classes, "The number of classes. Default: 2.")
      ->transform(whole_number(1, 1'000'000));
  kind.add_option("--noise", options->mixture.noise,
                  "Multiplies the covariance of each class. Default: 2.")
      ->check(decimal_number());
  kind.add_option("--weights", options->mixture.class_weights,
                  "Relative frequencies of the classes: 1,1,2. Default: drawn at random.")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(decimal_number());
  kind.add_option("--label-noise", options->mixture.label_noise,
                  "The share of labels replaced by another. Default: 0.")
      ->check(decimal_number());
  kind.footer(
      "The defaults are the protocol of Chlenski et al., ICLR 2024.\n"
      "Examples:\n"
      "  bentwood generate mixture -n 800 --seed 3 -o points.csv\n"
      "  bentwood generate mixture -s \"H2(-0.5) x S2\" --classes 4 --weights 1,1,2,2 | head");
}

void add_tree(CLI::App& generate, Session& session,
              const std::shared_ptr<GenerateOptions>& options) {
  CLI::App& kind = declare_kind(generate, options, "tree",
                                "A balanced tree in the hyperbolic plane (Sarkar's construction).",
                                [options, &session] {
                                  const ThreadLimit limit(session.n_threads);
                                  write_tree(*options, session);
                                });
  add_coordinates_option(kind, "-c,--coordinates", options->coordinates,
                         "The coordinates to write. Default: ambient.");
  kind.add_option("--branching", options->branching, "Children a node. Default: 3.")
      ->transform(whole_number(1, most_rows));
  kind.add_option("--depth", options->depth, "Levels below the root. Default: 4.")
      ->transform(whole_number(0, most_rows));
  kind.add_option("--edge-length", options->sarkar.edge_length,
                  "The distance of parent and child. Default: 1.")
      ->check(decimal_number());
  kind.add_option("--curvature", options->sarkar.curvature,
                  "The curvature of the plane. Default: -1.")
      ->check(decimal_number());
  kind.add_option("--label-depth", options->sarkar.label_depth,
                  "The depth whose nodes, with all below them, are the classes. Default: 1.")
      ->transform(whole_number(1, most_rows));
  kind.add_option_function<std::string>(
      "--edges", [options](const std::string& path) { options->edges_output = path; },
      "Also write the edges to this file.");
  kind.footer(
      "Labels are 0 above the label depth, k for the k-th node there and everything below it.\n"
      "Examples:\n"
      "  bentwood generate tree --branching 2 --depth 6 --edge-length 1.2 -c poincare -o tree.csv");
}

void add_uniform(CLI::App& generate, Session& session,
                 const std::shared_ptr<GenerateOptions>& options) {
  CLI::App& kind =
      add_kind(generate, session, options, "uniform",
               "Points uniform on spheres and in hyperbolic and Euclidean balls.", uniform);
  add_manifold_options(kind, *options);
  add_random_options(kind, *options);
  kind.add_option("--radius", options->radius, "The radius of the balls. Default: 1.")
      ->check(decimal_number());
  kind.footer(
      "Spheres are covered whole, hyperbolic and Euclidean factors up to the radius.\n"
      "Examples:\n"
      "  bentwood generate uniform -s H3 --radius 5 -n 100 | head\n"
      "  bentwood generate uniform -s S2 -n 10000 -o sphere.npy");
}

void add_separable(CLI::App& generate, Session& session,
                   const std::shared_ptr<GenerateOptions>& options) {
  CLI::App& kind =
      add_kind(generate, session, options, "separable",
               "Points that a geodesic hyperplane separates with a margin.", separable);
  add_manifold_options(kind, *options);
  add_random_options(kind, *options);
  kind.add_option("--margin", options->separable.margin,
                  "How far points keep away from the hyperplane. Default: 0.1.")
      ->check(decimal_number());
  kind.add_option("--radius", options->separable.radius,
                  "Their largest norm in the Poincaré ball, a share of its radius. Default: 0.95.")
      ->check(decimal_number());
  kind.add_option("--offset", options->separable.offset,
                  "The norm of a point of the hyperplane, a share of --radius. Default: 0.2.")
      ->check(decimal_number());
  kind.footer(
      "The synthetic data of Chien et al., ICDM 2021.\n"
      "Examples:\n"
      "  bentwood generate separable -s H10 --margin 0.01 -n 10000 -c poincare -o points.csv");
}

void add_latent(CLI::App& generate, Session& session,
                const std::shared_ptr<GenerateOptions>& options, const std::string& name,
                const std::string& description, Generator generator) {
  CLI::App& kind = add_kind(generate, session, options, name, description, std::move(generator));
  add_random_options(kind, *options);
  kind.add_option("--noise-dimensions", options->n_noise,
                  "Columns of normal noise after the first three. Default: 0.")
      ->transform(whole_number(0, 1'000'000));
  kind.add_option("--noise-variance", options->noise_variance,
                  "The variance of each of them. Default: 70.")
      ->check(decimal_number());
  kind.footer(
      fmt::format("Examples:\n"
                  "  bentwood generate {0} -n 1000 --noise-dimensions 10 -o {0}.csv",
                  name));
}

}  // namespace

void add_generate(CLI::App& app, Session& session) {
  CLI::App* command = app.add_subcommand("generate", "Write a data set made to measure.");
  command->fallthrough();
  command->require_subcommand(1);
  auto options = std::make_shared<GenerateOptions>();
  add_mixture(*command, session, options);
  add_tree(*command, session, options);
  add_uniform(*command, session, options);
  add_separable(*command, session, options);
  add_latent(*command, session, options, "linear", "A segment in space, with its arc length.",
             [](const GenerateOptions& all) { return curve(linear_manifold(all.latent())); });
  add_latent(*command, session, options, "helix", "A conical helix, with its arc length.",
             [](const GenerateOptions& all) { return curve(helix_manifold(all.latent())); });
  add_latent(*command, session, options, "sphere", "A sphere of radius 9.", sphere);
  add_latent(*command, session, options, "gaussians", "Three normal clouds.", gaussians);
  CLI::App& club = add_kind(*command, session, options, "karate",
                            "Zachary's karate club: its edges, or its members.", karate);
  club.add_flag("--nodes", options->nodes, "Write the members and their factions instead.");
  club.footer(
      "Examples:\n"
      "  bentwood generate karate -o edges.csv\n"
      "  bentwood generate karate --nodes -o members.csv");
  command->footer(
      "linear, helix, sphere and gaussians are the simulations of Geodesic Forests (KDD 2020).\n"
      "Examples:\n"
      "  bentwood generate mixture --signature \"H2 x S2\" --classes 4 -n 500 -o points.csv\n"
      "  bentwood generate tree --branching 3 --depth 5 -c poincare --edges edges.csv -o tree.csv\n"
      "  bentwood generate uniform -s H3 --radius 5 -n 100 | head\n"
      "  bentwood generate helix --noise-dimensions 10 --seed 7 -o helix.npy\n"
      "  bentwood generate karate -o karate.csv");
}

}  // namespace bentwood::cli
