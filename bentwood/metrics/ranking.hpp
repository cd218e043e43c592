#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "bentwood/base/matrix.hpp"

/// How well scores put the rows of a class before the others.
///
/// Truth and weights are those of classification.hpp. Only the order of the scores matters; rows with
/// equal scores pass a threshold together, so their order among themselves does not. All functions throw
/// InvalidInput for lengths that differ, no rows at all, classes out of range, scores that are not
/// finite and unusable weights. They sort: O(n log n) a class.
namespace bentwood {

/// The area under the precision-recall curve (AUPR) as average precision:
///
///     AP = Σ_k (R_k - R_{k-1}) P_k
///
/// over the distinct scores from the largest down, P_k and R_k being precision and recall of "positive
/// where the score is at least the k-th". No interpolation between the thresholds: the trapezoids of an
/// interpolated curve are too optimistic (Davis and Goadrich, "The relationship between precision-recall
/// and ROC curves", ICML 2006). The same as scikit-learn's average_precision_score.
///
/// Throws InvalidInput where no row is of the positive class.
[[nodiscard]] double average_precision(std::span<const std::int64_t> truth,
                                       std::span<const double> scores,
                                       std::int64_t positive_class = 1,
                                       std::span<const double> weights = {});

/// The mean over the classes of the average precision of each against the rest, column c of `scores`
/// being that of class c. Classes without a row in `truth` have none and are left out.
[[nodiscard]] double macro_average_precision(std::span<const std::int64_t> truth, MatrixView scores,
                                             std::span<const double> weights = {});

/// The area under the ROC curve: the probability that a row of the positive class, drawn by weight,
/// has a larger score than one of another, equal scores counting half.
///
/// Throws InvalidInput where no row or every row is of the positive class.
[[nodiscard]] double roc_auc(std::span<const std::int64_t> truth, std::span<const double> scores,
                             std::int64_t positive_class = 1, std::span<const double> weights = {});

/// The mean over the classes of the ROC AUC of each against the rest, column c of `scores` being that of
/// class c. Classes without a row are left out; throws InvalidInput where fewer than two have any.
[[nodiscard]] double macro_roc_auc(std::span<const std::int64_t> truth, MatrixView scores,
                                   std::span<const double> weights = {});

}  // namespace bentwood
