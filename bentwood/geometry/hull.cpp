#include "bentwood/geometry/hull.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "bentwood/base/dense.hpp"
#include "bentwood/base/error.hpp"
#include "bentwood/base/parallel.hpp"
#include "bentwood/geometry/nearest_points.hpp"
#include "bentwood/geometry/recentre.hpp"

namespace bentwood {
namespace {

const Factor& flat_factor(const Manifold& manifold) {
  const std::vector<Factor>& factors = manifold.signature().factors();
  if (factors.size() != 1 || factors.front().geometry == Geometry::spherical) {
    throw InvalidInput(fmt::format(
        "the signature is {}, expected one hyperbolic or Euclidean factor: others have no flat map",
        manifold.signature().text()));
  }
  return factors.front();
}

Matrix ambient_rows(const Manifold& manifold, Points points) {
  return manifold.convert(points, manifold.coordinates(), Coordinates::ambient);
}

/// A point in Klein coordinates, in curvature radii and seen from a centre, and its 1 - |k|², which far out cannot be had from k.
struct FlatPoint {
  std::vector<double> place;
  double gap = 0;
};

struct FlatPoints {
  Matrix places;
  std::vector<double> gaps;

  [[nodiscard]] FlatPoint point(std::size_t row) const {
    return {{places.row(row).begin(), places.row(row).end()}, gaps[row]};
  }
};

/// k = Σ share_i k_i, of which 1 - |k|² = Σ share_i (1 - |k_i|² + |k_i - k|²): a sum of positive numbers.
FlatPoint mixed(const FlatPoints& points, std::vector<double> place, const NearestPoints& found,
                std::size_t std::pair<std::size_t, std::size_t>::*row_of) {
  FlatPoint result{std::move(place), 0};
  for (std::size_t index = 0; index < found.pairs.size(); ++index) {
    const std::size_t row = found.pairs[index].*row_of;
    result.gap += found.shares[index] *
                  (points.gaps[row] + squared_distance(points.places.row(row), result.place));
  }
  return result;
}

FlatPoint between(const FlatPoint& a, const FlatPoint& b, double time) {
  FlatPoint result{a.place, (1 - time) * a.gap + time * b.gap +
                                time * (1 - time) * squared_distance(a.place, b.place)};
  for (std::size_t axis = 0; axis < a.place.size(); ++axis) {
    result.place[axis] += time * (b.place[axis] - a.place[axis]);
  }
  return result;
}

/// k = x / √(1 + |x|²) for what recentre gives. Throws RowError where that is not finite, as differences of large Euclidean coordinates
/// may be.
FlatPoints flat_map(const Factor& factor, MatrixView ambient, std::span<const double> centre) {
  constexpr std::size_t block = 4096;
  FlatPoints result{Matrix::uninitialized(ambient.n_rows(), factor.dim),
                    std::vector<double>(ambient.n_rows(), 1)};
  const bool curved = factor.geometry == Geometry::hyperbolic;
  const Recentre recentre(factor, centre);
  parallel_blocks(ambient.n_rows(), block, [&](std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row) {
      const std::span<double> out = result.places.row(row);
      recentre(ambient.row(row), out);
      const double scale =
          curved ? 1 / std::hypot(recentre.radius(), std::sqrt(dot(out, out))) : 1.0;
      if (curved) {
        result.gaps[row] = recentre.radius() * scale * recentre.radius() * scale;
      }
      for (double& value : out) {
        value *= scale;
      }
    }
  });
  for (std::size_t row = 0; row < ambient.n_rows(); ++row) {
    if (!std::ranges::all_of(result.places.row(row),
                             [](double value) { return std::isfinite(value); })) {
      throw RowError(row,
                     fmt::format("a distance is out of the range of float64 on {}", factor.name()));
    }
  }
  return result;
}

/// The ambient point that flat_map takes to k.
std::vector<double> from_flat(const Factor& factor, std::span<const double> centre,
                              const FlatPoint& flat) {
  std::vector<double> result(factor.ambient_dim());
  if (factor.geometry == Geometry::euclidean) {
    std::ranges::transform(flat.place, centre, result.begin(), std::plus());
    return result;
  }
  const double scale = factor.radius() / std::sqrt(flat.gap);
  std::vector<double> seen{scale};
  std::vector<double> back{centre[0]};  // carries the origin to the centre
  for (std::size_t axis = 0; axis < flat.place.size(); ++axis) {
    seen.push_back(scale * flat.place[axis]);
    back.push_back(-centre[axis + 1]);
  }
  const std::span<double> spatial = std::span(result).subspan(1);
  Recentre(factor, back)(seen, spatial);
  result[0] = std::hypot(factor.radius(), std::sqrt(dot(spatial, spatial)));
  return result;
}

std::vector<double> centre_of(const Manifold& manifold, MatrixView ambient) {
  const Matrix mean = Manifold(manifold.signature()).mean(ambient, {}, MeanKind::einstein);
  return {mean.row(0).begin(), mean.row(0).end()};
}

bool comes_before(MatrixView points, std::size_t a, std::size_t b) {
  const auto order = std::lexicographical_compare_three_way(
      points.row(a).begin(), points.row(a).end(), points.row(b).begin(), points.row(b).end());
  return order == 0 ? a < b : order < 0;
}

/// Counter-clockwise from the leftmost.
std::vector<std::size_t> plane_hull(MatrixView points) {
  std::vector<std::size_t> order(points.n_rows());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order,
                    [&](std::size_t a, std::size_t b) { return comes_before(points, a, b); });
  const auto equal = [&](std::size_t a, std::size_t b) {
    return std::ranges::equal(points.row(a), points.row(b));
  };
  // Clang 14, which builds the fuzz targets, does not accept the subranges of libstdc++ 12.
  // NOLINTNEXTLINE(modernize-use-ranges)
  order.erase(std::unique(order.begin(), order.end(), equal), order.end());
  if (order.size() < 3) {
    return order;
  }
  const auto turns_left = [&](std::size_t a, std::size_t b, std::size_t c) {
    return (points(b, 0) - points(a, 0)) * (points(c, 1) - points(a, 1)) -
               (points(b, 1) - points(a, 1)) * (points(c, 0) - points(a, 0)) >
           0;
  };
  std::vector<std::size_t> hull;
  const auto add_chain = [&](const auto& begin, const auto& end) {
    const std::size_t base = hull.size();
    for (auto at = begin; at != end; ++at) {
      while (hull.size() >= base + 2 && !turns_left(hull[hull.size() - 2], hull.back(), *at)) {
        hull.pop_back();
      }
      hull.push_back(*at);
    }
    hull.pop_back();  // the next chain begins with it
  };
  add_chain(order.begin(), order.end());
  add_chain(order.rbegin(), order.rend());
  return hull;
}

