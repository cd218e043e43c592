#pragma once

#include <cstddef>
#include <span>

#include "bentwood/base/matrix.hpp"
#include "bentwood/geometry/manifold.hpp"
#include "bentwood/model/linear_classifier.hpp"

namespace bentwood {

/// The features of points, for linear classifiers. `ambient` are points in ambient coordinates, `reference` is one such point; Lorentz
/// features need none. The rows have `n_ones` columns of ones behind their features.
///
/// The weighted vector η v of Chien, Pan, Tabaghi, Milenkovic, "Highly scalable and provably accurate classification in Poincaré balls",
/// ICDM 2021, is in the Poincaré ball of radius 1 exactly 2m / (1 - |m|²), m = (-p) ⊕ x: where the isometry that carries p to the origin
/// takes x on the hyperboloid (recentre.hpp). That needs no transcendental function, is exactly 0 for x = p, and spheres and E have it, too.
/// The unweighted v has the length that makes it log_p(x).
///
/// Throws InvalidInput where the reference is the south pole of a sphere, from which stereographic coordinates see nothing. O(n dim).
[[nodiscard]] Matrix linear_features(const Manifold& manifold, MatrixView ambient,
                                     FeatureSpace space, std::span<const double> reference,
                                     std::size_t n_ones = 0);

}  // namespace bentwood
