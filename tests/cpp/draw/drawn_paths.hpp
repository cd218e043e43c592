#pragma once

#include <cmath>
#include <numbers>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "bentwood/draw/disk_geodesic.hpp"

/// Reads the paths of a picture back, as a browser would.
namespace bentwood {

struct DrawnArc {
  PlanePoint from;
  PlanePoint to;
  PlaneCircle circle;
};

struct DrawnPath {
  std::string fill;
  std::string stroke;
  /// The outline with its arcs as many short lines, on the canvas.
  std::vector<PlanePoint> corners;
  std::vector<DrawnArc> arcs;

  /// Whether a place of the canvas is inside: it is if a ray from it crosses the outline an odd number
  /// of times.
  [[nodiscard]] bool covers(PlanePoint place) const {
    bool inside = false;
    for (std::size_t corner = 0; corner < corners.size(); ++corner) {
      const PlanePoint a = corners[corner];
      const PlanePoint b = corners[(corner + 1) % corners.size()];
      if ((a.y > place.y) != (b.y > place.y) &&
          place.x < a.x + (b.x - a.x) * (place.y - a.y) / (b.y - a.y)) {
        inside = !inside;
      }
    }
    return inside;
  }
};

/// The circle of the shorter arc from a to b; sweep 1 is clockwise as seen on the screen. SVG makes a
/// radius larger that is too small to reach.
inline PlaneCircle arc_circle(PlanePoint a, PlanePoint b, double radius, bool sweep) {
  const double chord = std::hypot(b.x - a.x, b.y - a.y);
  radius = std::max(radius, chord / 2);
  const double height = std::sqrt(std::max(0.0, radius * radius - chord * chord / 4));
  const double sign = sweep ? 1 : -1;
  return {{(a.x + b.x) / 2 - sign * height * (b.y - a.y) / chord,
           (a.y + b.y) / 2 + sign * height * (b.x - a.x) / chord},
          radius};
}

inline void follow_arc(DrawnPath& path, PlanePoint to, double radius, bool sweep) {
  const PlanePoint from = path.corners.back();
  if (from.x == to.x && from.y == to.y) {
    return;
  }
  const PlaneCircle circle = arc_circle(from, to, radius, sweep);
  path.arcs.push_back({from, to, circle});
  const double begin = std::atan2(from.y - circle.centre.y, from.x - circle.centre.x);
  const double end = std::atan2(to.y - circle.centre.y, to.x - circle.centre.x);
  const double turn = std::remainder(end - begin, 2 * std::numbers::pi);
  constexpr int n_steps = 48;
  for (int step = 1; step < n_steps; ++step) {
    const double angle = begin + turn * step / n_steps;
    path.corners.push_back({circle.centre.x + circle.radius * std::cos(angle),
                            circle.centre.y + circle.radius * std::sin(angle)});
  }
  path.corners.push_back(to);
}

/// The paths of a document whose commands are M, L, A and Z, in its order.
inline std::vector<DrawnPath> drawn_paths(const std::string& document) {
  static const std::regex element(
      "<path d=\"([^\"hv]*)\" fill=\"([^\"]*)\"( stroke=\"([^\"]*)\")?");
  static const std::regex command("([MLA])([^MLAZ]*)");
  std::vector<DrawnPath> result;
  for (std::sregex_iterator match(document.begin(), document.end(), element), end; match != end;
       ++match) {
    DrawnPath path{(*match)[2], (*match)[4], {}, {}};
    const std::string commands = (*match)[1];
    for (std::sregex_iterator step(commands.begin(), commands.end(), command); step != end;
         ++step) {
      std::istringstream numbers((*step)[2]);
      double radius = 0;
      bool sweep = false;
      if ((*step)[1] == "A") {
        int ignored = 0;
        numbers >> radius >> radius >> ignored >> ignored >> sweep;
      }
      PlanePoint to;
      numbers >> to.x >> to.y;
      if ((*step)[1] == "A") {
        follow_arc(path, to, radius, sweep);
      } else {
        path.corners.push_back(to);
      }
    }
    result.push_back(std::move(path));
  }
  return result;
}

}  // namespace bentwood