/// The extreme row in a direction; of several the one whose coordinates are the last in order, which is a vertex, too.
std::size_t extreme(MatrixView points, std::span<const double> direction) {
  std::size_t best = 0;
  double most = -std::numeric_limits<double>::infinity();
  for (std::size_t row = 0; row < points.n_rows(); ++row) {
    const double reach = dot(points.row(row), direction);
    if (reach > most || (reach == most &&
                         std::ranges::lexicographical_compare(points.row(best), points.row(row)))) {
      most = reach;
      best = row;
    }
  }
  return best;
}

std::vector<std::size_t> general_hull(MatrixView points) {
  std::vector<std::size_t> hull;
  std::vector<double> vertices;
  const std::size_t dim = points.n_cols();
  for (std::size_t row = 0; row < points.n_rows(); ++row) {
    throw_if_interrupted();
    while (std::ranges::find(hull, row) == hull.end()) {
      std::vector<double> direction(points.row(row).begin(), points.row(row).end());
      if (!hull.empty()) {
        const NearestPoints found =
            nearest_points({points.row(row).data(), 1, dim}, {vertices.data(), hull.size(), dim});
        if (found.distance == 0) {
          break;
        }
        std::ranges::transform(found.first, found.second, direction.begin(), std::minus());
      }
      const std::size_t vertex = extreme(points, direction);
      if (std::ranges::find(hull, vertex) != hull.end()) {
        break;  // nearer to the hull than rounding can tell
      }
      hull.push_back(vertex);
      vertices.insert(vertices.end(), points.row(vertex).begin(), points.row(vertex).end());
    }
  }
  std::ranges::sort(hull);
  return hull;
}

