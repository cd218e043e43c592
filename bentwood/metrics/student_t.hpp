#pragma once

/// Student's t distribution.
namespace bentwood {

/// The probability that |T| >= |t| for T with ν degrees of freedom:
///
///     p = I_x(ν/2, 1/2),   x = ν / (ν + t²)
///
/// with the regularised incomplete beta function (Abramowitz and Stegun, "Handbook of Mathematical
/// Functions", 26.7.1; DLMF 8.17.1). Relative error below 1e-12 for p down to 1e-300; 0 for an infinite
/// t. Some tens of steps for every ν. Requires ν > 0 and t not NaN.
[[nodiscard]] double student_t_two_tailed(double t, double degrees_of_freedom);

/// The t > 0 that |T| exceeds with probability p: the inverse of the above, by bisection. Requires
/// 0 < p < 1.
[[nodiscard]] double student_t_critical(double p, double degrees_of_freedom);

}  // namespace bentwood
