#include "bentwood/metrics/student_t.hpp"

#include <array>
#include <cassert>
#include <cmath>
#include <limits>
#include <numbers>

namespace bentwood {
namespace {

/// The sum in Stirling's series, ln Γ(z) - ((z - ½) ln z - z + ½ ln 2π): DLMF 5.11.1. To the last bits for
/// z >= 16.
double stirling_correction(double z) {
  // The highest power first.
  constexpr std::array coefficients{1.0 / 1188, -1.0 / 1680, 1.0 / 1260, -1.0 / 360, 1.0 / 12};
  double sum = 0;
  for (const double coefficient : coefficients) {
    sum = sum / (z * z) + coefficient;
  }
  return sum / z;
}

/// Γ(a + ½) / Γ(a). The difference of two std::lgamma would lose digits as a grows: at a = 1e6 six of
/// them.
double gamma_ratio(double a) {
  // Γ(a + 1) = a Γ(a) carries small arguments to where the series is exact.
  double factor = 1;
  for (; a < 16; a += 1) {
    factor *= a / (a + 0.5);
  }
  const double logarithm =
      a * std::log1p(0.5 / a) - 0.5 + (stirling_correction(a + 0.5) - stirling_correction(a));
  return factor * std::sqrt(a) * std::exp(logarithm);
}

/// B(a, b) I_x(a, b) / (x^a y^b), y = 1 - x, as a continued fraction: the even part of DLMF 8.17.22, in the
/// form of DiDonato and Morris ("Algorithm 708", ACM Transactions on Mathematical Software 18, 1992, eq.
/// 9), which takes λ = a - (a + b) x as an argument, for the caller knows it without cancellation. The
/// partial fractions come from the modified algorithm of Lentz (Thompson and Barnett, Journal of
/// Computational Physics 64, 1986). Converges fast where
/// x < (a + 1) / (a + b + 2).
double beta_fraction(double a, double b, double x, double y, double lambda) {
  constexpr double precision = 4 * std::numeric_limits<double>::epsilon();
  double denominator = a * (lambda + 1) / (a + 1);
  double c = denominator;
  double d = 0;
  double change = 0;
  // At most 57 steps were seen for ν from 1 to 1e16; the limit only makes sure of an end.
  for (double n = 1; n < 1000 && std::abs(change - 1) > precision; n += 1) {
    const double ratio = x / (a + 2 * n - 1);
    const double alpha = (a + n - 1) * ratio * ((a + b + n - 1) * ratio) * (n * (b - n));
    const double beta =
        n + n * (b - n) * ratio + (a + n) * (lambda + 1 + n * (1 + y)) / (a + 2 * n + 1);
    d = 1 / (beta + alpha * d);
    c = beta + alpha / c;
    change = c * d;
    denominator *= change;
  }
  return 1 / denominator;
}

}  // namespace

double student_t_two_tailed(double t, double degrees_of_freedom) {
  assert(degrees_of_freedom > 0 && !std::isnan(t));
  const double a = degrees_of_freedom / 2;
  // t²/ν, from which x, y = 1 - x and log x all follow without cancellation, and for every t.
  const double scaled = std::abs(t) / std::sqrt(degrees_of_freedom);
  const double square = scaled * scaled;
  const double x = 1 / (1 + square);
  const double y = 1 / (1 + 1 / square);
  const double minus_log_x = scaled > 1e8 ? 2 * std::log(scaled) : std::log1p(square);
  // x^a y^½ / B(a, ½)
  const double front =
      std::exp(-a * minus_log_x) * std::sqrt(y) * gamma_ratio(a) * std::numbers::inv_sqrtpi;
  const double lambda = (a + 0.5) * y - 0.5;
  // Here one of the two fractions converges as fast as the other, and p is at least 0.08.
  if (y > 1.5 / (a + 2.5)) {
    return front * beta_fraction(a, 0.5, x, y, lambda);
  }
  return 1 - front * beta_fraction(0.5, a, y, x, -lambda);
}

double student_t_critical(double p, double degrees_of_freedom) {
  assert(p > 0 && p < 1);
  double low = 0;
  double high = 1;
  while (student_t_two_tailed(high, degrees_of_freedom) > p) {
    low = high;
    high *= 2;
  }
  for (;;) {
    const double middle = low + (high - low) / 2;
    if (middle <= low || middle >= high) {
      return high;
    }
    (student_t_two_tailed(middle, degrees_of_freedom) > p ? low : high) = middle;
  }
}

}  // namespace bentwood
