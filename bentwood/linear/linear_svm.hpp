#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "bentwood/base/matrix.hpp"
#include "bentwood/linear/margin.hpp"

namespace bentwood {

/// Rows of features, their signs ±1, and what a row costs (C times its weight; 0 or more) that is short of its margin.
struct LinearRows {
  MatrixView features;
  std::span<const double> signs;
  std::span<const double> costs;
};

struct LinearSvmOptions {
  MarginLoss loss = MarginLoss::squared_hinge;
  /// Ends where the objective is within this of its minimum, relative to it.
  double tolerance = 1e-6;
  /// The most Newton steps, or passes of coordinate descent.
  std::size_t max_iterations = 100'000;
  /// Decides the order in which coordinate descent visits the rows.
  std::uint64_t seed = 0;
};

struct LinearSvm {
  std::vector<double> weights;
  /// The dual variables, 0 <= α: above 0 for support vectors. w = Σ α_i y_i f_i.
  std::vector<double, NumberAllocator<double>> multipliers;
  double objective = 0;
  std::size_t n_iterations = 0;
  bool converged = false;
};

/// The linear SVM without a bias term, whose constant feature does the same (and is penalised with the others, as LIBLINEAR has it):
///
///     minimise  ½|w|² + Σ cost_i loss(1 - y_i w·f_i)      over w.
///
/// The squared hinge is solved by newton_svm, the hinge by coordinate_descent_svm. The result does not depend on threads. Throws Interrupted.
[[nodiscard]] LinearSvm linear_svm(const LinearRows& rows, const LinearSvmOptions& options);

/// Newton's method with backtracking on the primal with the squared hinge, which is piecewise quadratic, so that the last step is exact
/// (Mangasarian, "A finite Newton method for classification", 2002). Up to 128 features the Hessian is factored, O(n d²) a step;
/// beyond, conjugate gradients with the Hessian's diagonal as preconditioner find the step, O(n d) each (Lin, Weng, Keerthi, "Trust region
/// Newton method for large-scale logistic regression", 2008), and where rows are many, a fourth of them finds the weights to start from,
/// so that the steps do not become more with the rows. `n_iterations` counts the steps with all rows.
[[nodiscard]] LinearSvm newton_svm(const LinearRows& rows, const LinearSvmOptions& options);

/// Coordinate descent on the dual of the hinge, with shrinking, until the gap between primal and dual is closed: Hsieh, Chang, Lin,
/// Keerthi, Sundararajan, "A dual coordinate descent method for large-scale linear SVM", ICML 2008, Algorithm 3. O(n d) a pass.
[[nodiscard]] LinearSvm coordinate_descent_svm(const LinearRows& rows,
                                               const LinearSvmOptions& options);

}  // namespace bentwood
