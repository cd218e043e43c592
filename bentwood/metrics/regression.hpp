#pragma once

#include <span>

#include "bentwood/base/matrix.hpp"

/// How far predicted numbers are from the true ones.
///
/// Both matrices have one row a sample and one column an output; the result is the plain mean over the
/// outputs. `weights` is that of classification.hpp. All functions throw InvalidInput for shapes that
/// differ, no rows or outputs at all, numbers that are not finite and unusable weights. O(n) an output.
namespace bentwood {

/// The root of the mean squared error; of several outputs the mean of their roots.
[[nodiscard]] double rmse(MatrixView truth, MatrixView predicted,
                          std::span<const double> weights = {});

/// The mean absolute error.
[[nodiscard]] double mae(MatrixView truth, MatrixView predicted,
                         std::span<const double> weights = {});

/// The coefficient of determination, the share of the variance that is explained:
///
///     R² = 1 - Σ w (y - ŷ)² / Σ w (y - ȳ)²,   ȳ the weighted mean of y
///
/// 1 is perfect, 0 as good as predicting the mean, and there is no limit below. Where all y are equal
/// there is no variance to explain: then 1 if every prediction is right and 0 otherwise, as in
/// scikit-learn. Throws InvalidInput where fewer than two rows have weight.
[[nodiscard]] double r2(MatrixView truth, MatrixView predicted,
                        std::span<const double> weights = {});

}  // namespace bentwood
