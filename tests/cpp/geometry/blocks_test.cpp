#include "bentwood/geometry/kernels/blocks.hpp"

#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

namespace bentwood::kernels {
namespace {

Matrix numbered(std::size_t n_rows, std::size_t n_cols) {
  Matrix matrix(n_rows, n_cols);
  for (std::size_t row = 0; row < n_rows; ++row) {
    for (std::size_t column = 0; column < n_cols; ++column) {
      matrix(row, column) = static_cast<double>(1000 * row + column);
    }
  }
  return matrix;
}

/// The parameter is an instruction set that the test forces.
class Blocks : public testing::TestWithParam<std::int64_t> {
 protected:
  void SetUp() override {
    if ((hwy::SupportedTargets() & GetParam()) == 0) {
      GTEST_SKIP() << "this CPU has no " << hwy::TargetName(GetParam());
    }
    hwy::SetSupportedTargetsForTest(GetParam());
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  }
  void TearDown() override {
    hwy::SetSupportedTargetsForTest(0);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  }
};

TEST_P(Blocks, are_filled_and_emptied_like_two_plain_loops) {
  for (const std::size_t n_rows : {block_rows, std::size_t{5}}) {
    for (std::size_t width = 1; width <= 19; ++width) {
      for (const std::size_t margin : {0U, 3U}) {
        const Matrix matrix = numbered(n_rows + 2, width + margin);
        const RowRange rows{1, n_rows};
        const std::size_t first = margin / 2;
        Buffer block(width);
        gather(matrix, rows, first, width, block.data());
        for (std::size_t row = 0; row < block_rows; ++row) {
          for (std::size_t column = 0; column < width; ++column) {
            ASSERT_EQ(block.column(column)[row],
                      matrix(1 + std::min(row, n_rows - 1), first + column));
          }
        }
        Matrix back(n_rows + 2, width + margin);
        scatter(block.data(), rows, first, width, back.view());
        for (std::size_t row = 0; row < n_rows + 2; ++row) {
          for (std::size_t column = 0; column < width + margin; ++column) {
            const bool inside =
                row >= 1 && row <= n_rows && column >= first && column < first + width;
            ASSERT_EQ(back(row, column), inside ? matrix(row, column) : 0);
          }
        }
      }
    }
  }
}

TEST_P(Blocks, are_written_past_the_caches_number_by_number) {
  const std::size_t n_rows = streamed_bytes / sizeof(double) / 5 + 7;  // ends with a short block
  const Matrix matrix = numbered(n_rows, 5);
  Matrix copy(n_rows, 5);
  {
    RowWriter writer(copy.view());
    Buffer block(3);
    for (std::size_t row = 0; row < n_rows; row += block_rows) {
      const RowRange rows{row, std::min(block_rows, n_rows - row)};
      gather(matrix, rows, 0, 2, block.data());
      writer.put(block.data(), rows, 0, 2);
      gather(matrix, rows, 2, 3, block.data());
      writer.put(block.data(), rows, 2, 3);
      writer.finish(rows);
    }
  }
  for (std::size_t index = 0; index < n_rows * 5; ++index) {
    ASSERT_EQ(copy.data()[index], matrix.data()[index]);
  }
}

TEST_P(Blocks, stream_to_places_that_are_not_aligned) {
  std::vector<double> source(100);
  for (std::size_t index = 0; index < source.size(); ++index) {
    source[index] = static_cast<double>(index + 1);
  }
  for (std::size_t first = 0; first < 9; ++first) {
    for (const std::size_t size : {0U, 1U, 7U, 8U, 20U, 64U, 83U}) {
      std::vector<double> target(100);
      layout_kernels().stream(source.data(), size, target.data() + first);
      for (std::size_t index = 0; index < target.size(); ++index) {
        const bool inside = index >= first && index < first + size;
        ASSERT_EQ(target[index], inside ? source[index - first] : 0);
      }
    }
  }
}

TEST_P(Blocks, tell_numbers_out_of_bounds_from_those_within) {
  Buffer values(2);
  std::fill(values.data(), values.data() + 2 * block_rows, 1.0);
  const LayoutKernels& kernels = layout_kernels();
  EXPECT_TRUE(kernels.all_at_most(values.data(), 2 * block_rows, 1));
  EXPECT_TRUE(kernels.all_finite(values.data(), 2 * block_rows));
  for (const std::size_t place : {std::size_t{0}, std::size_t{77}, 2 * block_rows - 1}) {
    for (const double bad : {std::nan(""), HUGE_VAL}) {
      values.data()[place] = bad;
      EXPECT_FALSE(kernels.all_at_most(values.data(), 2 * block_rows, 1));
      EXPECT_FALSE(kernels.all_finite(values.data(), 2 * block_rows));
    }
    values.data()[place] = 1;
  }
}

INSTANTIATE_TEST_SUITE_P(Instructions, Blocks, testing::Values(HWY_SCALAR, HWY_AVX2, HWY_AVX3),
                         [](const auto& target) {
                           return std::string(hwy::TargetName(target.param));
                         });

}  // namespace
}  // namespace bentwood::kernels
