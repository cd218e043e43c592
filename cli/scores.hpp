#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bentwood/base/matrix.hpp"
#include "bentwood/ensemble/train.hpp"
#include "bentwood/split/target.hpp"

namespace bentwood::cli {

/// A score as people read it: errors have the scale of what was measured, all others that of 1.
[[nodiscard]] std::string score_text(std::string_view key, double value);

/// One score of every fold.
struct FoldScores {
  /// For people: "macro F1"; for JSON: "macro_f1".
  std::string name;
  std::string key;
  std::vector<double> folds;

  [[nodiscard]] double mean() const;
  /// The standard deviation, n - 1 in the denominator.
  [[nodiscard]] double deviation() const;
};

/// Throws InvalidInput that names the file where a cross-validation of so many folds has too few rows: two a fold in a regression,
/// as R² needs them.
void require_rows_for_folds(const std::string& source, const Target& target, std::size_t n_folds);

/// Accuracy and macro F1 of every fold, weighted as the target is. `winners` are the classes that were predicted.
[[nodiscard]] std::vector<FoldScores> class_scores_of_folds(std::span<const std::int64_t> winners,
                                                            const Target& target,
                                                            std::span<const std::uint32_t> folds);

/// RMSE and R² of every fold, in the same way.
[[nodiscard]] std::vector<FoldScores> number_scores_of_folds(MatrixView values,
                                                             const Target& target,
                                                             std::span<const std::uint32_t> folds);

/// Lines such as "  accuracy  0.9120 ± 0.0153".
[[nodiscard]] std::string scores_text(const std::vector<FoldScores>& scores);
[[nodiscard]] nlohmann::ordered_json scores_json(const std::vector<FoldScores>& scores);

/// Writes to standard output. Ctrl-C ends it at once: a pipe may block for ever.
void print(const std::string& text);
void print(const nlohmann::ordered_json& json);
/// JSON as it is printed.
[[nodiscard]] std::string json_text(const nlohmann::ordered_json& json);

}  // namespace bentwood::cli
