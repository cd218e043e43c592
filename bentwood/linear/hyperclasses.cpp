#include "bentwood/linear/hyperclasses.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "bentwood/base/dense.hpp"
#include "bentwood/base/parallel.hpp"
#include "bentwood/linear/horosphere_objective.hpp"

namespace bentwood {
namespace {

/// Mass at a point of the hyperboloid, in polar form: mass · (cosh r, sinh r v). Sums of such vectors are again of this form, and the
/// point of the sum is the Einstein mean.
struct MassPoint {
  std::vector<double> direction;
  double radius = 0;
  double log_mass = -std::numeric_limits<double>::infinity();
};

/// One of the vectors of a sum; all are measured by the same exp(scale).
template <class Direction>
struct Term {
  double share = 0;   ///< mass · exp(r - scale), at most about 1
  double shrunk = 0;  ///< exp(-2r)
  double sine = 0;    ///< 1 - exp(-2r)
  Direction direction;
};
// Clang deduces aggregates from version 17 on.
template <class Direction>
Term(double, double, double, Direction) -> Term<Direction>;

/// The sum of n vectors that `visit(item)` gives as Term. With S = (S_0, S_x) and its direction v,
///   S_0 - |S_x| = Σ mass exp(B_v) and S_0 + |S_x| = Σ mass (cosh r + sinh r v·v_i),
/// neither of which cancels; their product is the squared mass of the sum, their quotient exp(-2 radius).
template <class Visit>
MassPoint sum_of(std::size_t n, std::size_t dim, double scale, const Visit& visit) {
  MassPoint sum;
  sum.direction.assign(dim, 0);
  for (std::size_t item = 0; item < n; ++item) {
    const auto term = visit(item);
    for (std::size_t axis = 0; axis < dim; ++axis) {
      sum.direction[axis] += term.share * term.sine * term.direction(axis);
    }
  }
  normalise(sum.direction);
  double less = 0;
  double more = 0;
  for (std::size_t item = 0; item < n; ++item) {
    const auto term = visit(item);
    double apart = 0;
    double together = 0;
    for (std::size_t axis = 0; axis < dim; ++axis) {
      const double direction = term.direction(axis);
      apart += (sum.direction[axis] - direction) * (sum.direction[axis] - direction);
      together += (sum.direction[axis] + direction) * (sum.direction[axis] + direction);
    }
    // cosh r - sinh r v·v_i = exp(-r) + ½ sinh r |v - v_i|², times exp(-r) here.
    less += term.share * (term.shrunk + 0.25 * term.sine * apart);
    more += term.share * (term.shrunk + 0.25 * term.sine * together);
  }
  sum.radius = std::max(0.0, 0.5 * std::log(more / less));
  sum.log_mass = scale + 0.5 * (std::log(more) + std::log(less));
  return sum;
}

MassPoint sum_of(const MassPoint& a, const MassPoint& b) {
  const double scale = std::max(a.log_mass + a.radius, b.log_mass + b.radius);
  return sum_of(2, a.direction.size(), scale, [&](std::size_t item) {
    const MassPoint& point = item == 0 ? a : b;
    return Term{std::exp(point.log_mass + point.radius - scale), std::exp(-2 * point.radius),
                -std::expm1(-2 * point.radius),
                [&point](std::size_t axis) { return point.direction[axis]; }};
  });
}

/// The distance from the origin of the segment between two points. With D their distance and θ the angle between them,
///   cosh D - 1 = (cosh(a - b) - 1) + sinh a sinh b (1 - cos θ),   sinh(height) = sinh a sinh b sin θ / sinh D
/// for the line; where it meets the perpendicular outside the segment, the nearer end is nearest.
double ancestor_radius(const MassPoint& a, const MassPoint& b) {
  const double apart = squared_distance(a.direction, b.direction);
  const double half = std::sinh(0.5 * (a.radius - b.radius));
  const double sines = std::sinh(a.radius) * std::sinh(b.radius);
  const double versed = 2 * half * half + 0.5 * sines * apart;
  const double nearer = std::min(a.radius, b.radius);
  const double farther = std::max(a.radius, b.radius);
  // The angle at the nearer end is a right one or wider.
  const double quotient =
      std::exp(farther - nearer) * (1 + std::exp(-2 * farther)) / (1 + std::exp(-2 * nearer));
  if (versed == 0 || quotient >= 1 + versed) {
    return nearer;
  }
  const double sine = 0.5 * std::sqrt(apart * std::max(0.0, 4 - apart));
  const double height = std::asinh(sines * sine / (std::sqrt(versed) * std::sqrt(versed + 2)));
  return std::min(height, nearer);
}

struct Cluster {
  std::size_t number = 0;  ///< in the linkage
  MassPoint mean;
  std::vector<std::uint32_t> classes;
  double height = 0;
};

/// Places of rows, those of every class together; class i has [begins[i], begins[i + 1]). Rows of weight 0 are not there.
struct PlacesByClass {
  PlacesByClass(std::span<const std::uint32_t> classes, std::span<const double> weights,
                std::size_t n_classes)
      : begins(n_classes + 2) {
    const auto is_there = [&](std::size_t place) { return weights.empty() || weights[place] > 0; };
    for (std::size_t place = 0; place < classes.size(); ++place) {
      assert(classes[place] < n_classes);
      begins[classes[place] + 2] += is_there(place) ? 1U : 0U;
    }
    std::partial_sum(begins.begin(), begins.end(), begins.begin());
    places.resize(begins.back());
    for (std::size_t place = 0; place < classes.size(); ++place) {
      if (is_there(place)) {
        places[begins[classes[place] + 1]++] = static_cast<std::uint32_t>(place);
      }
    }
  }
  [[nodiscard]] std::span<const std::uint32_t> of(std::size_t label) const {
    return std::span(places).subspan(begins[label], begins[label + 1] - begins[label]);
  }

