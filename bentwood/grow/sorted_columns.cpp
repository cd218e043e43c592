#include "bentwood/grow/sorted_columns.hpp"

#include <algorithm>

#include "bentwood/split/kernels.hpp"

namespace bentwood {

SortedColumns::SortedColumns(const RankedColumns& columns)
    : columns_(columns),
      rows_(columns.size()),
      left_((columns.n_rows() + 31) / 32, 0),
      right_(left_.size(), 0) {
  const std::size_t room = columns.n_rows() + split_kernels::overrun;
  spare_.resize(room);
  for (Rows& rows : rows_) {
    rows.resize(room);
  }
}

void SortedColumns::take(std::span<const std::uint32_t> drawn) {
  for (std::size_t column = 0; column < rows_.size(); ++column) {
    n_rows_ = split_kernels::kernels.rows_among(columns_.order(column).row_at, columns_.n_rows(),
                                                drawn.data(), rows_[column].data());
  }
}

std::size_t SortedColumns::divide_marked(std::size_t begin, std::size_t end) {
  const std::size_t n_rows = end - begin;
  std::size_t n_left = 0;
  for (Rows& rows : rows_) {
    std::uint32_t* const node = rows.data() + begin;
    // What a kernel writes past the end of its rows would be the next node's, so both parts are written elsewhere first.
    n_left = split_kernels::kernels.rows_among(node, n_rows, left_.data(), spare_.data());
    split_kernels::kernels.rows_among(node, n_rows, right_.data(), spare_.data() + n_left);
    std::copy_n(spare_.data(), n_rows, node);
  }
  for (const std::uint32_t row : this->rows(0, begin, end)) {
    left_[row / 32] = 0;
    right_[row / 32] = 0;
  }
  return n_left;
}

}  // namespace bentwood
