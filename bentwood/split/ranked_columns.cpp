#include "bentwood/split/ranked_columns.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numbers>
#include <utility>

#include "bentwood/base/parallel.hpp"
#include "bentwood/model/tree.hpp"

namespace bentwood {
namespace {

/// The upper half of a number's bits, so that whole numbers compare as the numbers do, and its row.
struct Key {
  std::uint32_t high;
  std::uint32_t row;
};
using Keys = std::vector<Key, NumberAllocator<Key>>;

std::uint32_t ordered_high_bits(double value) {
  // -0 and 0 are one value.
  const auto bits = std::bit_cast<std::uint64_t>(value + 0.0);
  const std::uint64_t flip = (bits >> 63U) != 0 ? ~std::uint64_t{0} : std::uint64_t{1} << 63U;
  return static_cast<std::uint32_t>((bits ^ flip) >> 32U);
}

/// Least significant digit first, three digits of 11 bits.
void radix_sort(Keys& keys, Keys& spare) {
  constexpr unsigned bits = 11;
  constexpr std::uint32_t mask = (1U << bits) - 1;
  std::array<std::array<std::uint32_t, mask + 1>, 3> counts{};
  for (const Key key : keys) {
    ++counts[0][key.high & mask];
    ++counts[1][(key.high >> bits) & mask];
    ++counts[2][key.high >> (2 * bits)];
  }
  for (unsigned digit = 0; digit < 3; ++digit) {
    std::uint32_t next = 0;
    for (std::uint32_t& count : counts[digit]) {
      next += std::exchange(count, next);
    }
    for (const Key key : keys) {
      spare[counts[digit][(key.high >> (digit * bits)) & mask]++] = key;
    }
    std::swap(keys, spare);
  }
}

/// Sorts runs of keys whose upper bits agree by the values themselves. Runs are short unless the values
/// are equal, which is seen first.
template <class Value>
void sort_within_runs(Keys& keys, const Value& value) {
  for (std::size_t begin = 0; begin < keys.size();) {
    std::size_t end = begin + 1;
    while (end < keys.size() && keys[end].high == keys[begin].high) {
      ++end;
    }
    const std::span run(keys.data() + begin, end - begin);
    const auto out_of_order = [&](Key a, Key b) { return value(b.row) < value(a.row); };
    if (std::ranges::adjacent_find(run, out_of_order) != run.end()) {
      std::ranges::sort(run, [&](Key a, Key b) {
        return std::pair(value(a.row), a.row) < std::pair(value(b.row), b.row);
      });
    }
    begin = end;
  }
}

/// lower + (upper - lower)/2, but never upper itself.
double midpoint_below(double lower, double upper) {
  const double apart = upper - lower;
  const double middle = std::isfinite(apart) ? lower + apart / 2 : lower / 2 + upper / 2;
  return middle < upper && middle >= lower ? middle : lower;
}

}  // namespace

RankedColumns::RankedColumns(MatrixView values, std::span<const Column> columns)
    : values_(values), columns_(columns.size()) {
  for (std::size_t column = 0; column < columns.size(); ++column) {
    columns_[column].kind = columns[column].kind;
  }
  parallel_blocks(columns.size(), 1, [&](std::size_t column, std::size_t) { rank(column); });
}

double RankedColumns::sorted_value(std::size_t column, std::size_t row) const {
  const double value = values_(row, column);
  return columns_[column].kind == ColumnKind::circle ? fold(value).turn : value;
}

void RankedColumns::rank(std::size_t column) {
  Ranks& ranks = columns_[column];
  const std::size_t n = n_rows();
  // A copy of the column: the matrix has it spread over as many cache lines as there are rows.
  Numbers<double> values(n);
  for (std::size_t row = 0; row < n; ++row) {
    values[row] = sorted_value(column, row);
  }
  const auto value = [&](std::uint32_t row) { return values[row]; };
  Keys keys(n);
  Keys spare(n);
  for (std::uint32_t row = 0; row < n; ++row) {
    keys[row] = {ordered_high_bits(value(row)), row};
  }
  throw_if_interrupted();
  radix_sort(keys, spare);
  throw_if_interrupted();
  sort_within_runs(keys, value);

  ranks.row_at.resize(n);
  bool has_ties = false;
  for (std::uint32_t place = 0; place < n; ++place) {
    const std::uint32_t row = keys[place].row;
    ranks.row_at[place] = row;
    has_ties = has_ties || (place > 0 && keys[place].high == keys[place - 1].high &&
                            value(row) == value(keys[place - 1].row));
  }
  if (has_ties) {
    ranks.level.resize(n);
    std::uint32_t level = 0;
    for (std::uint32_t place = 0; place < n; ++place) {
      const std::uint32_t row = ranks.row_at[place];
      level += place > 0 && value(row) != value(ranks.row_at[place - 1]) ? 1U : 0U;
      ranks.level[row] = level;
    }
  }
  if (ranks.kind == ColumnKind::circle) {
    ranks.far.resize(n);
    for (std::size_t row = 0; row < n; ++row) {
      ranks.far[row] = fold(values_(row, column)).far ? 1 : 0;
    }
  }
}

ColumnOrder<std::uint32_t> RankedColumns::order(std::size_t column) const {
  const Ranks& ranks = columns_[column];
  return {n_rows(), ranks.row_at.data(), ranks.level.empty() ? nullptr : ranks.level.data(),
          ranks.kind == ColumnKind::circle ? ranks.far.data() : nullptr};
}

double RankedColumns::threshold(std::size_t column, std::size_t lower_row,
                                std::size_t upper_row) const {
  return midpoint_below(sorted_value(column, lower_row), sorted_value(column, upper_row));
}

RankedColumns::Wrapped RankedColumns::wrapped_threshold(std::size_t column, std::size_t last_row,
                                                        std::size_t first_row) const {
  const double last = sorted_value(column, last_row);
  const double first = sorted_value(column, first_row);
  const double middle = last + (first + std::numbers::pi - last) / 2;
  if (middle < std::numbers::pi) {
    return {middle, false};
  }
  const double wrapped = middle - std::numbers::pi;
  // Rounding may have put it on the first angle.
  return wrapped < first ? Wrapped{wrapped, true} : Wrapped{last, false};
}

}  // namespace bentwood
