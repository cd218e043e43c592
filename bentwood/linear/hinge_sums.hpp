#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "bentwood/linear/margin.hpp"
#include "bentwood/linear/polar_points.hpp"

namespace bentwood {

/// ½ m² + Σ c max(0, z)², z = 1 + y (m B + o), with its gradient and Hessian in slope m and offset o.
struct MarginQuadratic {
  double value = 0;
  double slope_gradient = 0;
  double offset_gradient = 0;
  double slope_slope = 0;
  double slope_offset = 0;
  double offset_offset = 0;
};

[[nodiscard]] MarginQuadratic margin_quadratic(const MarginRows& rows, double slope, double offset);

/// More dimensions are left to methods that need no Hessian, whose size grows with their square.
inline constexpr std::size_t most_newton_dim = 4;

/// The same as a function of the ideal point, too, to second order: in variables (t_1 … t_{dim-1}, m, o) where w moves to the unit
/// vector of w + Σ t_k e_k, e_k the columns of `tangents`, which with w are orthonormal. Only the upper half of the Hessian is
/// filled.
///
/// With the pull p = 2A / (1 + A |w - v|²) of a point the gradient of B_w along e_k is g_k = -p e_k·v, and its second derivatives
/// are p (w·v) δ_jk - g_j g_k.
struct HorosphereQuadratic {
  static constexpr std::size_t most_variables = most_newton_dim + 1;
  using Vector = std::array<double, most_variables>;

  double value = 0;
  Vector gradient{};
  std::array<Vector, most_variables> hessian{};
};

/// `tangents` has dim - 1 vectors of dim numbers end to end; `signs` and `costs` are as MarginRows has them. Requires a unit vector of 2 to
/// most_newton_dim numbers. O(n dim²); the same bits on every machine.
[[nodiscard]] HorosphereQuadratic horosphere_quadratic(
    const PolarPoints& points, std::span<const double> signs, std::span<const double> costs,
    std::span<const double> ideal, std::span<const double> tangents, double slope, double offset);

}  // namespace bentwood
