#include "bentwood/data/dataset.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <unordered_set>

#include "bentwood/base/error.hpp"
#include "bentwood/data/text.hpp"

namespace bentwood {
namespace {

std::vector<double> checked_weights(const Table& table, const std::string& name) {
  const std::span<const double> weights = table.numbers(name);
  for (std::size_t row = 0; row < weights.size(); ++row) {
    if (!std::isfinite(weights[row]) || weights[row] < 0) {
      throw InvalidInput(fmt::format("{}: weight {} in column {}, expected a finite number >= 0",
                                     table.place(row), weights[row], shown(name)));
    }
  }
  if (std::ranges::all_of(weights, [](double weight) { return weight == 0; })) {
    throw InvalidInput(fmt::format("{}all weights in column {} are 0",
                                   table.source().empty() ? "" : table.source() + ": ",
                                   shown(name)));
  }
  return {weights.begin(), weights.end()};
}

void check_parts(const Table& table, const DatasetColumns& columns) {
  std::unordered_set<std::string_view> used;
  const auto use = [&](const std::string& name) {
    (void)table.column(name);
    if (!used.insert(name).second) {
      throw InvalidInput(
          fmt::format("{}column {} is asked for twice, expected each of label, weight and "
                      "features to be another column",
                      table.source().empty() ? "" : table.source() + ": ", shown(name)));
    }
  };
  if (columns.label) {
    use(*columns.label);
  }
  if (columns.weight) {
    use(*columns.weight);
  }
  std::ranges::for_each(columns.features, use);
}

void choose_features(const Table& table, const DatasetColumns& columns, Dataset& dataset) {
  if (!columns.features.empty()) {
    dataset.feature_names = columns.features;
    return;
  }
  for (const TableColumn& column : table.columns()) {
    if (column.name == columns.label || column.name == columns.weight) {
      continue;
    }
    const NotANumber& first = column.not_a_number;
    if (!column.is_numeric() && first.row == 0 && !first.field.empty()) {
      dataset.ignored.push_back(column.name);
      continue;
    }
    dataset.feature_names.push_back(column.name);
  }
  if (dataset.feature_names.empty()) {
    throw InvalidInput(fmt::format("{}no numeric column is left for the features",
                                   table.source().empty() ? "" : table.source() + ": "));
  }
}

}  // namespace

Dataset select(const Table& table, const DatasetColumns& columns) {
  check_parts(table, columns);
  Dataset dataset;
  choose_features(table, columns, dataset);
  dataset.points = table.matrix(dataset.feature_names);
  dataset.precision = table.precision();
  if (columns.label) {
    dataset.label = table.column(*columns.label);
  }
  if (columns.weight) {
    dataset.weights = checked_weights(table, *columns.weight);
  }
  return dataset;
}

}  // namespace bentwood
