#include "cli/scores.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <utility>

#include "bentwood/base/error.hpp"
#include "bentwood/data/file.hpp"
#include "bentwood/ensemble/cross_validate.hpp"
#include "bentwood/metrics/classification.hpp"
#include "bentwood/metrics/regression.hpp"
#include "cli/interrupt.hpp"

namespace bentwood::cli {
namespace {

template <class Values>
auto gathered(const Values& values, std::span<const std::size_t> rows) {
  std::vector<typename Values::value_type> result;
  for (const std::size_t row : rows) {
    result.push_back(values[row]);
  }
  return result;
}

std::vector<double> weights_of(const Target& target, std::span<const std::size_t> rows) {
  return target.weights.empty() ? std::vector<double>() : gathered(target.weights, rows);
}

/// The first column of some rows.
Matrix first_column(MatrixView values, std::span<const std::size_t> rows) {
  Matrix result(rows.size(), 1);
  for (std::size_t row = 0; row < rows.size(); ++row) {
    result(row, 0) = values(rows[row], 0);
  }
  return result;
}

}  // namespace

std::string score_text(std::string_view key, double value) {
  return key == "rmse" || key == "mae" ? fmt::format("{:.5g}", value)
                                       : fmt::format("{:.4f}", value);
}

double FoldScores::mean() const {
  return std::accumulate(folds.begin(), folds.end(), 0.0) / static_cast<double>(folds.size());
}

double FoldScores::deviation() const {
  const double centre = mean();
  double sum = 0;
  for (const double score : folds) {
    sum += (score - centre) * (score - centre);
  }
  return std::sqrt(sum / static_cast<double>(folds.size() - 1));
}

void require_rows_for_folds(const std::string& source, const Target& target, std::size_t n_folds) {
  const std::size_t needed = (target.task == Task::classification ? 1 : 2) * n_folds;
  if (target.n_rows() < needed) {
    throw InvalidInput(fmt::format("{}: {} folds need at least {} rows, found {}; pass {}--no-cv",
                                   source, n_folds, needed, target.n_rows(),
                                   n_folds > 2 ? "fewer --cv-folds, or " : ""));
  }
}

std::vector<FoldScores> class_scores_of_folds(std::span<const std::int64_t> winners,
                                              const Target& target,
                                              std::span<const std::uint32_t> folds) {
  const std::vector<std::int64_t> truth(target.classes.begin(), target.classes.end());
  FoldScores right{"accuracy", "accuracy", {}};
  FoldScores f1{"macro F1", "macro_f1", {}};
  for (const std::vector<std::size_t>& rows : rows_of_folds(folds)) {
    const std::vector<double> weights = weights_of(target, rows);
    const auto of_fold = gathered(truth, rows);
    const auto guesses = gathered(winners, rows);
    right.folds.push_back(accuracy(of_fold, guesses, weights));
    f1.folds.push_back(average_scores(of_fold, guesses, target.width, Average::macro, weights).f1);
  }
  return {std::move(right), std::move(f1)};
}

std::vector<FoldScores> number_scores_of_folds(MatrixView values, const Target& target,
                                               std::span<const std::uint32_t> folds) {
  FoldScores error{"RMSE", "rmse", {}};
  FoldScores explained{"R²", "r2", {}};
  for (const std::vector<std::size_t>& rows : rows_of_folds(folds)) {
    const std::vector<double> weights = weights_of(target, rows);
    const Matrix of_fold = first_column(target.outputs, rows);
    const Matrix guesses = first_column(values, rows);
    error.folds.push_back(rmse(of_fold, guesses, weights));
    explained.folds.push_back(r2(of_fold, guesses, weights));
  }
  return {std::move(error), std::move(explained)};
}

std::string scores_text(const std::vector<FoldScores>& scores) {
  std::string out;
  for (const FoldScores& score : scores) {
    fmt::format_to(std::back_inserter(out), "  {:<9} {} ± {}\n", score.name,
                   score_text(score.key, score.mean()), score_text(score.key, score.deviation()));
  }
  return out;
}

nlohmann::ordered_json scores_json(const std::vector<FoldScores>& scores) {
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  for (const FoldScores& score : scores) {
    json[score.key] = {
        {"mean", score.mean()}, {"deviation", score.deviation()}, {"folds", score.folds}};
  }
  return json;
}

void print(const std::string& text) {
  const ExitOnInterrupt while_writing;
  write_file("-", std::span(&text, 1));
}

std::string json_text(const nlohmann::ordered_json& json) {
  constexpr int indent = 2;
  return json.dump(indent, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

void print(const nlohmann::ordered_json& json) { print(json_text(json)); }

}  // namespace bentwood::cli
