#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "bentwood/linear/hinge_sums.hpp"
#include "bentwood/linear/margin.hpp"
#include "bentwood/linear/polar_points.hpp"

namespace bentwood {

struct NewtonOptions {
  std::size_t max_iterations = 100;
  /// Stops where a step promises to lower the objective by less than this share of it.
  double tolerance = 1e-9;
};

struct NewtonResult {
  std::size_t n_iterations = 0;
  bool converged = false;
};

/// Minimises the horosphere SVM's objective with the squared hinge in few dimensions, 2 to most_newton_dim: Newton's method in ideal point,
/// slope and offset at once, damped (Levenberg, Marquardt) where the Hessian is not positive or a step does not lead down. The slope keeps
/// its sign. A handful of passes over the rows, where L-BFGS takes twenty.
///
/// Deterministic. Holds its memory.
class HorosphereNewton {
 public:
  /// Views points, signs and costs (as MarginRows has them), which must outlive it.
  void assign(const PolarPoints& points, std::span<const double> signs,
              std::span<const double> costs);

  /// Moves the unit vector `ideal` and slope and offset of `margin` to a local minimum, and sets its objective. Requires a slope that is
  /// not 0. Throws Interrupted.
  NewtonResult minimise(std::span<double> ideal, Margin& margin, const NewtonOptions& options);

 private:
  using Vector = HorosphereQuadratic::Vector;

  [[nodiscard]] HorosphereQuadratic quadratic(std::span<const double> ideal, double slope,
                                              double offset);
  void find_tangents(std::span<const double> ideal);
  /// The step of the damped system; false where it is not positive definite.
  [[nodiscard]] bool solve(const HorosphereQuadratic& at, double damping, Vector& step) const;
  /// The share of a step that neither turns the ideal point too far nor takes most of the slope.
  [[nodiscard]] double allowed(const Vector& step, double slope) const;

  const PolarPoints* points_ = nullptr;
  std::span<const double> signs_;
  std::span<const double> costs_;
  std::size_t n_tangents_ = 0;
  std::vector<double> tangents_;
  std::vector<double> next_;
};

}  // namespace bentwood
