#include "bentwood/model/check_forest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <string_view>

#include "bentwood/base/error.hpp"
#include "bentwood/base/parallel.hpp"
#include "bentwood/model/check_numbers.hpp"
#include "bentwood/model/estimators.hpp"

namespace bentwood {
namespace {

/// What rounding may take from shares that sum to 1, or add to them: a sum of 10^7 weights is exact to 1e-9.
constexpr double share_rounding = 1e-8;

/// The rows of values of a tree must be what its task says: of a classification shares, of which each is at least 0 and all make 1; without
/// one a single share.
void check_values(const Tree& tree, Task task) {
  for (std::uint32_t row = 0; row < tree.n_value_rows() && task != Task::regression; ++row) {
    const std::span<const double> shares =
        tree.is_sparse() ? tree.sparse.shares_of(row) : tree.value(row);
    double sum = 0;
    for (const double share : shares) {
      if (!(share >= 0)) {
        throw FormatError(
            fmt::format("value row {} has the share {}, expected at least 0", row, share));
      }
      sum += share;
    }
    const bool whole = task == Task::none || sum >= 1 - share_rounding;
    if (!(whole && sum <= 1 + share_rounding)) {
      throw FormatError(fmt::format("value row {} has shares that sum to {}, expected {}", row, sum,
                                    task == Task::none ? "at most 1" : "1"));
    }
  }
}

void check_importances(std::span<const double> importances) {
  const auto is_share = [](double value) {
    return value >= -share_rounding && value <= 1 + share_rounding;
  };
  const auto wrong = std::ranges::find_if_not(importances, is_share);
  if (wrong != importances.end()) {
    throw FormatError(fmt::format("importance {} is {}, expected a number from 0 to 1",
                                  wrong - importances.begin(), *wrong));
  }
}

}  // namespace

void check_labels(const Labels& labels) {
  const bool finite = !std::holds_alternative<std::vector<double>>(labels) ||
                      std::ranges::all_of(std::get<std::vector<double>>(labels),
                                          [](double label) { return std::isfinite(label); });
  const bool ascending = std::visit(
      [](const auto& values) {
        return std::ranges::adjacent_find(values, std::ranges::greater_equal()) == values.end();
      },
      labels);
  if (!finite || !ascending) {
    throw FormatError(finite ? "the classes are not in ascending order"
                             : "a class is not a finite number");
  }
}

std::size_t n_labels(const Labels& labels) {
  return std::visit([](const auto& values) { return values.size(); }, labels);
}

void check_forest(const Forest& forest) {
  if (forest.trees.empty()) {
    throw FormatError("the forest has no trees");
  }
  const std::size_t width = forest.width();
  for (std::size_t tree = 0; tree < forest.trees.size(); ++tree) {
    if (forest.trees[tree].width != width) {
      throw FormatError(fmt::format("tree {} has {} values in a leaf, the first one {}", tree,
                                    forest.trees[tree].width, width));
    }
    if (forest.trees[tree].is_sparse() != forest.trees.front().is_sparse()) {
      throw FormatError(
          fmt::format("the values of tree {} are {}sparse, unlike those of the first one", tree,
                      forest.trees[tree].is_sparse() ? "" : "not "));
    }
  }
  check_labels(forest.classes);
  require_count(n_labels(forest.classes), forest.task == Task::classification ? width : 0,
                "classes");
  if (forest.trees.front().is_sparse() &&
      (forest.task != Task::classification || width <= most_dense_classes)) {
    throw FormatError(
        fmt::format("values are sparse, expected so of more than {} classes", most_dense_classes));
  }
  require_count(forest.importances.size(), forest.columns.n_importances(), "importances");
  if (!forest.output_names.empty()) {
    require_count(forest.output_names.size(), forest.task == Task::regression ? width : 0,
                  "output names");
  }
  if (!forest.feature_names.empty()) {
    require_count(forest.feature_names.size(), forest.columns.manifold().n_columns(),
                  "feature names");
  }
  check_importances(forest.importances);
  check_estimator(forest);
  parallel_blocks(forest.trees.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t tree = begin; tree < end; ++tree) {
      try {
        check_tree(forest.trees[tree], forest.columns.columns(), forest.columns.polar_places());
        check_values(forest.trees[tree], forest.task);
        // Whoever describes and draws trees that predict knows no sums of columns.
        if (forest.task != Task::none &&
            std::ranges::count(forest.trees[tree].own.kinds, OwnColumnKind::oblique) > 0) {
          throw FormatError("a tree that predicts cuts a sum of columns");
        }
      } catch (const FormatError& error) {
        throw FormatError(fmt::format("tree {}: {}", tree, error.what()));
      }
    }
  });
}

}  // namespace bentwood
