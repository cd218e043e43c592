#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "bentwood/base/matrix.hpp"
#include "bentwood/datasets/labelled_points.hpp"

namespace bentwood {

/// Simulations after Madhyastha et al., "Geodesic Forests", KDD 2020: a simple shape in three
/// columns, hidden among columns of noise. The constants of the segment and the helix are chosen so
/// that Euclidean neighbours are as often right as reported for the paper's, which a test asserts.
struct LatentOptions {
  std::size_t n_rows = 1000;
  /// Columns of independent normal noise after the first three.
  std::size_t n_noise = 0;
  /// The variance of each of them; the paper's 70 drowns the shape for any Euclidean distance.
  double noise_variance = 70;
  std::uint64_t seed = 0;
};

/// Points on a curve with their positions along it: the geodesic distance of two rows is the
/// difference of their arc lengths.
struct CurvePoints {
  Matrix points;
  std::vector<double> arc_lengths;
};

/// The segment (4t, 6t, 9t), t uniform on [0, 1).
[[nodiscard]] CurvePoints linear_manifold(const LatentOptions& options);

/// The conical helix (t cos t, t sin t, t), t uniform on [2π, 9π). Its arc length is
/// (t √(t² + 2)) / 2 + asinh(t / √2).
[[nodiscard]] CurvePoints helix_manifold(const LatentOptions& options);

/// The sphere of radius 9 around the origin of the first three columns: longitude uniform on [0,
/// 2π), colatitude on [0, π), so the poles are denser than the equator
/// (`uniform_points` is uniform in area). The geodesic distance of two rows is 9 times the angle
/// between them.
[[nodiscard]] Matrix sphere_manifold(const LatentOptions& options);
inline constexpr double sphere_manifold_radius = 9;

/// Three normal clouds of unit covariance around (0,0,0), (3,3,3) and (-3,-3,-3), with
/// probabilities 0.3, 0.3 and 0.4. Rows of one cloud are neighbours: their label is the latent
/// truth.
[[nodiscard]] LabelledPoints three_gaussians(const LatentOptions& options);

}  // namespace bentwood
