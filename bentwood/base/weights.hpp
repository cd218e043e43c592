#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

/// What rows weigh. Whoever takes weights asks these functions at the door, so that no sum behind it overflows or vanishes.
namespace bentwood {

/// A power of two that brings a number near 1, for numbers beyond 2^±most_exponent: a product of a few of them might be none; else 1.
/// Numbers times a power of two keep their digits.
[[nodiscard]] double scale_to_one(double number, int most_exponent = 200);

/// Throws InvalidInput unless there is one weight per row, all of them finite and none below 0, and one above 0.
void check_weights(std::span<const double> weights, std::size_t n_rows);

/// A power of two that such weights are to be multiplied by before cubes of their sums are taken: 1 but for very large or small ones.
/// Throws RowError where one weight above 0 is so much smaller than the largest that it would vanish there.
[[nodiscard]] double weight_scale(std::span<const double> weights);

/// Multiplies the weights of rows by those of their classes. Throws RowError where a product is larger than any number, or so small that
/// it becomes 0.
void weigh_classes(std::span<const std::uint32_t> classes, std::span<const double> class_weights,
                   std::span<double> weights);

}  // namespace bentwood
