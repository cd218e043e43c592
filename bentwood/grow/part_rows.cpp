#include "bentwood/grow/part_rows.hpp"

#include <algorithm>

namespace bentwood {

void PartRows::share_out(std::span<const std::uint32_t> rows, std::span<const RowRange> parts) {
  rows_ = rows;
  parts_.assign(parts.begin(), parts.end());
  is_short_ = std::ranges::all_of(
      parts, [](const RowRange& part) { return part.size() <= most_short_rows; });
  is_sorted_ = std::make_unique<std::once_flag[]>(columns_.size());
  // Rows of no part belong to one after the last.
  std::ranges::fill(slots_, static_cast<std::uint32_t>(parts.size() << row_bits));
  for (std::size_t part = 0; part < parts.size(); ++part) {
    for (std::size_t row = 0; row < parts[part].size(); ++row) {
      slots_[rows[parts[part].begin + row]] = static_cast<std::uint32_t>((part << row_bits) | row);
    }
  }
}

void PartRows::sort(std::size_t column) {
  is_short_ ? sort_into(column, short_sorted_[column]) : sort_into(column, sorted_[column]);
}

template <class Row>
void PartRows::sort_into(std::size_t column, Numbers<Row>& sorted) const {
  sorted.resize(rows_.size() + 1);
  // Rows of no part are all written to the one place after the last, so that nothing branches on them.
  struct Cursor {
    std::size_t next;
    std::size_t step;
  };
  std::vector<Cursor> cursors;
  for (const RowRange& part : parts_) {
    cursors.push_back({part.begin, 1});
  }
  cursors.push_back({rows_.size(), 0});
  const ColumnOrder<std::uint32_t> order = columns_.order(column);
  for (std::size_t place = 0; place < order.n_rows; ++place) {
    const std::uint32_t slot = slots_[order.row_at[place]];
    Cursor& cursor = cursors[slot >> row_bits];
    sorted[cursor.next] = static_cast<Row>(slot & (most_rows - 1));
    cursor.next += cursor.step;
  }
}

}  // namespace bentwood