  std::vector<std::uint32_t> begins;
  std::vector<std::uint32_t> places;
};

/// The clusters of single classes.
std::vector<Cluster> single_classes(const PolarPoints& points, std::span<const std::uint32_t> rows,
                                    std::span<const std::uint32_t> classes,
                                    std::span<const double> weights, std::size_t n_classes) {
  const PlacesByClass places(classes, weights, n_classes);
  std::vector<Cluster> clusters;
  for (std::size_t label = 0; label < n_classes; ++label) {
    const std::span<const std::uint32_t> own = places.of(label);
    if (own.empty()) {
      continue;
    }
    double farthest = 0;
    double most = 0;
    double heaviest = weights.empty() ? 1 : 0;
    for (const std::uint32_t place : own) {
      farthest = std::max(farthest, points.radius()[rows[place]]);
      most = std::max(most, points.stretch()[rows[place]]);
      heaviest = weights.empty() ? 1 : std::max(heaviest, weights[place]);
    }
    // exp(2r) = 4A + 1 stands in for exponentials of every row.
    const auto visit = [&](std::size_t item) {
      const std::uint32_t place = own[item];
      const std::uint32_t row = rows[place];
      const double grown = 4 * points.stretch()[row];
      const double mass = weights.empty() ? 1 : weights[place] / heaviest;
      return Term{mass * std::sqrt((grown + 1) / (4 * most + 1)), 1 / (grown + 1),
                  grown / (grown + 1),
                  [&points, row](std::size_t axis) { return points.direction(axis)[row]; }};
    };
    clusters.push_back(
        {.number = clusters.size(),
         .mean = sum_of(own.size(), points.dim(), std::log(heaviest) + farthest, visit),
         .classes = {static_cast<std::uint32_t>(label)}});
  }
  return clusters;
}

/// The clusters that are left, and how far from the origin the lowest common ancestor of each two of them lies: computed once, as it
/// costs a dozen transcendental functions.
class Clusters {
 public:
  explicit Clusters(std::vector<Cluster> clusters)
      : clusters_(std::move(clusters)), radii_(clusters_.size(), clusters_.size()) {
    for (std::size_t slot = 0; slot < clusters_.size(); ++slot) {
      throw_if_interrupted();
      order_.push_back(slot);
      find_radii(slot);
    }
  }

