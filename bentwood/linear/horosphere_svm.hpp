#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "bentwood/base/random.hpp"
#include "bentwood/linear/horosphere_newton.hpp"
#include "bentwood/linear/horosphere_objective.hpp"
#include "bentwood/linear/lbfgs.hpp"
#include "bentwood/linear/margin.hpp"
#include "bentwood/linear/polar_points.hpp"

namespace bentwood {

struct HorosphereSvmOptions {
  /// What a row short of its margin costs (the paper's C); less means a wider margin.
  double cost = 1;
  MarginLoss loss = MarginLoss::squared_hinge;
  /// β of the class balance, from 0 (none) to 1 (both sides weigh the same); see balanced_weight.
  double balance = 0;
  PositiveSide side = PositiveSide::either;
  /// Descents besides the one from the direction of the class means.
  std::size_t n_restarts = 2;
  /// Each descent stops after so many steps, all stages of the hinge together, or where the gradient is small (LbfgsOptions).
  std::size_t max_iterations = 200;
  double tolerance = 1e-6;
  /// Directions to begin with are compared on at most about so many rows, to this share of their objectives.
  std::size_t most_sampled = 2048;
  double start_tolerance = 0;
  /// Whether slope and offset are the exact ones of the direction that was found, or those of the last step.
  bool exact_margin = true;
  /// Where this is positive, squared hinge in 2 to most_newton_dim dimensions: Newton steps instead of L-BFGS, until one promises less than
  /// this share of the objective (NewtonOptions).
  double newton_tolerance = 0;
};

/// A horosphere as a classifier: the score of a point x is -slope · B_w(x) - offset, positive where it looks like y = 1. B_w is in
/// curvature radii. The horosphere itself is where B_w = -offset / slope.
struct Horosphere {
  std::vector<double> ideal;  ///< w, of length 1
  Margin margin;
  std::size_t n_iterations = 0;  ///< of all descents
  bool converged = false;        ///< the descent that led here
};

/// The weight (1 - β) / (1 - β^n) of rows of a side with n rows (Cui et al., "Class-balanced loss based on effective number of
/// samples", CVPR 2019): 1 for β = 0, and in the limit of β = 1 it is 1/n.
[[nodiscard]] double balanced_weight(double balance, double n_rows);

/// The horosphere SVM: minimises
///
///     ½ m² + C Σ c_y weight_i loss(1 - y_i (-m B_w(x_i) - o))      over unit vectors w, slopes m and offsets o
///
/// (Fan, Yang, Vemuri, "Horospherical decision boundaries for large margin classification in hyperbolic space", NeurIPS 2023; Doorenbos et
/// al., "Hyperbolic Random Forests", TMLR 2024, eq. 5). The problem is convex in (m, o) but not in w. So descents (L-BFGS in w = a/|a|,
/// log |m| and o, the hinge rounded off in three stages) start from several directions, each ends with the exact (m, o) of its w, and
/// the least objective wins. Directions are the class means and the best of a seeded pool, whose Busemann functions are computed once
/// for all problems on the same rows. A slope of either sign is allowed unless options say otherwise, where the papers ask for m > 0:
/// the positive rows may be outside the horosphere.
///
/// The result depends neither on the order of the rows nor on threads, and a row of weight 2 counts as two. Holds its memory: use one for
/// many problems. O(n dim) a step.
class HorosphereSvm {
 public:
  explicit HorosphereSvm(const HorosphereSvmOptions& options) : options_(options) {}

  /// For drawing the cost anew for every node of a tree.
  void set_cost(double cost) { options_.cost = cost; }

  /// The rows of the problems to come, and their weights (none: all 1), which are at least 0. Draws the pool of directions.
  void assign(const PolarPoints& points, std::span<const std::uint32_t> rows,
              std::span<const double> weights, Random random);

  /// Solves the problem with these signs, ±1 a row. Throws Interrupted.
  [[nodiscard]] Horosphere solve(std::span<const double> signs);

 private:
  void find_lengths();
  void draw_sample();
  void draw_pool(Random& random);
  void add_to_pool(std::span<const double> direction);
  void set_problem(std::span<const double> signs);
  void find_class_directions();
  void choose_starts();
  [[nodiscard]] Margin score(std::span<const double> levels);
  void descend(std::span<const double> start, bool is_class, Horosphere& best);
  [[nodiscard]] bool takes_newton_steps() const;
  bool descend_by_newton(Margin& margin, Horosphere& best);
  bool descend_by_lbfgs(Margin& margin, Horosphere& best);

  HorosphereSvmOptions options_;
  // The rows.
  PolarPoints points_;
  std::vector<double> far_lengths_;    ///< sinh r of each row over exp(r) / 2 of the farthest
  std::vector<double> lengths_;        ///< tanh r
  std::vector<std::uint32_t> places_;  ///< of the rows with weight, among those given
  std::vector<std::uint32_t> rows_;
  std::vector<double> weights_;
  // The pool: directions, and their levels of a sample of the rows.
  std::vector<std::uint32_t> sample_;
  PolarPoints sample_points_;
  std::vector<double> pool_;
  std::vector<double> pool_levels_;
  // One problem.
  std::vector<double> signs_;
  std::vector<double> costs_;
  std::vector<double> sample_signs_;
  std::vector<double> sample_costs_;
  std::vector<double> class_directions_;
  Margin class_margin_;  ///< of the best of them
  std::vector<double> starts_;
  std::vector<std::pair<double, std::size_t>>
      scores_;  ///< of the pool's directions, with their places
  // Memory.
  HorosphereObjective objective_;
  HorosphereNewton newton_;
  MarginSolver margins_;
  Lbfgs lbfgs_;
  std::vector<double> scratch_;
  std::vector<double> ideal_;
  std::vector<double> x_;
};

/// One problem on some rows of points, as HorosphereSvm solves it.
[[nodiscard]] Horosphere horosphere_svm(const PolarPoints& points,
                                        std::span<const std::uint32_t> rows,
                                        std::span<const double> signs,
                                        std::span<const double> weights,
                                        const HorosphereSvmOptions& options, Random random);

}  // namespace bentwood
