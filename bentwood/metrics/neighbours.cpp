#include "bentwood/metrics/neighbours.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <unordered_map>
#include <vector>

#include "bentwood/base/error.hpp"
#include "bentwood/base/parallel.hpp"

namespace bentwood {
namespace {

constexpr std::size_t rows_per_block = 64;

/// A row of 100,000 distances takes about half a millisecond.
constexpr std::size_t rows_per_task = 8;

/// The numbers of a strip of distances: enough that computing them is worth several threads.
constexpr std::size_t strip_numbers = 6'000'000;

void require_neighbours(NeighbourRows neighbours, std::span<const std::size_t> sizes) {
  if (neighbours.n_rows() == 0) {
    throw InvalidInput("no rows, expected at least one");
  }
  if (neighbours.n_cols() == 0) {
    throw InvalidInput("no neighbours of the rows, expected at least one of each");
  }
  for (const std::size_t size : sizes) {
    if (size == 0 || size > neighbours.n_cols()) {
      throw InvalidInput(fmt::format("the number of neighbours is {}, expected 1 to {}", size,
                                     neighbours.n_cols()));
    }
  }
  const auto n_rows = static_cast<std::int64_t>(neighbours.n_rows());
  std::vector<std::int64_t> sorted;
  for (std::size_t row = 0; row < neighbours.n_rows(); ++row) {
    const auto found = neighbours.row(row);
    for (const std::int64_t neighbour : found) {
      if (neighbour < 0 || neighbour >= n_rows) {
        throw RowError(row,
                       fmt::format("a neighbour is {}, expected 0 to {}", neighbour, n_rows - 1));
      }
      if (neighbour == static_cast<std::int64_t>(row)) {
        throw RowError(row, "is its own neighbour, expected other rows alone");
      }
    }
    sorted.assign(found.begin(), found.end());
    std::ranges::sort(sorted);
    const auto twice = std::ranges::adjacent_find(sorted);
    if (twice != sorted.end()) {
      throw RowError(row, fmt::format("neighbour {} is there twice, expected once", *twice));
    }
  }
}

NeighbourScores empty_scores(NeighbourRows neighbours, std::span<const std::size_t> sizes) {
  return {Matrix(neighbours.n_rows(), sizes.size()), Matrix(neighbours.n_rows(), sizes.size())};
}

void write_score(NeighbourScores& scores, std::size_t row, std::size_t place, std::size_t n_hits,
                 std::size_t size, std::size_t n_true) {
  const auto hits = static_cast<double>(n_hits);
  scores.precision(row, place) = hits / static_cast<double>(size);
  scores.recall(row, place) = n_true == 0 ? 0 : hits / static_cast<double>(n_true);
}

/// The true neighbours of a row at every k up to the largest, and how many of those found are among them.
class TrueNeighbours {
 public:
  explicit TrueNeighbours(std::size_t n_largest) : n_largest_(n_largest), n_hits_(n_largest + 2) {}

  /// `distances` are those of `row` from all rows, `found` the rows found, the nearest first.
  void judge(std::size_t row, std::span<const double> distances,
             std::span<const std::int64_t> found) {
    others_.assign(distances.begin(), distances.end());
    others_.erase(others_.begin() + static_cast<std::ptrdiff_t>(row));
    const auto end = others_.begin() + static_cast<std::ptrdiff_t>(n_largest_);
    std::nth_element(others_.begin(), end - 1, others_.end());
    std::sort(others_.begin(), end);
    n_ties_beyond_ = static_cast<std::size_t>(std::count(end, others_.end(), nearest().back()));

    // The one found at place j counts from k = j + 1 on, where it is true from the first k on whose radius reaches it.
    std::ranges::fill(n_hits_, 0);
    for (std::size_t place = 0; place < n_largest_; ++place) {
      const double distance = distances[static_cast<std::size_t>(found[place])];
      const auto n_nearer = static_cast<std::size_t>(std::ranges::lower_bound(nearest(), distance) -
                                                     nearest().begin());
      ++n_hits_[std::max(place, n_nearer) + 1];
    }
    std::partial_sum(n_hits_.begin(), n_hits_.end(), n_hits_.begin());
  }

  [[nodiscard]] std::size_t n_hits(std::size_t size) const { return n_hits_[size]; }
  [[nodiscard]] std::size_t n_true(std::size_t size) const {
    const double radius = nearest()[size - 1];
    const auto n_within =
        static_cast<std::size_t>(std::ranges::upper_bound(nearest(), radius) - nearest().begin());
    return n_within + (radius == nearest().back() ? n_ties_beyond_ : 0);
  }

