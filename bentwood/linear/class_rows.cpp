#include "bentwood/linear/class_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>

#include "bentwood/base/error.hpp"
#include "bentwood/base/random.hpp"
#include "bentwood/base/weights.hpp"

namespace bentwood {
namespace {

constexpr std::uint32_t most_folds = 5;

std::vector<double> checked_weights(std::span<const double> weights, std::size_t n_rows) {
  if (weights.empty()) {
    return std::vector<double>(n_rows, 1);
  }
  check_weights(weights, n_rows);
  return {weights.begin(), weights.end()};
}

void check_class_weights(std::span<const double> weights, std::size_t n_classes) {
  if (!weights.empty() && weights.size() != n_classes) {
    throw InvalidInput(fmt::format("class weights has {} entries, but there are {} classes",
                                   weights.size(), n_classes));
  }
  for (std::size_t label = 0; label < weights.size(); ++label) {
    if (!std::isfinite(weights[label]) || weights[label] < 0) {
      throw InvalidInput(fmt::format("the weight of class {} is {}, expected a finite number >= 0",
                                     label, weights[label]));
    }
  }
}

/// The weight of every class.
std::vector<double> class_totals(const ClassRows& rows) {
  std::vector<double> totals(rows.n_classes, 0);
  for (std::size_t row = 0; row < rows.weights.size(); ++row) {
    totals[rows.classes[row]] += rows.weights[row];
  }
  return totals;
}

void check_labels(const ClassRows& rows, std::size_t n_points) {
  if (rows.classes.size() != n_points) {
    throw InvalidInput(fmt::format("there are {} labels and {} points, expected equally many",
                                   rows.classes.size(), n_points));
  }
  if (std::ranges::any_of(rows.classes, [&](auto label) { return label >= rows.n_classes; })) {
    throw InvalidInput(fmt::format("a class is {} or more, which has no label", rows.n_classes));
  }
}

void check_present(const ClassRows& rows) {
  const std::vector<double> totals = class_totals(rows);
  const auto n_present = std::ranges::count_if(totals, [](double total) { return total > 0; });
  if (n_present < 2) {
    throw InvalidInput(
        fmt::format("{} class{} rows with a weight above zero, expected at least two classes",
                    n_present, n_present == 1 ? " has" : "es have"));
  }
}

}  // namespace

ClassRows checked_rows(std::span<const std::uint32_t> classes, std::span<const double> weights,
                       std::span<const double> class_weights, std::size_t n_points,
                       std::size_t n_classes) {
  ClassRows rows{classes, checked_weights(weights, n_points), {}, n_classes};
  check_labels(rows, n_points);
  check_class_weights(class_weights, n_classes);
  rows.own_weights = rows.weights;
  if (!class_weights.empty()) {
    weigh_classes(classes, class_weights, rows.weights);
  }
  for (std::size_t row = 0; row < n_points; ++row) {
    rows.own_weights[row] = rows.weights[row] > 0 ? rows.own_weights[row] : 0;
  }
  check_present(rows);
  return rows;
}

ClassRows plain_rows(std::span<const std::uint32_t> classes, std::size_t n_points,
                     std::size_t n_classes) {
  ClassRows rows{classes, std::vector<double>(n_points, 1), {}, n_classes};
  check_labels(rows, n_points);
  rows.own_weights = rows.weights;
  return rows;
}

void balance(ClassRows& rows) {
  const std::vector<double> totals = class_totals(rows);
  const double sum = std::accumulate(totals.begin(), totals.end(), 0.0);
  for (std::size_t row = 0; row < rows.weights.size(); ++row) {
    if (rows.weights[row] > 0) {
      rows.weights[row] *= sum / (static_cast<double>(rows.n_classes) * totals[rows.classes[row]]);
    }
  }
}

void check_cost(const ClassRows& rows, double cost) {
  constexpr double most = 1e100;
  if (!(cost > 0)) {
    throw InvalidInput(fmt::format("C is {}, expected a number above 0", cost));
  }
  const double largest = std::ranges::max(rows.weights);
  if (!(cost <= most && largest <= most && cost * largest <= most)) {
    throw InvalidInput(fmt::format(
        "C is {} and the largest weight is {}, expected at most 1e100 of both and their product",
        cost, largest));
  }
  for (std::size_t row = 0; row < rows.weights.size(); ++row) {
    if (rows.weights[row] > 0 && rows.weights[row] < 1 / most) {
      throw RowError(
          row, fmt::format("the weight is {}, expected 0 or at least 1e-100", rows.weights[row]));
    }
  }
}

std::vector<double> calibration_weights(const ClassRows& rows) {
  const double largest = std::ranges::max(rows.own_weights);
  std::vector<double> result = rows.own_weights;
  const double scale = largest < 1 ? largest : 1 / scale_to_one(largest);
  for (double& weight : result) {
    weight /= scale;
  }
  return result;
}

std::vector<double> signs_of(const ClassRows& rows, std::size_t index) {
  const std::size_t positive = rows.n_classes == 2 ? 1 : index;
  std::vector<double> signs(rows.classes.size());
  std::ranges::transform(rows.classes, signs.begin(),
                         [&](auto label) { return label == positive ? 1.0 : -1.0; });
  return signs;
}

bool is_present(const ClassRows& rows, std::size_t index) {
  const std::size_t positive = rows.n_classes == 2 ? 1 : index;
  for (std::size_t row = 0; row < rows.classes.size(); ++row) {
    if (rows.classes[row] == positive && rows.weights[row] > 0) {
      return true;
    }
  }
  return false;
}

Folds deal_folds(const ClassRows& rows, std::uint64_t seed, std::uint64_t purpose) {
  Folds result{std::vector<std::uint32_t>(rows.classes.size(), 0), 0};
  std::vector<std::vector<std::uint32_t>> members(rows.n_classes);
  for (std::uint32_t row = 0; row < rows.classes.size(); ++row) {
    if (rows.weights[row] > 0) {
      members[rows.classes[row]].push_back(row);
    }
  }
  std::size_t fewest = most_folds;
  for (const auto& member : members) {
    fewest = member.empty() ? fewest : std::min(fewest, member.size());
  }
  result.n_folds = static_cast<std::uint32_t>(std::max<std::size_t>(fewest, 2));
  std::uint32_t next = 0;
  for (std::size_t label = 0; label < members.size(); ++label) {
    Random random(seed, purpose, label);
    random.shuffle(std::span(members[label]));
    for (const std::uint32_t row : members[label]) {
      result.fold_of[row] = next++ % result.n_folds;
    }
  }
  return result;
}

bool can_cross_fit(const ClassRows& rows, const Folds& dealt, std::size_t index) {
  const std::size_t positive = rows.n_classes == 2 ? 1 : index;
  std::array<std::optional<std::uint32_t>, 2> first;
  std::array<bool, 2> several{};
  for (std::size_t row = 0; row < rows.classes.size(); ++row) {
    if (rows.weights[row] > 0) {
      const std::size_t side = rows.classes[row] == positive ? 1 : 0;
      several.at(side) |= first.at(side).value_or(dealt.fold_of[row]) != dealt.fold_of[row];
      first.at(side) = dealt.fold_of[row];
    }
  }
  return several[0] && several[1];
}

}  // namespace bentwood
