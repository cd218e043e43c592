#include "bentwood/datasets/mixture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

#include "bentwood/base/error.hpp"
#include "bentwood/base/parallel.hpp"
#include "bentwood/base/weights.hpp"
#include "bentwood/datasets/chunks.hpp"
#include "bentwood/datasets/streams.hpp"
#include "bentwood/geometry/manifold.hpp"

namespace bentwood {
namespace {

using datasets::Stream;
using datasets::stream;

void check(const MixtureOptions& options) {
  datasets::require_rows(options.n_rows);
  if (options.n_classes == 0) {
    throw InvalidInput("the number of classes must be at least 1, found 0");
  }
  if (!(options.noise >= 0) || !std::isfinite(options.noise)) {
    throw InvalidInput(
        fmt::format("the noise must be a finite number >= 0, found {}", options.noise));
  }
  if (!(options.label_noise >= 0 && options.label_noise <= 1)) {
    throw InvalidInput(
        fmt::format("the label noise must lie between 0 and 1, found {}", options.label_noise));
  }
  if (options.label_noise > 0 && options.n_classes == 1) {
    throw InvalidInput("label noise needs at least 2 classes, found 1");
  }
  if (options.class_weights.empty()) {
    return;
  }
  if (options.class_weights.size() != options.n_classes) {
    throw InvalidInput(fmt::format("expected one weight for each of the {} classes, found {}",
                                   options.n_classes, options.class_weights.size()));
  }
  for (const double weight : options.class_weights) {
    if (!(weight >= 0) || !std::isfinite(weight)) {
      throw InvalidInput(
          fmt::format("a class weight must be a finite number >= 0, found {}", weight));
    }
  }
  if (std::ranges::all_of(options.class_weights, [](double weight) { return weight == 0; })) {
    throw InvalidInput("at least one class weight must be positive, found only zeros");
  }
}

/// Calls body(row), which draws so many numbers, for all rows, on several threads.
template <class Body>
void for_each_row(std::size_t n_rows, std::size_t n_numbers, const Body& body) {
  parallel_blocks(n_rows, datasets::rows_per_block(n_numbers),
                  [&](std::size_t begin, std::size_t end) {
                    for (std::size_t row = begin; row < end; ++row) {
                      body(row);
                    }
                  });
}

/// Where the probability of each class ends when they are laid end to end; the last is the total.
std::vector<double> cumulative_weights(const MixtureOptions& options) {
  std::vector<double> weights = options.class_weights;
  if (weights.empty()) {
    Random random = stream(options.seed, Stream::mixture_weights);
    weights.resize(options.n_classes);
    // 1 - uniform() is never zero: with one class alone the total must not vanish.
    std::ranges::generate(weights, [&] { return 1 - random.uniform(); });
  }
  // The sum of the largest weights overflows, and a share of the smallest is rounded to one or nothing.
  const double scale = scale_to_one(std::ranges::max(weights));
  std::ranges::for_each(weights, [&](double& weight) { weight *= scale; });
  std::partial_sum(weights.begin(), weights.end(), weights.begin());
  return weights;
}

std::vector<std::int64_t> draw_labels(const MixtureOptions& options) {
  const std::vector<double> ends = cumulative_weights(options);
  std::vector<std::int64_t> labels(options.n_rows);
  for_each_row(options.n_rows, 1, [&](std::size_t row) {
    const double draw = stream(options.seed, Stream::mixture_labels, row).uniform() * ends.back();
    // A class of weight 0 ends where it begins, so "first end above the draw" never picks it.
    labels[row] = std::ranges::upper_bound(ends, draw) - ends.begin();
  });
  return labels;
}

void flip_labels(const MixtureOptions& options, std::vector<std::int64_t>& labels) {
  if (options.label_noise == 0) {
    return;
  }
  for_each_row(labels.size(), 1, [&](std::size_t row) {
    Random random = stream(options.seed, Stream::mixture_label_noise, row);
    if (random.uniform() < options.label_noise) {
      const auto other = static_cast<std::int64_t>(random.below(options.n_classes - 1));
      labels[row] = other < labels[row] ? other : other + 1;
    }
  });
}

/// One row a class: its mean as a tangent vector at the origin.
Matrix draw_means(const MixtureOptions& options) {
  Matrix means(options.n_classes, options.signature.dim());
  for (std::size_t label = 0; label < options.n_classes; ++label) {
    throw_if_interrupted();
    Random random = stream(options.seed, Stream::mixture_means, label);
    std::ranges::generate(means.row(label), [&] { return random.normal(); });
  }
  return means;
}

/// The factor L = √(noise/D)·A of the covariance L·Lᵀ of one class on one factor.
Matrix draw_spread(const MixtureOptions& options, std::size_t label, std::size_t factor) {
  const std::size_t dim = options.signature.factors()[factor].dim;
  const std::size_t item = label * options.signature.factors().size() + factor;
  Random random = stream(options.seed, Stream::mixture_covariances, item);
  const double scale = std::sqrt(options.noise / static_cast<double>(dim));
  Matrix spread(dim, dim);
  for (std::size_t row = 0; row < dim; ++row) {
    throw_if_interrupted();
    std::ranges::generate(spread.row(row), [&] { return scale * random.normal(); });
  }
  return spread;
}

/// The components of a mixture, and the rows they give.
class Components {
 public:
  explicit Components(const MixtureOptions& options)
      : options_(options), manifold_(options.signature, Coordinates::ambient) {
    means_ = manifold_.convert(draw_means(options), Coordinates::tangent, Coordinates::ambient);
    origin_ =
        manifold_.convert(Matrix(1, manifold_.dim()), Coordinates::tangent, Coordinates::ambient);
    for (std::size_t label = 0; label < options.n_classes; ++label) {
      for (std::size_t factor = 0; factor < options.signature.factors().size(); ++factor) {
        spreads_.push_back(draw_spread(options, label, factor));
      }
    }
  }