 private:
  /// The distances of the others that are nearest, sorted: radii, the k-th being that of k neighbours.
  [[nodiscard]] std::span<const double> nearest() const { return {others_.data(), n_largest_}; }

  std::size_t n_largest_;
  std::vector<double> others_;
  std::size_t n_ties_beyond_ = 0;
  /// Entry k: hits among the first k. The last entry is for those that are never true.
  std::vector<std::size_t> n_hits_;
};

/// Throws InvalidInput unless the strip that starts at row `first` has distances of so many rows from all.
void require_strip(const Matrix& strip, std::size_t first, std::size_t n_strip_rows,
                   std::size_t n_rows) {
  if (strip.n_rows() != n_strip_rows || strip.n_cols() != n_rows) {
    throw InvalidInput(fmt::format(
        "the true distances of rows {} to {} are {} by {} numbers, expected {} by {}", first,
        first + n_strip_rows - 1, strip.n_rows(), strip.n_cols(), n_strip_rows, n_rows));
  }
  for (std::size_t place = 0; place < n_strip_rows; ++place) {
    const auto row = strip.row(place);
    const auto bad = std::ranges::find_if(row, [](double value) { return !(value >= 0); });
    if (bad != row.end()) {
      throw RowError(first + place,
                     fmt::format("the true distance from row {} is {}, expected at least 0",
                                 bad - row.begin(), *bad));
    }
  }
}

}  // namespace

NeighbourScores class_neighbour_scores(NeighbourRows neighbours,
                                       std::span<const std::int64_t> classes,
                                       std::span<const std::size_t> sizes) {
  require_neighbours(neighbours, sizes);
  if (classes.size() != neighbours.n_rows()) {
    throw InvalidInput(fmt::format("{} labels for {} rows, expected one each", classes.size(),
                                   neighbours.n_rows()));
  }
  std::unordered_map<std::int64_t, std::size_t> n_members;
  for (const std::int64_t label : classes) {
    ++n_members[label];
  }
  NeighbourScores scores = empty_scores(neighbours, sizes);
  parallel_blocks(neighbours.n_rows(), rows_per_block, [&](std::size_t begin, std::size_t end) {
    std::vector<std::size_t> n_hits(neighbours.n_cols() + 1);
    for (std::size_t row = begin; row < end; ++row) {
      for (std::size_t place = 0; place < neighbours.n_cols(); ++place) {
        const auto neighbour = static_cast<std::size_t>(neighbours(row, place));
        n_hits[place + 1] = n_hits[place] + (classes[neighbour] == classes[row] ? 1 : 0);
      }
      const std::size_t n_true = n_members.at(classes[row]) - 1;
      for (std::size_t place = 0; place < sizes.size(); ++place) {
        write_score(scores, row, place, n_hits[sizes[place]], sizes[place], n_true);
      }
    }
  });
  return scores;
}

NeighbourScores distance_neighbour_scores(NeighbourRows neighbours, const TrueDistances& distances,
                                          std::span<const std::size_t> sizes) {
  require_neighbours(neighbours, sizes);
  NeighbourScores scores = empty_scores(neighbours, sizes);
  if (sizes.empty()) {
    return scores;
  }
  const std::size_t n_rows = neighbours.n_rows();
  const std::size_t largest = std::ranges::max(sizes);
  const std::size_t strip_rows = std::max(rows_per_block, strip_numbers / n_rows);
  for (std::size_t first = 0; first < n_rows; first += strip_rows) {
    const std::size_t last = std::min(first + strip_rows, n_rows);
    const Matrix strip = distances(first, last);
    require_strip(strip, first, last - first, n_rows);
    parallel_blocks(last - first, rows_per_task, [&](std::size_t begin, std::size_t end) {
      TrueNeighbours truth(largest);
      for (std::size_t place = begin; place < end; ++place) {
        const std::size_t row = first + place;
        truth.judge(row, strip.row(place), neighbours.row(row));
        for (std::size_t which = 0; which < sizes.size(); ++which) {
          write_score(scores, row, which, truth.n_hits(sizes[which]), sizes[which],
                      truth.n_true(sizes[which]));
        }
      }
    });
  }
  return scores;
}

}  // namespace bentwood
