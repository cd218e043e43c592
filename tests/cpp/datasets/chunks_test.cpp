#include "bentwood/datasets/chunks.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace bentwood {
namespace {

TEST(InChunks, puts_all_rows_in_their_order) {
  const std::size_t n_cols = 3000;
  std::vector<std::size_t> firsts;
  const Matrix whole = datasets::in_chunks(300, n_cols, [&](std::size_t first, std::size_t n_rows) {
    firsts.push_back(first);
    Matrix rows(n_rows, n_cols);
    for (std::size_t row = 0; row < n_rows; ++row) {
      rows(row, n_cols - 1) = static_cast<double>(first + row);
    }
    return rows;
  });
  EXPECT_GT(firsts.size(), 1U);
  for (std::size_t row = 0; row < 300; ++row) {
    EXPECT_EQ(whole(row, n_cols - 1), static_cast<double>(row));
    EXPECT_EQ(whole(row, 0), 0);
  }
}

TEST(InChunks, names_the_row_of_the_whole) {
  std::string message;
  try {
    (void)datasets::in_chunks(100, 10'000, [](std::size_t first, std::size_t n_rows) -> Matrix {
      if (first > 0) {
        throw RowError(7, "is not what it should be");
      }
      return {n_rows, 10'000};
    });
  } catch (const RowError& error) {
    message = error.what();
  }
  EXPECT_EQ(message, "row 71: is not what it should be");
}

}  // namespace
}  // namespace bentwood