/// Two points of the hulls of two sets, in ambient coordinates, on the way to the nearest ones.
class PairSearch {
 public:
  using Pairs = std::vector<std::pair<std::size_t, std::size_t>>;

  PairSearch(const Factor& factor, Manifold ambient, std::span<const double> centre)
      : factor_(factor), ambient_(std::move(ambient)), centre_(centre.begin(), centre.end()) {}

  /// Brings the two nearer. Returns false where nothing does.
  bool improve(MatrixView some, MatrixView others) {
    const double before = distance_;
    const FlatPair found = flat_pair(some, others);
    if (overlap_ || first_.n_rows() == 0) {
      keep(found.first, overlap_ ? found.first : found.second);
      return !overlap_ && factor_.geometry == Geometry::hyperbolic;
    }
    // Near the end the Euclidean pair itself is taken, and again as seen from there, as long as it comes to rest: the pair that
    // does not move is the nearest one, to more digits than distances tell.
    const double shift = way_to(found);
    if (shift < std::min(1e-3, 0.5 * last_shift_)) {
      PairSearch next = *this;
      next.last_shift_ = shift;
      next.keep(found.first, found.second);
      if (next.distance_ <= distance_ * (1 + 1e-14)) {
        *this = std::move(next);
        return shift > 0;
      }
    }
    constexpr double rounding = 1e-13;
    if (shift <= rounding) {
      return false;
    }
    last_shift_ = shift;
    move_towards(found);
    PairSearch projected = *this;
    projected.first_ = projected.projection(some, second_, first_rows_);
    projected.second_ = projected.projection(others, projected.first_, second_rows_);
    projected.measure();
    if (projected.distance_ < distance_) {
      *this = std::move(projected);
    }
    return distance_ < before * (1 - 1e-15);
  }

  [[nodiscard]] NearestPair result(const Manifold& manifold) const {
    const auto own = [&](const Matrix& point) {
      return manifold.convert(point, Coordinates::ambient, manifold.coordinates());
    };
    return {own(first_), own(second_), own(ambient_.midpoint(first_, second_)), distance_,
            overlap_};
  }

 private:
  /// The nearest points of the flat hulls, as seen from the midpoint.
  struct FlatPair {
    FlatPoint first;
    FlatPoint second;
  };

  FlatPair flat_pair(MatrixView some, MatrixView others) {
    using Pair = std::pair<std::size_t, std::size_t>;
    const FlatPoints flat = flat_map(factor_, some, centre_);
    const FlatPoints other_flat = flat_map(factor_, others, centre_);
    const NearestPoints found = nearest_points(flat.places, other_flat.places, pairs_);
    pairs_ = found.pairs;
    overlap_ = found.distance == 0;
    return {mixed(flat, found.first, found, &Pair::first),
            mixed(other_flat, found.second, found, &Pair::second)};
  }

  /// How far another pair is from this one, as seen from the midpoint.
  [[nodiscard]] double way_to(const FlatPair& found) const {
    double result = 0;
    const auto add = [&](const Matrix& from, const FlatPoint& to) {
      const Matrix flat = flat_map(factor_, from, centre_).places;
      for (std::size_t axis = 0; axis < to.place.size(); ++axis) {
        result = std::max(result, std::abs(to.place[axis] - flat(0, axis)));
      }
    };
    add(first_, found.first);
    add(second_, found.second);
    return result;
  }

