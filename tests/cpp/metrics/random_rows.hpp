#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "bentwood/base/error.hpp"
#include "bentwood/base/matrix.hpp"
#include "bentwood/base/random.hpp"

namespace bentwood::metrics_test {

inline std::vector<std::int64_t> random_labels(Random& random, std::size_t n_rows,
                                               std::size_t n_classes) {
  std::vector<std::int64_t> labels(n_rows);
  for (std::int64_t& label : labels) {
    label = static_cast<std::int64_t>(random.below(n_classes));
  }
  return labels;
}

/// Small whole numbers, zeros among them: sums of them are exact, whatever the order.
inline std::vector<double> random_weights(Random& random, std::size_t n_rows) {
  std::vector<double> weights(n_rows);
  for (double& weight : weights) {
    weight = static_cast<double>(random.below(4));
  }
  weights[random.below(n_rows)] = 1;
  return weights;
}

/// Numbers from 0 to n_levels - 1: few levels make many ties.
inline Matrix random_levels(Random& random, std::size_t n_rows, std::size_t n_cols,
                            std::size_t n_levels) {
  Matrix values(n_rows, n_cols);
  for (std::size_t row = 0; row < n_rows; ++row) {
    for (double& value : values.row(row)) {
      value = static_cast<double>(random.below(n_levels));
    }
  }
  return values;
}

/// Every row as often as its weight says: what weights mean.
template <class T>
std::vector<T> repeated(const std::vector<T>& rows, const std::vector<double>& weights) {
  std::vector<T> result;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    result.insert(result.end(), static_cast<std::size_t>(weights[row]), rows[row]);
  }
  return result;
}

inline Matrix repeated(const Matrix& rows, const std::vector<double>& weights) {
  std::vector<double> values;
  for (std::size_t row = 0; row < rows.n_rows(); ++row) {
    for (double copy = 0; copy < weights[row]; ++copy) {
      values.insert(values.end(), rows.row(row).begin(), rows.row(row).end());
    }
  }
  return {values.size() / rows.n_cols(), rows.n_cols(), values};
}

/// What a call is answered with where it should be refused.
inline std::string message(const std::function<void()>& call) {
  try {
    call();
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace bentwood::metrics_test
