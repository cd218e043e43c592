#include "bentwood/datasets/latent_manifolds.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <functional>
#include <numbers>

#include "bentwood/base/error.hpp"
#include "bentwood/base/parallel.hpp"
#include "bentwood/datasets/streams.hpp"

namespace bentwood {
namespace {

using datasets::Stream;
using datasets::stream;

constexpr std::size_t n_shape_columns = 3;
using Position = std::array<double, n_shape_columns>;

/// The streams of one shape: two shapes of one seed have nothing in common.
struct Streams {
  Stream position;
  Stream noise;
};

/// Fills every row: the shape's three columns from the row's own stream, then the noise.
Matrix draw(const LatentOptions& options, Streams streams,
            const std::function<Position(std::size_t row, Random& random)>& shape) {
  datasets::require_rows(options.n_rows);
  if (!(options.noise_variance >= 0) || !std::isfinite(options.noise_variance)) {
    throw InvalidInput(fmt::format("the noise variance must be a finite number >= 0, found {}",
                                   options.noise_variance));
  }
  const double deviation = std::sqrt(options.noise_variance);
  Matrix points = Matrix::uninitialized(options.n_rows, n_shape_columns + options.n_noise);
  parallel_blocks(options.n_rows, datasets::rows_per_block(points.n_cols()),
                  [&](std::size_t begin, std::size_t end) {
                    for (std::size_t row = begin; row < end; ++row) {
                      Random position = stream(options.seed, streams.position, row);
                      const Position signal = shape(row, position);
                      for (std::size_t col = 0; col < n_shape_columns; ++col) {
                        points(row, col) = signal[col];
                      }
                      Random noise = stream(options.seed, streams.noise, row);
                      for (std::size_t col = n_shape_columns; col < points.n_cols(); ++col) {
                        points(row, col) = deviation * noise.normal();
                      }
                    }
                  });
  return points;
}

}  // namespace

CurvePoints linear_manifold(const LatentOptions& options) {
  const double length = std::hypot(4.0, 6.0, 9.0);
  CurvePoints result;
  result.arc_lengths.resize(options.n_rows);
  result.points = draw(options, {Stream::linear_position, Stream::linear_noise},
                       [&](std::size_t row, Random& random) -> Position {
                         const double time = random.uniform();
                         result.arc_lengths[row] = length * time;
                         return {4 * time, 6 * time, 9 * time};
                       });
  return result;
}

CurvePoints helix_manifold(const LatentOptions& options) {
  CurvePoints result;
  result.arc_lengths.resize(options.n_rows);
  result.points = draw(options, {Stream::helix_position, Stream::helix_noise},
                       [&](std::size_t row, Random& random) -> Position {
                         const double time = std::numbers::pi * (2 + 7 * random.uniform());
                         result.arc_lengths[row] = time * std::sqrt(time * time + 2) / 2 +
                                                   std::asinh(time / std::numbers::sqrt2);
                         return {time * std::cos(time), time * std::sin(time), time};
                       });
  return result;
}

Matrix sphere_manifold(const LatentOptions& options) {
  return draw(options, {Stream::sphere_position, Stream::sphere_noise},
              [](std::size_t /*row*/, Random& random) -> Position {
                const double longitude = 2 * std::numbers::pi * random.uniform();
                const double colatitude = std::numbers::pi * random.uniform();
                return {sphere_manifold_radius * std::cos(longitude) * std::sin(colatitude),
                        sphere_manifold_radius * std::sin(longitude) * std::sin(colatitude),
                        sphere_manifold_radius * std::cos(colatitude)};
              });
}

LabelledPoints three_gaussians(const LatentOptions& options) {
  constexpr std::array<double, 3> centres{0, 3, -3};
  LabelledPoints result;
  result.labels.resize(options.n_rows);
  result.points = draw(options, {Stream::gaussians_position, Stream::gaussians_noise},
                       [&](std::size_t row, Random& random) -> Position {
                         const double share = random.uniform();
                         const std::size_t label = share < 0.3 ? 0 : share < 0.6 ? 1 : 2;
                         result.labels[row] = static_cast<std::int64_t>(label);
                         const double centre = centres[label];
                         const double first = centre + random.normal();
                         const double second = centre + random.normal();
                         return {first, second, centre + random.normal()};
                       });
  return result;
}

}  // namespace bentwood
