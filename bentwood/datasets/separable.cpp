#include "bentwood/datasets/separable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "bentwood/base/dense.hpp"
#include "bentwood/base/error.hpp"
#include "bentwood/base/parallel.hpp"
#include "bentwood/datasets/streams.hpp"
#include "bentwood/geometry/manifold.hpp"
#include "bentwood/geometry/recentre.hpp"

namespace bentwood {
namespace {

void check(const SeparableOptions& options) {
  datasets::require_rows(options.n_rows);
  const std::vector<Factor>& factors = options.signature.factors();
  if (factors.size() != 1 || factors.front().geometry != Geometry::hyperbolic) {
    throw InvalidInput(fmt::format("the signature is {}, expected one hyperbolic factor",
                                   options.signature.text()));
  }
  if (!(options.margin >= 0) || !std::isfinite(options.margin)) {
    throw InvalidInput(
        fmt::format("the margin must be a finite number >= 0, found {}", options.margin));
  }
  if (!(options.radius > 0 && options.radius < 1)) {
    throw InvalidInput(fmt::format("the radius must be between 0 and 1, found {}", options.radius));
  }
  if (!(options.offset >= 0 && options.offset <= 1)) {
    throw InvalidInput(fmt::format("the offset must be from 0 to 1, found {}", options.offset));
  }
}

/// Fills `vector` with a random direction of this length.
void draw_direction(std::span<double> vector, double size, Random& random) {
  double norm = 0;
  while (norm == 0) {
    std::ranges::generate(vector, [&] { return random.normal(); });
    norm = length(vector);
  }
  for (double& component : vector) {
    component *= size / norm;
  }
}

/// A point of the ball of radius 1 in ambient coordinates.
void to_ambient(std::span<const double> u, double radius, std::span<double> ambient) {
  const double squared = dot(u, u);
  ambient[0] = radius * (1 + squared) / (1 - squared);
  std::ranges::transform(u, ambient.begin() + 1,
                         [&](double component) { return 2 * radius * component / (1 - squared); });
}

/// A hyperplane through a point, which tells on which side of it others are.
class Hyperplane {
 public:
  explicit Hyperplane(const SeparableOptions& options)
      : factor_(options.signature.factors().front()),
        centre_(factor_.dim),
        ambient_(factor_.ambient_dim()),
        normal_(factor_.dim) {
    Random random = datasets::stream(options.seed, datasets::Stream::separable_hyperplane);
    draw_direction(centre_, options.offset * options.radius, random);
    draw_direction(normal_, 1, random);
    to_ambient(centre_, radius(), ambient_);
  }

  /// R sinh(d/R) for the signed distance d of a point of the ball of radius 1.
  [[nodiscard]] double side(std::span<const double> u) const {
    std::vector<double> ambient(ambient_.size());
    std::vector<double> seen(normal_.size());
    to_ambient(u, radius(), ambient);
    Recentre(factor_, ambient_)(ambient, seen);
    return dot(seen, normal_);
  }
  [[nodiscard]] const std::vector<double>& centre() const { return centre_; }
  [[nodiscard]] double radius() const { return factor_.radius(); }

 private:
  Factor factor_;
  std::vector<double> centre_;  ///< in the ball of radius 1
  std::vector<double> ambient_;
  std::vector<double> normal_;
};

/// Draws a point of the ball of radius 1 that is far enough from the hyperplane; returns its label.
std::int64_t draw_point(const SeparableOptions& options, const Hyperplane& hyperplane,
                        std::size_t row, std::span<double> point) {
  constexpr int most_tries = 10'000;
  Random random = datasets::stream(options.seed, datasets::Stream::separable_points, row);
  const double apart = hyperplane.radius() * std::sinh(options.margin / hyperplane.radius());
  for (int attempt = 0; attempt < most_tries; ++attempt) {
    const double share = std::pow(random.uniform(), 1 / static_cast<double>(point.size()));
    draw_direction(point, options.radius * share, random);
    const double side = hyperplane.side(point);
    if (std::abs(side) >= apart) {
      return side > 0 ? 1 : 0;
    }
  }
  throw InvalidInput(
      fmt::format("a margin of {} leaves no room within the radius {}, expected less",
                  options.margin, options.radius));
}

}  // namespace

SeparablePoints separable_points(const SeparableOptions& options) {
  check(options);
  const Hyperplane hyperplane(options);
  const std::size_t dim = options.signature.dim();
  Matrix ball = Matrix::uninitialized(options.n_rows, dim);
  SeparablePoints result{{}, std::vector<std::int64_t>(options.n_rows), {}};
  constexpr std::size_t n_tries = 64;  // a row may take more, and most take fewer
  parallel_blocks(options.n_rows, datasets::rows_per_block(n_tries * dim),
                  [&](std::size_t begin, std::size_t end) {
                    for (std::size_t row = begin; row < end; ++row) {
                      result.labels[row] = draw_point(options, hyperplane, row, ball.row(row));
                      for (double& component : ball.row(row)) {
                        component *= hyperplane.radius();
                      }
                    }
                  });
  Matrix centre(1, dim, hyperplane.centre());
  for (double& component : centre.row(0)) {
    component *= hyperplane.radius();
  }
  const Manifold manifold(options.signature);
  result.points = manifold.convert(ball, Coordinates::poincare, options.coordinates);
  result.reference = manifold.convert(centre, Coordinates::poincare, options.coordinates);
  return result;
}

}  // namespace bentwood