  /// The points of rows first, first + 1, ... with these labels.
  [[nodiscard]] Matrix points(std::size_t first, std::span<const std::int64_t> labels) const {
    Matrix origins(labels.size(), manifold_.ambient_dim());
    Matrix means(labels.size(), manifold_.ambient_dim());
    Matrix vectors(labels.size(), manifold_.ambient_dim());
    for_each_row(labels.size(), manifold_.ambient_dim(), [&](std::size_t row) {
      const auto label = static_cast<std::size_t>(labels[row]);
      std::ranges::copy(origin_.row(0), origins.row(row).begin());
      std::ranges::copy(means_.row(label), means.row(row).begin());
      draw_vector(first + row, label, vectors.row(row));
    });
    const Matrix transported = manifold_.transport(origins, means, vectors);
    return manifold_.convert(manifold_.exp(means, transported), Coordinates::ambient,
                             options_.coordinates);
  }

 private:
  /// v ~ N(0, Σ) of the class, in the tangent space at the origin: in ambient components a zero stands
  /// before each factor's part on H and S.
  void draw_vector(std::size_t row, std::size_t label, std::span<double> vector) const {
    Random random = stream(options_.seed, Stream::mixture_points, row);
    const auto& factors = options_.signature.factors();
    std::vector<double> normals;
    for (std::size_t index = 0; index < factors.size(); ++index) {
      const Factor& factor = factors[index];
      const Matrix& spread = spreads_[label * factors.size() + index];
      normals.resize(factor.dim);
      std::ranges::generate(normals, [&] { return random.normal(); });
      const std::size_t offset = factor.ambient_dim() - factor.dim;
      for (std::size_t axis = 0; axis < factor.dim; ++axis) {
        vector[offset + axis] =
            std::inner_product(normals.begin(), normals.end(), spread.row(axis).begin(), 0.0);
      }
      vector = vector.subspan(factor.ambient_dim());
    }
  }

  const MixtureOptions& options_;
  Manifold manifold_;
  Matrix means_;
  Matrix origin_;
  std::vector<Matrix> spreads_;
};

}  // namespace

LabelledPoints wrapped_normal_mixture(const MixtureOptions& options) {
  check(options);
  const Components components(options);
  LabelledPoints result;
  result.labels = draw_labels(options);
  result.points = datasets::in_chunks(
      options.n_rows, n_columns(options.signature, options.coordinates),
      [&](std::size_t first, std::size_t n_rows) {
        return components.points(first, std::span(result.labels).subspan(first, n_rows));
      });
  flip_labels(options, result.labels);
  return result;
}

}  // namespace bentwood
