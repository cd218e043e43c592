#include "bentwood/grow/node_points.hpp"

#include <algorithm>

namespace bentwood {

void NodePoints::assign(MatrixView values, const PolarPlace& place,
                        std::span<const std::uint32_t> rows) {
  n_rows_ = rows.size();
  dim_ = place.dim;
  values_.resize(n_rows_ * place.size());
  for (std::size_t index = 0; index < place.size(); ++index) {
    double* const target = values_.data() + index * n_rows_;
    for (std::size_t item = 0; item < n_rows_; ++item) {
      target[item] = values(rows[item], place.place + index);
    }
  }
}

void NodePoints::levels(std::span<const double> ideal, std::span<double> out) const {
  std::ranges::fill(out, 0.0);
  for (std::size_t axis = 0; axis < dim_; ++axis) {
    const double* const direction = column(axis).data();
    for (std::size_t item = 0; item < n_rows_; ++item) {
      const double apart = ideal[axis] - direction[item];
      out[item] += apart * apart;
    }
  }
  const double* const half_sine = column(dim_).data();
  const double* const nearness = column(dim_ + 1).data();
  for (std::size_t item = 0; item < n_rows_; ++item) {
    out[item] = nearness[item] + half_sine[item] * out[item];
  }
}

}  // namespace bentwood
