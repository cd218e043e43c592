#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "bentwood/geometry/manifold.hpp"
#include "bentwood/grow/cluster_tree.hpp"
#include "bentwood/model/geodesic_forest.hpp"

namespace bentwood {

/// What makes two rows close in a tree (GeodesicForest).
enum class SharedNodes : std::uint8_t {
  /// The same leaf.
  leaf,
  /// A node that both pass, the smaller the closer; of up to five times min_samples_split drawn rows, which are at least 10 here.
  node,
  /// The same, and that the node's parts may well be one cluster; of up to a hundred times as many.
  evidence,
};

/// Reads "leaf", "node" or "evidence". Throws InvalidInput that lists them.
[[nodiscard]] SharedNodes parse_shared_nodes(std::string_view name);

/// What to train, on which manifold.
struct GeodesicOptions {
  Manifold manifold;
  OffManifold off_manifold = OffManifold::error;
  ClusterOptions grow{};
  std::size_t n_trees = 100;
  /// Whether each tree draws its rows with replacement, and how often; 0 for as many times as there are rows. A row that is drawn twice
  /// counts once.
  bool bootstrap = false;
  std::size_t max_samples = 0;
  CountedTrees counted = CountedTrees::all;
  SharedNodes shared = SharedNodes::evidence;
  std::uint64_t seed = 0;
  /// What the model is called and carries for people to read.
  std::string estimator = "GeodesicForest";
  std::vector<std::string> feature_names{};
  std::map<std::string, std::string> parameters{};
};

/// A model, and what only its training knows.
struct GeodesicTraining {
  GeodesicForest forest;
  /// Points that were off the manifold and were projected, and the largest relative residual.
  std::size_t n_projected = 0;
  double largest_residual = 0;
};

/// Trains an unsupervised forest on points (Madhyastha et al., "Geodesic Forests", KDD 2020). Its columns are the natural coordinates of
/// hyperbolic and Euclidean factors and the ambient ones of spherical factors (ColumnFamily::chordal): a circle has no two clusters without
/// saying where it begins.
///
/// `progress`, if any, is told on the calling thread how many trees are finished. Throws InvalidInput where a point is off the manifold or
/// options are out of range, Interrupted.
[[nodiscard]] GeodesicTraining train_geodesic_forest(
    Points points, const GeodesicOptions& options,
    const std::function<void(std::size_t)>& progress = {});

}  // namespace bentwood
