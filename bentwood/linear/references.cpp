#include "bentwood/linear/references.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>

#include "bentwood/base/error.hpp"
#include "bentwood/base/parallel.hpp"
#include "bentwood/geometry/hull.hpp"
#include "bentwood/model/linear_classifier.hpp"

namespace bentwood {
namespace {

/// Rows that are copied at a time: of a thousand columns a millisecond of work.
constexpr std::size_t block_rows = 512;

Matrix gathered(MatrixView rows, const std::vector<std::size_t>& chosen) {
  Matrix result = Matrix::uninitialized(chosen.size(), rows.n_cols());
  parallel_blocks(chosen.size(), block_rows, [&](std::size_t begin, std::size_t end) {
    for (std::size_t place = begin; place < end; ++place) {
      std::ranges::copy(rows.row(chosen[place]), result.row(place).begin());
    }
  });
  return result;
}

/// The vertices of a set's hull where they are few and soon found; else the set.
Matrix reduced(const Manifold& manifold, Matrix points) {
  return manifold.dim() <= most_hull_dims ? gathered(points, convex_hull(manifold, points))
                                          : std::move(points);
}

Matrix stacked(const std::vector<Matrix>& parts, std::size_t left_out, std::size_t n_cols) {
  std::size_t n_rows = 0;
  for (std::size_t part = 0; part < parts.size(); ++part) {
    n_rows += part == left_out ? 0 : parts[part].n_rows();
  }
  Matrix result = Matrix::uninitialized(n_rows, n_cols);
  double* target = result.data();
  for (std::size_t part = 0; part < parts.size(); ++part) {
    const std::size_t n_part = part == left_out ? 0 : parts[part].n_rows();
    parallel_blocks(n_part, block_rows, [&](std::size_t begin, std::size_t end) {
      std::copy(parts[part].data() + begin * n_cols, parts[part].data() + end * n_cols,
                target + begin * n_cols);
    });
    target += n_part * n_cols;
  }
  return result;
}

/// The centre of the given rows.
Matrix centre_of(const Manifold& manifold, MatrixView points, std::span<const double> weights,
                 const std::vector<std::size_t>& rows) {
  std::vector<double> chosen;
  for (std::size_t place = 0; place < rows.size() && !weights.empty(); ++place) {
    chosen.push_back(weights[rows[place]]);
  }
  return manifold.mean(gathered(points, rows), chosen, MeanKind::einstein);
}

/// Halfway between the centres of a class and of all others.
Matrix between_centres(const Manifold& manifold, MatrixView points, std::span<const double> weights,
                       const std::vector<std::vector<std::size_t>>& members, std::size_t positive) {
  std::vector<std::size_t> others;
  for (std::size_t label = 0; label < members.size(); ++label) {
    if (label != positive) {
      others.insert(others.end(), members[label].begin(), members[label].end());
    }
  }
  return manifold.midpoint(centre_of(manifold, points, weights, members[positive]),
                           centre_of(manifold, points, weights, others));
}

Matrix between_nearest_vertices(const Manifold& manifold, MatrixView some, MatrixView others) {
  const Matrix distances = manifold.pairwise_distance(some, others);
  const double* const nearest =
      std::min_element(distances.data(), distances.data() + some.n_rows() * others.n_rows());
  const auto place = static_cast<std::size_t>(nearest - distances.data());
  return manifold.midpoint(gathered(some, {place / others.n_rows()}),
                           gathered(others, {place % others.n_rows()}));
}

/// The rows with weight of every class.
std::vector<std::vector<std::size_t>> members(std::span<const std::uint32_t> classes,
                                              std::span<const double> weights,
                                              std::size_t n_classes) {
  std::vector<std::vector<std::size_t>> result(n_classes);
  for (std::size_t row = 0; row < classes.size(); ++row) {
    if (weights.empty() || weights[row] > 0) {
      result[classes[row]].push_back(row);
    }
  }
  return result;
}

void require_hulls(const Signature& signature) {
  const std::vector<Factor>& factors = signature.factors();
  if (factors.size() != 1 || factors.front().geometry == Geometry::spherical) {
    throw InvalidInput(
        fmt::format("reference is \"hull\", which needs one hyperbolic or Euclidean factor, and "
                    "the signature is {}; choose \"means\" or \"origin\"",
                    signature.text()));
  }
}

std::string flags_json(const std::vector<std::uint8_t>& flags) {
  std::string result = "[";
  for (const std::uint8_t flag : flags) {
    result += fmt::format("{}{}", result.size() > 1 ? "," : "", flag != 0);
  }
  return result + "]";
}

}  // namespace

ReferenceKind parse_reference_kind(std::string_view name) {
  constexpr std::array<std::string_view, 3> names{"hull", "means", "origin"};
  const auto* const found = std::ranges::find(names, name);
  if (found == names.end()) {
    throw InvalidInput(
        fmt::format("unknown reference \"{}\", expected \"hull\", \"means\" or \"origin\"", name));
  }
  return static_cast<ReferenceKind>(found - names.begin());
}

References find_references(const Manifold& manifold, MatrixView ambient,
                           std::span<const std::uint32_t> classes, std::span<const double> weights,
                           std::size_t n_classes, ReferenceKind kind) {
  assert(kind != ReferenceKind::given);
  if (kind == ReferenceKind::hull) {
    require_hulls(manifold.signature());
  }
  const Manifold space(manifold.signature());
  const std::size_t size = n_boundaries(n_classes);
  References result{Matrix(size, ambient.n_cols()), {}};
  const Matrix origin =
      space.convert(Matrix(1, space.dim()), Coordinates::tangent, Coordinates::ambient);
  for (std::size_t index = 0; index < size; ++index) {
    std::ranges::copy(origin.row(0), result.points.row(index).begin());
  }
  if (kind == ReferenceKind::origin) {
    return result;
  }
  const std::vector<std::vector<std::size_t>> rows = members(classes, weights, n_classes);
  std::size_t n_rows = 0;
  for (const std::vector<std::size_t>& member : rows) {
    n_rows += member.size();
  }
  std::vector<Matrix> parts(n_classes);
  if (kind == ReferenceKind::hull) {
    result.overlapping.assign(size, 0);
    for (std::size_t label = 0; label < n_classes; ++label) {
      parts[label] = reduced(space, gathered(ambient, rows[label]));
    }
  }
  parallel_tasks(size, [&](std::size_t index) {
    const std::size_t positive = n_classes == 2 ? 1 : index;
    if (rows[positive].empty() || rows[positive].size() == n_rows) {
      return;
    }
    const auto centre = [&] { return between_centres(space, ambient, weights, rows, positive); };
    Matrix found;
    if (kind == ReferenceKind::means) {
      found = centre();
    } else {
      const Matrix& some = parts[positive];
      const Matrix others = stacked(parts, positive, ambient.n_cols());
      const NearestPair pair = nearest_pair(space, some, others);
      result.overlapping[index] = pair.overlap ? 1 : 0;
      found = !pair.overlap ? pair.midpoint
              : space.dim() > most_hull_dims
                  ? centre()
                  : between_nearest_vertices(space, some, reduced(space, others));
    }
    std::ranges::copy(found.row(0), result.points.row(index).begin());
  });
  return result;
}

Matrix reference_points(const Manifold& manifold, MatrixView ambient,
                        std::span<const std::uint32_t> classes, std::span<const double> weights,
                        std::size_t n_classes, ReferenceKind kind, const Matrix& given,
                        std::map<std::string, std::string>& parameters) {
  if (kind != ReferenceKind::given) {
    References found = find_references(manifold, ambient, classes, weights, n_classes, kind);
    if (kind == ReferenceKind::hull) {
      parameters["overlapping"] = flags_json(found.overlapping);
    }
    return std::move(found.points);
  }
  const std::size_t size = n_boundaries(n_classes);
  if (given.n_rows() != size || given.n_cols() != manifold.n_columns()) {
    throw InvalidInput(fmt::format("reference has {} rows of {} numbers, expected {} of {}: {}",
                                   given.n_rows(), given.n_cols(), size, manifold.n_columns(),
                                   size == 1 ? "one for both classes" : "one a class"));
  }
  try {
    return manifold.convert(given, manifold.coordinates(), Coordinates::ambient);
  } catch (const InvalidInput& error) {
    throw InvalidInput(fmt::format("reference: {}", error.what()));
  }
}

}  // namespace bentwood
