#include "bentwood/draw/disk_cuts.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "bentwood/base/parallel.hpp"
#include "bentwood/draw/tree_regions.hpp"

namespace bentwood {
namespace {

constexpr double pi = std::numbers::pi;

/// The cut of a node as a curve in the disk: a circle, or where there is none a diameter along `direction`. Places on a circle are
/// angles around its centre, on a diameter distances from the origin.
struct Curve {
  std::optional<PlaneCircle> circle;
  PlanePoint direction;

  [[nodiscard]] PlanePoint at(double place) const {
    return circle ? PlanePoint{circle->centre.x + circle->radius * std::cos(place),
                               circle->centre.y + circle->radius * std::sin(place)}
                  : PlanePoint{place * direction.x, place * direction.y};
  }
};

/// Which points go left, and the curve between the sides.
struct Cut {
  bool is_horosphere = false;
  PlanePoint ideal;  ///< of a horosphere
  double threshold = 0;
  HalfPlane left;  ///< of all others, on Klein's disk
  Curve curve;

  [[nodiscard]] bool goes_left(PlanePoint point) const {
    const double squared = point.x * point.x + point.y * point.y;
    if (is_horosphere) {
      const double apart = std::pow(ideal.x - point.x, 2) + std::pow(ideal.y - point.y, 2);
      return apart <= threshold * (1 - squared);
    }
    return 2 * (left.normal.x * point.x + left.normal.y * point.y) <= left.offset * (1 + squared);
  }
};

Cut cut_of(const Tree& tree, const TreeNode& node, const Columns& columns) {
  Cut result;
  const auto column = static_cast<std::size_t>(node.column);
  result.threshold = node.threshold;
  result.is_horosphere = column >= columns.size();
  if (result.is_horosphere) {
    const std::span<const double> ideal = tree.own.coefficients_of(column - columns.size());
    result.ideal = {ideal[0], ideal[1]};
    // |w - p|² = t (1 - |p|²) is a circle of radius t/(1 + t) that touches the rim at w.
    const double radius = node.threshold / (1 + node.threshold);
    result.curve.circle = PlaneCircle{{(1 - radius) * ideal[0], (1 - radius) * ideal[1]}, radius};
    return result;
  }
  result.left = left_side(columns.columns()[column], node.threshold, true);
  result.curve.circle = poincare_circle(result.left);
  result.curve.direction = {-result.left.normal.y, result.left.normal.x};
  return result;
}

/// The places of a circle where it meets another.
void add_meetings(const PlaneCircle& circle, const PlaneCircle& other,
                  std::vector<double>& places) {
  const double x = other.centre.x - circle.centre.x;
  const double y = other.centre.y - circle.centre.y;
  const double apart = std::hypot(x, y);
  const double cosine =
      (circle.radius * circle.radius + apart * apart - other.radius * other.radius) /
      (2 * circle.radius * apart);
  if (std::abs(cosine) <= 1) {
    const double towards = std::atan2(y, x);
    places.push_back(towards - std::acos(cosine));
    places.push_back(towards + std::acos(cosine));
  }
}

/// The distances from the origin at which a diameter meets a circle.
std::vector<double> meetings(PlanePoint direction, const PlaneCircle& circle) {
  const double along = direction.x * circle.centre.x + direction.y * circle.centre.y;
  const double across = direction.x * circle.centre.y - direction.y * circle.centre.x;
  const double squared = circle.radius * circle.radius - across * across;
  if (squared < 0) {
    return {};
  }
  return {along - std::sqrt(squared), along + std::sqrt(squared)};
}

/// The places of a curve where it meets another.
void add_meetings(const Curve& curve, const Curve& other, std::vector<double>& places) {
  if (curve.circle && other.circle) {
    add_meetings(*curve.circle, *other.circle, places);
  } else if (curve.circle) {
    for (const double distance : meetings(other.direction, *curve.circle)) {
      const PlanePoint point = other.at(distance);
      places.push_back(
          std::atan2(point.y - curve.circle->centre.y, point.x - curve.circle->centre.x));
    }
  } else if (other.circle) {
    const std::vector<double> found = meetings(curve.direction, *other.circle);
    places.insert(places.end(), found.begin(), found.end());
  } else {
    places.push_back(0);
  }
}

/// Where a curve is to be divided, ascending: at the rim, at other curves, and so that no part is too long.
std::vector<double> divisions(const Curve& curve, const std::vector<const Cut*>& above) {
  constexpr int n_thirds = 3;
  const Curve rim{PlaneCircle{{0, 0}, 1}, {}};
  std::vector<double> places;
  add_meetings(curve, rim, places);
  for (const Cut* const cut : above) {
    add_meetings(curve, cut->curve, places);
  }
  if (!curve.circle) {
    std::ranges::sort(places);
    return places;
  }
  for (double& place : places) {
    place = std::remainder(place, 2 * pi);
  }
  for (int third = 0; third <= n_thirds; ++third) {
    places.push_back(-pi + 2 * pi * third / n_thirds);
  }
  std::ranges::sort(places);
  return places;
}

/// A node, and the cuts above it with the sides that lead to it.
struct Pending {
  std::uint32_t node = 0;
  std::vector<std::pair<std::uint32_t, bool>> path;
};

}  // namespace

std::vector<DiskCut> disk_cuts(const Tree& tree, const Columns& columns) {
  constexpr double shortest = 1e-9;
  std::vector<Cut> cuts(tree.nodes.size());
  for (std::size_t node = 0; node < tree.nodes.size(); ++node) {
    if (!tree.nodes[node].is_leaf()) {
      cuts[node] = cut_of(tree, tree.nodes[node], columns);
    }
  }
  std::vector<DiskCut> result;
  std::vector<Pending> pending{{0, {}}};
  while (!pending.empty()) {
    throw_if_interrupted();
    const Pending here = std::move(pending.back());
    pending.pop_back();
    if (tree.nodes[here.node].is_leaf()) {
      continue;
    }
    const Curve& curve = cuts[here.node].curve;
    std::vector<const Cut*> above;
    for (const auto& [node, left] : here.path) {
      above.push_back(&cuts[node]);
    }
    const auto reaches = [&](PlanePoint point) {
      return point.x * point.x + point.y * point.y < 1 &&
             std::ranges::all_of(here.path, [&](const auto& step) {
               return cuts[step.first].goes_left(point) == step.second;
             });
    };
    const std::vector<double> places = divisions(curve, above);
    for (std::size_t part = 0; part + 1 < places.size(); ++part) {
      if (places[part + 1] - places[part] > shortest &&
          reaches(curve.at(places[part] / 2 + places[part + 1] / 2))) {
        result.push_back({here.node, here.path.size(), curve.at(places[part]),
                          curve.at(places[part + 1]), curve.circle});
      }
    }
    for (const bool left : {false, true}) {
      Pending child{tree.nodes[here.node].child + (left ? 0 : 1), here.path};
      child.path.emplace_back(here.node, left);
      pending.push_back(std::move(child));
    }
  }
  return result;
}

}  // namespace bentwood
