#include "bentwood/datasets/mixture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "bentwood/base/error.hpp"
#include "bentwood/base/parallel.hpp"
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

/// Where the probability of each class ends when they are laid end to end; the last is the total.
std::vector<double> cumulative_weights(const MixtureOptions& options) {
  std::vector<double> weights = options.class_weights;
  if (weights.empty()) {
    Random random = stream(options.seed, Stream::mixture_weights);
    weights.resize(options.n_classes);
    // 1 - uniform() is never zero: with one class alone the total must not vanish.
    std::ranges::generate(weights, [&] { return 1 - random.uniform(); });
  }
  std::partial_sum(weights.begin(), weights.end(), weights.begin());
  return weights;
}

std::vector<std::int64_t> draw_labels(const MixtureOptions& options) {
  const std::vector<double> ends = cumulative_weights(options);
  std::vector<std::int64_t> labels(options.n_rows);
  for (std::size_t row = 0; row < options.n_rows; ++row) {
    const double draw = stream(options.seed, Stream::mixture_labels, row).uniform() * ends.back();
    // A class of weight 0 ends where it begins, so "first end above the draw" never picks it.
    labels[row] = std::ranges::upper_bound(ends, draw) - ends.begin();
  }
  return labels;
}

void flip_labels(const MixtureOptions& options, std::vector<std::int64_t>& labels) {
  if (options.label_noise == 0) {
    return;
  }
  for (std::size_t row = 0; row < labels.size(); ++row) {
    Random random = stream(options.seed, Stream::mixture_label_noise, row);
    if (random.uniform() < options.label_noise) {
      const auto other = static_cast<std::int64_t>(random.below(options.n_classes - 1));
      labels[row] = other < labels[row] ? other : other + 1;
    }
  }
}

/// One row a class: its mean as a tangent vector at the origin.
Matrix draw_means(const MixtureOptions& options) {
  Matrix means(options.n_classes, options.signature.dim());
  for (std::size_t label = 0; label < options.n_classes; ++label) {
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
    std::ranges::generate(spread.row(row), [&] { return scale * random.normal(); });
  }
  return spread;
}

/// One row a point: v ~ N(0, Σ) of its class, in the tangent space at the origin.
Matrix draw_vectors(const MixtureOptions& options, const std::vector<std::int64_t>& labels) {
  const auto& factors = options.signature.factors();
  std::vector<Matrix> spreads;
  spreads.reserve(options.n_classes * factors.size());
  for (std::size_t label = 0; label < options.n_classes; ++label) {
    for (std::size_t factor = 0; factor < factors.size(); ++factor) {
      spreads.push_back(draw_spread(options, label, factor));
    }
  }
  Matrix vectors(options.n_rows, options.signature.dim());
  parallel_blocks(
      options.n_rows, datasets::rows_per_block, [&](std::size_t begin, std::size_t end) {
        std::vector<double> normals;
        for (std::size_t row = begin; row < end; ++row) {
          Random random = stream(options.seed, Stream::mixture_points, row);
          const std::size_t first = static_cast<std::size_t>(labels[row]) * factors.size();
          std::size_t offset = 0;
          for (std::size_t factor = 0; factor < factors.size(); ++factor) {
            const Matrix& spread = spreads[first + factor];
            normals.resize(factors[factor].dim);
            std::ranges::generate(normals, [&] { return random.normal(); });
            for (std::size_t axis = 0; axis < normals.size(); ++axis) {
              vectors(row, offset + axis) =
                  std::inner_product(normals.begin(), normals.end(), spread.row(axis).begin(), 0.0);
            }
            offset += normals.size();
          }
        }
      });
  return vectors;
}

/// Tangent vectors at the origin in ambient components: a zero before each factor's part on H and
/// S.
Matrix ambient_vectors(const Signature& signature, const Matrix& vectors) {
  Matrix result(vectors.n_rows(), signature.ambient_dim());
  for (std::size_t row = 0; row < vectors.n_rows(); ++row) {
    auto source = vectors.row(row).begin();
    auto target = result.row(row).begin();
    for (const Factor& factor : signature.factors()) {
      target += static_cast<std::ptrdiff_t>(factor.ambient_dim() - factor.dim);
      target = std::copy_n(source, factor.dim, target);
      source += static_cast<std::ptrdiff_t>(factor.dim);
    }
  }
  return result;
}

}  // namespace

LabelledPoints wrapped_normal_mixture(const MixtureOptions& options) {
  check(options);
  const Manifold manifold(options.signature, Coordinates::ambient);
  LabelledPoints result;
  result.labels = draw_labels(options);

  const Matrix means =
      manifold.convert(draw_means(options), Coordinates::tangent, Coordinates::ambient);
  const Matrix origin = manifold.convert(Matrix(1, options.signature.dim()), Coordinates::tangent,
                                         Coordinates::ambient);
  Matrix row_origins(options.n_rows, manifold.ambient_dim());
  Matrix row_means(options.n_rows, manifold.ambient_dim());
  for (std::size_t row = 0; row < options.n_rows; ++row) {
    std::ranges::copy(origin.row(0), row_origins.row(row).begin());
    std::ranges::copy(means.row(static_cast<std::size_t>(result.labels[row])),
                      row_means.row(row).begin());
  }
  const Matrix vectors = ambient_vectors(options.signature, draw_vectors(options, result.labels));
  const Matrix transported = manifold.transport(row_origins, row_means, vectors);
  result.points = manifold.convert(manifold.exp(row_means, transported), Coordinates::ambient,
                                   options.coordinates);
  flip_labels(options, result.labels);
  return result;
}

}  // namespace bentwood
