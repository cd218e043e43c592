#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "bentwood/base/matrix.hpp"
#include "bentwood/ensemble/train.hpp"
#include "bentwood/split/target.hpp"

namespace bentwood {

/// Deals rows into folds at random: the fold of each row, below `n_folds`. Two folds differ by at most one row, and
/// so do, with classes, the rows that any class has in them (stratified folds). A pure function of its arguments.
///
/// Throws InvalidInput where there are fewer than 2 folds or fewer rows than folds. O(rows).
[[nodiscard]] std::vector<std::uint32_t> stratified_folds(std::span<const std::uint32_t> classes,
                                                          std::size_t n_folds, std::uint64_t seed);
[[nodiscard]] std::vector<std::uint32_t> shuffled_folds(std::size_t n_rows, std::size_t n_folds,
                                                        std::uint64_t seed);

/// The folds that a target asks for: stratified for classes, shuffled otherwise.
[[nodiscard]] std::vector<std::uint32_t> folds_for(const Target& target, std::size_t n_folds,
                                                   std::uint64_t seed);

/// The rows of every fold, ascending.
[[nodiscard]] std::vector<std::vector<std::size_t>> rows_of_folds(
    std::span<const std::uint32_t> folds);

/// What forests say about rows they have not seen: for each fold one is trained on all others, with the same options and
/// the same seed, and predicts the rows of the fold. One row a training row: the share of every class, or the mean of
/// every output.
///
/// `progress`, if any, is told on the calling thread how many trees of all folds are finished. Throws InvalidInput where
/// a point is off the manifold, the arguments do not fit each other or there is no row in a fold; Interrupted.
[[nodiscard]] Matrix out_of_fold_values(Points points, const Target& target,
                                        std::span<const std::uint32_t> folds,
                                        const TrainOptions& options,
                                        const std::function<void(std::size_t)>& progress = {});

/// The same of a classification, but the class of every row alone: no number for each row and class.
[[nodiscard]] std::vector<std::int64_t> out_of_fold_winners(
    Points points, const Target& target, std::span<const std::uint32_t> folds,
    const TrainOptions& options, const std::function<void(std::size_t)>& progress = {});

}  // namespace bentwood
