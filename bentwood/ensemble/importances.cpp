#include "bentwood/ensemble/importances.hpp"

#include <numeric>

namespace bentwood {
namespace {

/// Makes numbers shares of their sum, where that is not 0.
void normalize(std::span<double> numbers) {
  const double sum = std::accumulate(numbers.begin(), numbers.end(), 0.0);
  for (double& number : numbers) {
    number = sum > 0 ? number / sum : 0;
  }
}

}  // namespace

std::vector<double> mean_importances(MatrixView gains, std::span<const double> earlier,
                                     std::size_t n_earlier) {
  std::vector<double> result(gains.n_cols(), 0.0);
  for (std::size_t column = 0; column < earlier.size(); ++column) {
    result[column] = earlier[column] * static_cast<double>(n_earlier);
  }
  std::vector<double> shares(result.size());
  for (std::size_t tree = 0; tree < gains.n_rows(); ++tree) {
    shares.assign(gains.row(tree).begin(), gains.row(tree).end());
    normalize(shares);
    for (std::size_t column = 0; column < result.size(); ++column) {
      result[column] += shares[column];
    }
  }
  normalize(result);
  return result;
}

}  // namespace bentwood
