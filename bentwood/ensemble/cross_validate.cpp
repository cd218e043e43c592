#include "bentwood/ensemble/cross_validate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "bentwood/base/error.hpp"
#include "bentwood/base/random.hpp"
#include "bentwood/infer/engine.hpp"
#include "bentwood/infer/inputs.hpp"

namespace bentwood {
namespace {

// grow_forest.cpp uses the streams before this one.
constexpr std::uint64_t fold_purpose = 3;

void check_folds(std::size_t n_rows, std::size_t n_folds) {
  if (n_folds < 2) {
    throw InvalidInput(fmt::format("{} fold{} cannot be told apart, expected at least 2", n_folds,
                                   n_folds == 1 ? "" : "s"));
  }
  if (n_rows < n_folds) {
    throw InvalidInput(
        fmt::format("{} folds need at least as many rows, found {}", n_folds, n_rows));
  }
}

/// The given rows of a matrix.
Matrix gathered(MatrixView values, std::span<const std::size_t> rows) {
  Matrix result = Matrix::uninitialized(rows.size(), values.n_cols());
  for (std::size_t row = 0; row < rows.size(); ++row) {
    std::ranges::copy(values.row(rows[row]), result.row(row).begin());
  }
  return result;
}

template <class T>
std::vector<T> gathered(const std::vector<T>& values, std::span<const std::size_t> rows) {
  std::vector<T> result;
  if (!values.empty()) {
    result.reserve(rows.size());
    for (const std::size_t row : rows) {
      result.push_back(values[row]);
    }
  }
  return result;
}

Target gathered(const Target& target, std::span<const std::size_t> rows) {
  Target result;
  result.task = target.task;
  result.width = target.width;
  if (target.task == Task::classification) {
    result.classes = gathered(target.classes, rows);
  } else {
    result.outputs = gathered(target.outputs.view(), rows);
  }
  result.weights = gathered(target.weights, rows);
  return result;
}

/// The rows that are in other folds, ascending.
std::vector<std::size_t> rows_outside(std::span<const std::uint32_t> folds, std::size_t fold) {
  std::vector<std::size_t> result;
  for (std::size_t row = 0; row < folds.size(); ++row) {
    if (folds[row] != fold) {
      result.push_back(row);
    }
  }
  return result;
}

/// Trains on the rows outside of each fold; use(predictor, columns of the rows in it, their numbers).
template <class Use>
void for_each_fold(Points points, const Target& target, std::span<const std::uint32_t> folds,
                   const TrainOptions& options, const std::function<void(std::size_t)>& progress,
                   Use use) {
  if (folds.size() != points.rows.n_rows() || target.n_rows() != folds.size()) {
    throw InvalidInput(fmt::format("points have {} rows, targets {}, folds {}",
                                   points.rows.n_rows(), target.n_rows(), folds.size()));
  }
  const std::vector<std::vector<std::size_t>> tested = rows_of_folds(folds);
  check_folds(folds.size(), tested.size());
  const Inputs inputs = bentwood::inputs(options.columns, options.off_manifold, points);
  ForestOptions forest_options = options.forest;
  forest_options.out_of_bag = false;
  forest_options.grow.horospheres.places = options.columns.polar_places();
  for (std::size_t fold = 0; fold < tested.size(); ++fold) {
    if (tested[fold].empty()) {
      throw InvalidInput(fmt::format("fold {} has no rows", fold));
    }
    const std::vector<std::size_t> known = rows_outside(folds, fold);
    const auto report = [&](std::size_t n_done) {
      if (progress) {
        progress(fold * forest_options.n_trees + n_done);
      }
    };
    GrownForest grown =
        grow_forest(gathered(inputs.columns.view(), known), options.columns.columns(),
                    gathered(target, known), forest_options, report);
    const Predictor predictor(
        Forest{.task = target.task, .columns = options.columns, .trees = std::move(grown.trees)});
    use(predictor, gathered(inputs.columns.view(), tested[fold]), tested[fold]);
  }
}

}  // namespace

std::vector<std::uint32_t> stratified_folds(std::span<const std::uint32_t> classes,
                                            std::size_t n_folds, std::uint64_t seed) {
  check_folds(classes.size(), n_folds);
  // Rows in random order, then class by class in it; dealing goes on from class to class, so that the
  // folds are even in all.
  std::vector<std::size_t> rows(classes.size());
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  Random(seed, fold_purpose).shuffle(std::span(rows));
  std::ranges::stable_sort(rows, {}, [&](std::size_t row) { return classes[row]; });
  std::vector<std::uint32_t> folds(classes.size());
  for (std::size_t dealt = 0; dealt < rows.size(); ++dealt) {
    folds[rows[dealt]] = static_cast<std::uint32_t>(dealt % n_folds);
  }
  return folds;
}

std::vector<std::uint32_t> shuffled_folds(std::size_t n_rows, std::size_t n_folds,
                                          std::uint64_t seed) {
  return stratified_folds(std::vector<std::uint32_t>(n_rows, 0), n_folds, seed);
}

std::vector<std::uint32_t> folds_for(const Target& target, std::size_t n_folds,
                                     std::uint64_t seed) {
  return target.task == Task::classification ? stratified_folds(target.classes, n_folds, seed)
                                             : shuffled_folds(target.n_rows(), n_folds, seed);
}

std::vector<std::vector<std::size_t>> rows_of_folds(std::span<const std::uint32_t> folds) {
  const std::size_t n_folds = folds.empty() ? 0 : std::ranges::max(folds) + std::size_t{1};
  std::vector<std::vector<std::size_t>> result(n_folds);
  for (std::size_t row = 0; row < folds.size(); ++row) {
    result[folds[row]].push_back(row);
  }
  return result;
}

Matrix out_of_fold_values(Points points, const Target& target, std::span<const std::uint32_t> folds,
                          const TrainOptions& options,
                          const std::function<void(std::size_t)>& progress) {
  Matrix result = Matrix::uninitialized(folds.size(), target.width);
  for_each_fold(
      points, target, folds, options, progress,
      [&](const Predictor& predictor, const Matrix& columns, std::span<const std::size_t> rows) {
        const Matrix values = predictor.values_of_columns(columns);
        for (std::size_t row = 0; row < rows.size(); ++row) {
          std::ranges::copy(values.row(row), result.row(rows[row]).begin());
        }
      });
  return result;
}

std::vector<std::int64_t> out_of_fold_winners(Points points, const Target& target,
                                              std::span<const std::uint32_t> folds,
                                              const TrainOptions& options,
                                              const std::function<void(std::size_t)>& progress) {
  std::vector<std::int64_t> result(folds.size());
  for_each_fold(
      points, target, folds, options, progress,
      [&](const Predictor& predictor, const Matrix& columns, std::span<const std::size_t> rows) {
        const std::vector<std::int64_t> winners = predictor.winners_of_columns(columns);
        for (std::size_t row = 0; row < rows.size(); ++row) {
          result[rows[row]] = winners[row];
        }
      });
  return result;
}

}  // namespace bentwood
