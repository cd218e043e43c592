#include "bentwood/draw/region_paths.hpp"

#include <fmt/format.h>

#include <iterator>
#include <map>
#include <utility>

#include "bentwood/draw/svg.hpp"

namespace bentwood {
namespace {

std::string text(PlanePoint canvas) {
  return fmt::format("{} {}", pixels(canvas.x), pixels(canvas.y));
}

/// An arc of a circle from a to b, both of the disk, the short way round.
std::string arc(const PlaneFrame& frame, const PlaneCircle& circle, PlanePoint a, PlanePoint b) {
  // The canvas has y downwards, which mirrors the turn around the circle's centre.
  const double turn = (a.x - circle.centre.x) * (b.y - circle.centre.y) -
                      (a.y - circle.centre.y) * (b.x - circle.centre.x);
  const std::string radius = pixels(frame.half_side * circle.radius);
  return fmt::format("A{} {} 0 0 {} {}", radius, radius, turn > 0 ? 0 : 1,
                     text(frame.on_canvas(b)));
}

/// The way along a straight line of the flat map, as it is drawn.
std::string line_command(const PlaneFrame& frame, const HalfPlane* line, PlanePoint from,
                         PlanePoint to) {
  const PlanePoint end = frame.drawn(to);
  if (line != nullptr && frame.map.hyperbolic) {
    if (const auto circle = poincare_circle(*line)) {
      return arc(frame, *circle, frame.drawn(from), end);
    }
  }
  return fmt::format("L{}", text(frame.on_canvas(end)));
}

/// A rectangle of squares that is still growing downwards.
struct Block {
  std::size_t top = 0;
  std::size_t colour = 0;
};

/// The squares of a row that have the same colour, from the first to the one after the last.
using Run = std::pair<std::size_t, std::size_t>;

void append_block(const PlaneFrame& frame, const RegionGrid& grid, const Run& run,
                  const Block& block, std::size_t bottom, std::string& path) {
  const auto place = [&](double middle, std::size_t square) {
    return pixels(middle - frame.half_side + grid.pixel * static_cast<double>(square));
  };
  const auto length = [&](std::size_t squares) {
    return pixels(grid.pixel * static_cast<double>(squares));
  };
  const std::string width = length(run.second - run.first);
  fmt::format_to(std::back_inserter(path), "M{} {}h{}v{}h-{}z", place(frame.x, run.first),
                 place(frame.y, block.top), width, length(bottom - block.top), width);
}

}  // namespace

PlanePoint PlaneFrame::on_canvas(PlanePoint point) const {
  if (map.hyperbolic) {
    return {x + half_side * point.x, y - half_side * point.y};
  }
  const double scale = 2 * half_side / (map.high.x - map.low.x);
  return {x - half_side + scale * (point.x - map.low.x),
          y + half_side - scale * (point.y - map.low.y)};
}

PlanePoint PlaneFrame::at(PlanePoint canvas) const {
  if (map.hyperbolic) {
    return {(canvas.x - x) / half_side, (y - canvas.y) / half_side};
  }
  const double scale = 2 * half_side / (map.high.x - map.low.x);
  return {map.low.x + (canvas.x - (x - half_side)) / scale,
          map.low.y + (y + half_side - canvas.y) / scale};
}

PlanePoint PlaneFrame::drawn(PlanePoint flat) const {
  return map.hyperbolic ? poincare_from_klein(flat) : flat;
}

std::string region_path(const PlaneFrame& frame, const LeafRegion& region,
                        std::span<const HalfPlane> lines) {
  if (region.piece.empty()) {
    return "";
  }
  std::string path =
      fmt::format("M{}", text(frame.on_canvas(frame.drawn(region.piece.front().from))));
  for (const PieceEdge& edge : region.piece) {
    if (edge.turn > 0) {
      path += arc(frame, {{0, 0}, 1}, frame.drawn(edge.from), frame.drawn(edge.to));
    } else {
      path += line_command(frame, edge.line == PieceEdge::rim ? nullptr : &lines[edge.line],
                           edge.from, edge.to);
    }
  }
  return path + "Z";
}

std::string cut_path(const PlaneFrame& frame, const DiskCut& cut) {
  const std::string way = cut.circle ? arc(frame, *cut.circle, cut.from, cut.to)
                                     : fmt::format("L{}", text(frame.on_canvas(cut.to)));
  return fmt::format("M{}{}", text(frame.on_canvas(cut.from)), way);
}

std::string cut_path(const PlaneFrame& frame, const CutLine& cut,
                     std::span<const HalfPlane> lines) {
  return fmt::format("M{}{}", text(frame.on_canvas(frame.drawn(cut.from))),
                     line_command(frame, &lines[cut.node], cut.from, cut.to));
}

std::vector<std::string> grid_paths(const PlaneFrame& frame, const RegionGrid& grid,
                                    std::size_t n_colours) {
  std::vector<std::string> paths(n_colours);
  std::map<Run, Block> open;
  for (std::size_t row = 0; row <= grid.n_side; ++row) {
    std::map<Run, Block> next;
    for (std::size_t begin = 0; row < grid.n_side && begin < grid.n_side;) {
      const std::size_t* const squares = grid.colours.data() + row * grid.n_side;
      std::size_t end = begin + 1;
      while (end < grid.n_side && squares[end] == squares[begin]) {
        ++end;
      }
      const Run run{begin, end};
      const auto above = open.find(run);
      const bool goes_on = above != open.end() && above->second.colour == squares[begin];
      next.emplace(run, goes_on ? open.extract(above).mapped() : Block{row, squares[begin]});
      begin = end;
    }
    for (const auto& [run, block] : open) {
      append_block(frame, grid, run, block, row, paths[block.colour]);
    }
    open = std::move(next);
  }
  return paths;
}

}  // namespace bentwood
