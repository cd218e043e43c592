#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "bentwood/linear/margin.hpp"
#include "bentwood/linear/polar_points.hpp"

namespace bentwood {

/// The objective of the horosphere SVM as a smooth function,
///
///     f(w, m, o) = ½ m² + Σ c_i loss(1 + y_i (m B_w(x_i) + o)),
///
/// with gradient. The hinge is rounded off on [0, δ]: z²/2δ there, z - δ/2 above; δ = 0 stands for the squared hinge.
class HorosphereObjective {
 public:
  struct Gradient {
    std::span<double> ideal;  ///< in w: along the sphere, at right angles to w
    double slope = 0;
    double offset = 0;
  };

  /// Views points, signs and costs (as MarginRows has them), which must outlive it.
  void assign(const PolarPoints& points, std::span<const double> signs,
              std::span<const double> costs);

  /// f and its gradient. Requires a unit vector w. O(n dim).
  [[nodiscard]] double evaluate(std::span<const double> ideal, double slope, double offset,
                                double rounding, Gradient& gradient);

  /// The rows as seen from an ideal point; valid until the next call.
  [[nodiscard]] MarginRows rows(std::span<const double> ideal);

 private:
  const PolarPoints* points_ = nullptr;
  std::span<const double> signs_;
  std::span<const double> costs_;
  std::vector<double> levels_;
  std::vector<double> pulls_;
};

/// Scales a vector to length 1 and returns its length. One without direction becomes the first axis.
double normalise(std::span<double> vector);

/// The same objective as a function of free variables x = (a, log |m|, o) with w = a/|a|, which is how it is minimised; `sign` is
/// that of m. Returns f and writes the gradient.
[[nodiscard]] double free_objective(HorosphereObjective& objective, std::span<const double> x,
                                    double sign, double rounding, std::span<double> ideal,
                                    std::span<double> gradient);

}  // namespace bentwood
