#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <vector>

#include "bentwood/base/matrix.hpp"

/// How well predicted classes and probabilities agree with the true classes.
///
/// Classes are indices 0 to n_classes - 1. `weights` has one number >= 0 a row, or is empty: then every
/// row counts 1. A row of weight 2 counts as two rows, a row of weight 0 as none. All functions throw
/// InvalidInput for lengths that differ, no rows at all, classes out of range and unusable weights. They
/// take one pass over the rows.
namespace bentwood {

/// Entry (t, p) is the total weight of the rows of class t that were predicted as class p.
[[nodiscard]] Matrix confusion_matrix(std::span<const std::int64_t> truth,
                                      std::span<const std::int64_t> predicted,
                                      std::size_t n_classes, std::span<const double> weights = {});

/// The share of the weight that was predicted right.
[[nodiscard]] double accuracy(std::span<const std::int64_t> truth,
                              std::span<const std::int64_t> predicted,
                              std::span<const double> weights = {});

/// What can be said of each class: with hits = the weight of the class's rows that were recognised,
///
///     precision = hits / predicted,   recall = hits / support,   F1 = 2 hits / (predicted + support),
///
/// the last being the harmonic mean of the other two. 0/0, a class that was never predicted or never
/// there, is 0.
struct ClassScores {
  std::vector<double> precision;
  std::vector<double> recall;
  std::vector<double> f1;
  /// The weight of the rows of the class.
  std::vector<double> support;
};

[[nodiscard]] ClassScores class_scores(std::span<const std::int64_t> truth,
                                       std::span<const std::int64_t> predicted,
                                       std::size_t n_classes, std::span<const double> weights = {});

/// How the scores of the classes become one number.
enum class Average {
  /// Of hits, predictions and supports summed over the classes: precision, recall and F1 then all are
  /// the accuracy.
  micro,
  /// Their plain mean over the classes that are there or were predicted, as scikit-learn has it: a class
  /// that only the model knows does not lower it.
  macro,
  /// Their mean weighted with the support.
  weighted,
};

/// Reads "micro", "macro" or "weighted"; throws InvalidInput for anything else.
[[nodiscard]] Average parse_average(std::string_view text);

struct AverageScores {
  double precision = 0;
  double recall = 0;
  double f1 = 0;
};

[[nodiscard]] AverageScores average_scores(std::span<const std::int64_t> truth,
                                           std::span<const std::int64_t> predicted,
                                           std::size_t n_classes, Average average,
                                           std::span<const double> weights = {});

/// The mean of -log p(true class), in nats; row i of `probabilities` has one column a class.
///
/// A probability is first moved into [ε, 1 - ε], as scikit-learn does, so that one certain mistake does
/// not cost infinitely much; ε is the rounding unit of the type the probabilities had. Throws
/// InvalidInput where a probability is not between 0 and 1 or a row sums to 1 by less than √ε.
[[nodiscard]] double log_loss(std::span<const std::int64_t> truth, MatrixView probabilities,
                              std::span<const double> weights = {},
                              double epsilon = std::numeric_limits<double>::epsilon());

}  // namespace bentwood