  /// Goes as far towards another pair, as seen from the midpoint of this one, as that brings the two nearer.
  void move_towards(const FlatPair& found) {
    const FlatPoint from = flat_map(factor_, first_, centre_).point(0);
    const FlatPoint other_from = flat_map(factor_, second_, centre_).point(0);
    const auto at = [&](double time) {
      PairSearch moved = *this;
      moved.keep(between(from, found.first, time), between(other_from, found.second, time));
      return moved;
    };
    // The distance falls to its minimum along the way, and rises behind it.
    double low = 0;
    double high = 1;
    PairSearch best = at(1);
    for (int count = 0; count < 48; ++count) {
      const double third = (high - low) / 3;
      const PairSearch early = at(low + third);
      const PairSearch late = at(high - third);
      const bool falls = late.distance_ < early.distance_;
      (falls ? low : high) = falls ? low + third : high - third;
      const PairSearch& better = falls ? late : early;
      if (better.distance_ < best.distance_) {
        best = better;
      }
    }
    if (best.distance_ < distance_) {
      *this = std::move(best);
    }
  }

  /// The point of a hull that is nearest to another: seen from there, the nearest to the origin of the Klein ball, too.
  [[nodiscard]] Matrix projection(MatrixView points, const Matrix& from, Pairs& rows) const {
    using Pair = std::pair<std::size_t, std::size_t>;
    const Matrix origin(1, factor_.dim);
    const FlatPoints flat = flat_map(factor_, points, from.row(0));
    const NearestPoints found = nearest_points(flat.places, origin, rows);
    rows = found.pairs;
    return ambient_row(mixed(flat, found.first, found, &Pair::first), from.row(0));
  }

  [[nodiscard]] Matrix ambient_row(const FlatPoint& flat, std::span<const double> centre) const {
    const std::vector<double> point = from_flat(factor_, centre, flat);
    return {1, point.size(), point};
  }

  void keep(const FlatPoint& first, const FlatPoint& second) {
    first_ = ambient_row(first, centre_);
    second_ = ambient_row(second, centre_);
    measure();
  }

  void measure() {
    distance_ = ambient_.distance(first_, second_)[0];
    const Matrix middle = ambient_.midpoint(first_, second_);
    centre_.assign(middle.row(0).begin(), middle.row(0).end());
  }

  Factor factor_;
  Manifold ambient_;
  std::vector<double> centre_;
  Matrix first_;
  Matrix second_;
  double distance_ = 0;
  bool overlap_ = false;
  double last_shift_ = std::numeric_limits<double>::infinity();
  // Where the next searches start: the rows that the last ones have ended with.
  Pairs pairs_;
  Pairs first_rows_;
  Pairs second_rows_;
};

}  // namespace

std::vector<std::size_t> convex_hull(const Manifold& manifold, Points points) {
  const Factor& factor = flat_factor(manifold);
  const Matrix ambient = ambient_rows(manifold, points);
  if (ambient.n_rows() == 0) {
    return {};
  }
  const Matrix flat = flat_map(factor, ambient, centre_of(manifold, ambient)).places;
  return factor.dim == 2 ? plane_hull(flat) : general_hull(flat);
}

NearestPair nearest_pair(const Manifold& manifold, Points first, Points second) {
  constexpr int most_moves = 200;
  const Factor& factor = flat_factor(manifold);
  if (first.rows.n_rows() == 0 || second.rows.n_rows() == 0) {
    throw InvalidInput(fmt::format("there are {} and {} points, expected at least one of each",
                                   first.rows.n_rows(), second.rows.n_rows()));
  }
  const Matrix some = ambient_rows(manifold, first);
  const Matrix others = ambient_rows(manifold, second);
  const Manifold ambient(manifold.signature());
  const Matrix start = ambient.midpoint(ambient.mean(some, {}, MeanKind::einstein),
                                        ambient.mean(others, {}, MeanKind::einstein));
  PairSearch search(factor, ambient, start.row(0));
  for (int count = 0; count < most_moves && search.improve(some, others); ++count) {
  }
  return search.result(manifold);
}

}  // namespace bentwood