  struct Pair {
    double radius = -1;
    std::size_t first = 0;
    std::size_t second = 0;
  };
  /// The two of the farthest ancestor, as places; of equal ones the first.
  [[nodiscard]] Pair farthest_ancestor() const {
    throw_if_interrupted();
    Pair best;
    for (std::size_t first = 0; first < order_.size(); ++first) {
      for (std::size_t second = first + 1; second < order_.size(); ++second) {
        const double radius = radii_(order_[first], order_[second]);
        if (radius > best.radius) {
          best = {radius, first, second};
        }
      }
    }
    return best;
  }
  [[nodiscard]] const Cluster& operator[](std::size_t place) const {
    return clusters_[order_[place]];
  }
  /// Puts a merged cluster in the place of its two: last, as in the linkage.
  void merge(const Pair& pair, Cluster merged) {
    const std::size_t slot = order_[pair.first];
    order_.erase(order_.begin() + static_cast<std::ptrdiff_t>(pair.second));
    order_.erase(order_.begin() + static_cast<std::ptrdiff_t>(pair.first));
    clusters_[slot] = std::move(merged);
    find_radii(slot);
    order_.push_back(slot);
  }

 private:
  /// Those of a cluster with all in order.
  void find_radii(std::size_t slot) {
    for (const std::size_t other : order_) {
      const double radius = ancestor_radius(clusters_[slot].mean, clusters_[other].mean);
      radii_(slot, other) = radii_(other, slot) = radius;
    }
  }

  std::vector<Cluster> clusters_;
  std::vector<std::size_t> order_;
  Matrix radii_;
};

Cluster merged(const Cluster& a, const Cluster& b, std::size_t number, double height) {
  Cluster result{
      .number = number, .mean = sum_of(a.mean, b.mean), .classes = a.classes, .height = height};
  result.classes.insert(result.classes.end(), b.classes.begin(), b.classes.end());
  std::ranges::sort(result.classes);
  return result;
}

}  // namespace

Hyperclasses hyperclasses(const PolarPoints& points, std::span<const std::uint32_t> rows,
                          std::span<const std::uint32_t> classes, std::span<const double> weights,
                          std::size_t n_classes) {
  std::vector<Cluster> single = single_classes(points, rows, classes, weights, n_classes);
  Hyperclasses result;
  double farthest = 0;
  for (const Cluster& cluster : single) {
    result.classes.push_back(cluster.classes.front());
    farthest = std::max(farthest, cluster.mean.radius);
  }
  const std::size_t n_present = single.size();
  result.linkage = Matrix(n_present == 0 ? 0 : n_present - 1, 4);
  Clusters clusters(std::move(single));
  for (std::size_t merge = 0; merge + 1 < n_present; ++merge) {
    const Clusters::Pair pair = clusters.farthest_ancestor();
    const Cluster& a = clusters[pair.first];
    const Cluster& b = clusters[pair.second];
    const double height = std::max({farthest - pair.radius, a.height, b.height, 0.0});
    Cluster both = merged(a, b, n_present + merge, height);
    result.linkage(merge, 0) = static_cast<double>(std::min(a.number, b.number));
    result.linkage(merge, 1) = static_cast<double>(std::max(a.number, b.number));
    result.linkage(merge, 2) = height;
    result.linkage(merge, 3) = static_cast<double>(both.classes.size());
    result.ancestor_radii.push_back(pair.radius);
    if (merge + 2 < n_present) {
      result.merged.push_back(both.classes);
    }
    clusters.merge(pair, std::move(both));
  }
  return result;
}

}  // namespace bentwood
